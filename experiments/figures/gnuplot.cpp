#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/data/table.h"
#include "experiments/figures/figure.h"

namespace brink {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + "'";
}

}  // namespace

std::string to_gnuplot(const Figure& given) {
  Figure figure = given.stacked ? piled(given) : given;
  // What lies lower is drawn over what lies higher.
  if (given.stacked) std::reverse(figure.series.begin(), figure.series.end());
  std::string script = fmt::format(
      "set terminal pdfcairo size 17.4cm,10.6cm font 'Helvetica,9'\n"
      "set output {}\nset termoption noenhanced\nset title {}\n"
      "set xlabel {}\nset ylabel {}\nset key outside bottom center horizontal\n"
      "set grid lc rgb '#e6e6e6' lt 1\n",
      quoted(figure.name + ".pdf"), quoted(figure.title), quoted(figure.x_label),
      quoted(figure.y_label));
  if (figure.log_x) script += "set logscale x\n";
  if (figure.log_y) script += "set logscale y\n";
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    script += fmt::format("$series{} << END\n", i);
    const Series& series = figure.series[i];
    for (std::size_t k = 0; k < series.x.size(); ++k) {
      if (!std::isfinite(series.x[k]) || !std::isfinite(series.y[k])) continue;
      script += fmt::format("{} {}\n", number_text(series.x[k]), number_text(series.y[k]));
    }
    script += "END\n";
  }
  constexpr const char* kColours[] = {"#0072B2", "#D55E00", "#009E73",
                                      "#CC79A7", "#E69F00", "#56B4E9"};
  script += "plot ";
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    const Series& series = figure.series[i];
    const std::string style = given.stacked ? std::string("filledcurves y1=0")
                              : series.line ? fmt::format("lines lw 2 dt {}", i % 5 + 1)
                                            : fmt::format("points pt {} ps 0.6", 2 * (i % 4) + 5);
    script += fmt::format("{}$series{} using 1:2 with {} lc rgb '{}' title {}", i == 0 ? "" : ", ",
                          i, style, kColours[i % 6], quoted(series.label));
  }
  return script + "\n";
}

std::string without_creation_date(std::string pdf) {
  const std::string key = "/CreationDate (";
  for (std::size_t at = pdf.find(key); at != std::string::npos; at = pdf.find(key, at + 1)) {
    const std::size_t begin = at + key.size(), end = pdf.find(')', begin);
    if (end == std::string::npos) break;
    // The same length, so that the offsets of the cross-reference table stay valid.
    const std::string fixed = "D:19700101000000+00'00";
    for (std::size_t i = begin; i < end; ++i)
      pdf[i] = i - begin < fixed.size() ? fixed[i - begin] : ' ';
  }
  return pdf;
}

}  // namespace brink
