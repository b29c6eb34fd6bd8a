#include <dpvi/report/page/page_frame.hpp>

#include <fmt/format.h>

#include <cmath>

#include <dpvi/base/sha256.hpp>
#include <dpvi/report/assets/assets.hpp>
#include <dpvi/report/markup.hpp>
#include <dpvi/report/number_text.hpp>

namespace dpvi {
namespace {

std::string content_policy(const std::string& style, std::string_view script) {
  std::string policy =
      fmt::format("default-src 'none'; style-src 'sha256-{}'", sha256_base64(style));
  if (!script.empty()) policy += fmt::format("; script-src 'sha256-{}'", sha256_base64(script));
  return policy + "; base-uri 'none'; form-action 'none'";
}

std::string copied_block(std::string_view classes, std::string_view label, std::string_view text) {
  return fmt::format(
      "<div class=\"{2}\"><div class=\"code-head\"><span>{0}</span>"
      "<button type=\"button\" class=\"copy\" hidden>Copy</button></div>"
      "<pre tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><code>{1}</code></pre></div>\n",
      escaped_markup(label), escaped_markup(text), classes);
}

}  // namespace

std::string shown_number(double value) { return std::isnan(value) ? "–" : number_text(value, 4); }

std::string bullet_list(const std::vector<std::string>& texts) {
  std::string out = "<ul>\n";
  for (const std::string& text : texts) out += fmt::format("<li>{}</li>\n", escaped_markup(text));
  return out + "</ul>\n";
}

std::string code_block(std::string_view label, std::string_view code) {
  return copied_block("code", label, code);
}

std::string text_block(std::string_view label, std::string_view text) {
  return copied_block("code text", label, text);
}

std::string figure_with(const std::string& picture, std::string_view caption) {
  if (caption.empty()) return fmt::format("<figure>{}</figure>\n", picture);
  return fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n", picture,
                     escaped_markup(caption));
}

std::string page_html(const Page& page) {
  const std::string style = fmt::format("{}{}", page_style(), chart_style());
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n"
      "<a class=\"skip\" href=\"#main\">Skip to the content</a>\n<header>\n{}</header>\n",
      content_policy(style, page.script), escaped_markup(page.title), style, page.head);
  out += "<nav aria-label=\"Contents\"><ul>\n";
  for (const PageSection& section : page.sections) {
    out += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id,
                       escaped_markup(section.heading));
  }
  out += "</ul></nav>\n<main id=\"main\">\n";
  for (const PageSection& section : page.sections) {
    out += fmt::format(
        "<section id=\"{0}\" aria-labelledby=\"{0}-heading\">\n"
        "<h2 id=\"{0}-heading\">{1}</h2>\n{2}</section>\n",
        section.id, escaped_markup(section.heading), section.body);
  }
  out += "</main>\n";
  if (!page.script.empty()) out += fmt::format("<script>{}</script>\n", page.script);
  return out + "</body>\n</html>\n";
}

}  // namespace dpvi
