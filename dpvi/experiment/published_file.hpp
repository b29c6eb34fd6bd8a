#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace dpvi {

// A file of a data set that others publish and that dpvi does not distribute.
struct PublishedFile {
  std::string_view name;
  std::string_view sha256;
  std::string_view page;  // download page
};

// Files of the UCI Machine Learning Repository, as published.
inline constexpr PublishedFile kAbaloneData{
    "abalone.data", "de37cdcdcaaa50c309d514f248f7c2302a5f1f88c168905eba23fe2fbc78449f",
    "https://archive.ics.uci.edu/dataset/1/abalone"};
inline constexpr PublishedFile kAdultData{
    "adult.data", "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d",
    "https://archive.ics.uci.edu/dataset/2/adult"};
inline constexpr PublishedFile kAdultTest{
    "adult.test", "a2a9044bc167a35b2361efbabec64e89d69ce82d9790d2980119aac5fd7e9c05",
    "https://archive.ics.uci.edu/dataset/2/adult"};

// Returns the file's text. Throws if the file is not in the folder (DP301) or has different bytes
// (DP370).
std::string read_published_file(const std::filesystem::path& folder, const PublishedFile& file);

}  // namespace dpvi
