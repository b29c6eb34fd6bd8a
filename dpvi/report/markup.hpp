#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dpvi {

// Escapes the characters that have a meaning in HTML and SVG, in texts and in quoted attributes.
//
// Guarantee: the result is UTF-8 without markup, control characters or marks that change the
// direction of writing. Bytes that are none of these become U+FFFD; line feeds and tabs stay.
std::string escaped_markup(std::string_view text);

// Escapes the characters that have a meaning in the texts, lists and tables of Markdown.
//
// Guarantee: the result is one line of UTF-8 that shows the text, without markup, control
// characters or marks that change the direction of writing. Emphasis alone is left as it is.
std::string escaped_markdown(std::string_view text);

// A name between backticks, which begin and end code in Markdown. Backticks in the name become
// apostrophes.
std::string markdown_code(std::string_view name);

// Number of characters of a text. Those of East Asian scripts, and pictures, are wide and count
// twice.
std::size_t letter_count(std::string_view text);

// At most `letters` characters of a name, counted as by letter_count. A longer one has an ellipsis
// inside: its beginning stays, and its index in brackets or else its end.
std::string shortened(std::string_view text, std::size_t letters);

}  // namespace dpvi
