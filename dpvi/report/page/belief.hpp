#pragma once

#include <string>

#include <dpvi/report/chart/svg_chart.hpp>

namespace dpvi {

// How far a result can move the belief of somebody who sees it, from `before` (a probability), by
// Bayes' rule and the factor e^epsilon.
double highest_belief(double epsilon, double before);
double lowest_belief(double epsilon, double before);

// The same as a chart and as a table.
Chart belief_chart(double epsilon);
std::string belief_table(double epsilon);

// A probability as a percentage that is not rounded to 0 % or 100 %.
std::string percentage(double probability);
// With as many figures as it takes to differ from the belief before.
std::string changed_percentage(double after, double before);

}  // namespace dpvi
