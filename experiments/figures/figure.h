// Figure: series over a plane, written as SVG by ourselves and as PDF by gnuplot.
//
// The SVG needs no other program and is byte-identical for the same data, so that tests can compare
// it and the HTML report can embed it. Colours are the Okabe-Ito palette (safe for colour-blind
// readers); series also differ by marker and dash, so that grey print works. Used by: reproduce,
// report, plot.
#pragma once

#include <string>
#include <vector>

#include "models/base/result.h"

namespace brink {

struct Series {
  std::string label;
  bool line = true;  ///< joined points (a prediction); otherwise markers only (observed, simulated)
  std::vector<double> x, y;
};

struct Figure {
  std::string name;  ///< stem of its files
  std::string title, x_label, y_label, caption;
  bool log_x = false, log_y = false;
  bool stacked = false;  ///< areas on one another, the first lowest; all series have the same x
  std::vector<Series> series;
};

/// SVG text, 720 x 440 user units. Points that are not finite, or not positive on a log axis, are
/// left out. A figure without any point says so in its middle.
std::string to_svg(const Figure& figure);

/// The same figure with each series on the sum of those before it.
Figure piled(Figure figure);

/// The data: columns series, x, y.
std::string to_csv(const Figure& figure);

/// A gnuplot script that draws the CSV beside it to NAME.pdf.
std::string to_gnuplot(const Figure& figure);

/// Replaces the creation date in a PDF that gnuplot (cairo) wrote, so that rebuilds are
/// byte-identical.
std::string without_creation_date(std::string pdf);

/// Ticks of an axis from low to high: about five "nice" numbers, or the powers of ten of a log
/// axis.
std::vector<double> axis_ticks(double low, double high, bool log);

}  // namespace brink
