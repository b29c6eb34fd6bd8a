#pragma once

#include <string>

#include <dpvi/report/bundle_texts.hpp>

namespace dpvi {

// report.html: a bundle as one page to look at, complete without scripts. Throws like
// read_bundle(). It leaves out what a bundle of an older version lacks.
//
// Guarantee: a report is a function of the files of the bundle, and no name or text in them becomes
// markup or a script.
std::string report_html(const BundleTexts& texts);

}  // namespace dpvi
