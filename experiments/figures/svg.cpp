#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/data/table.h"
#include "experiments/figures/figure.h"

namespace brink {
namespace {

// Okabe & Ito (2008), without yellow and black.
constexpr std::array<std::string_view, 6> kColours = {"#0072B2", "#D55E00", "#009E73",
                                                      "#CC79A7", "#E69F00", "#56B4E9"};
constexpr std::array<std::string_view, 4> kDashes = {"none", "7 4", "2 3", "8 3 2 3"};

/// More areas than colours: grey for the seventh, and round again.
std::string_view area_colour(std::size_t index) {
  return index % (kColours.size() + 1) == kColours.size() ? "#BBBBBB"
                                                          : kColours[index % (kColours.size() + 1)];
}

constexpr double kWidth = 720, kHeight = 440, kLeft = 78, kRight = 18, kTop = 44, kBottom = 58,
                 kLegendRow = 18;

struct Axis {
  double low = 0, high = 1;
  bool log = false;

  double place(double value) const {
    const double a = log ? std::log10(low) : low, b = log ? std::log10(high) : high;
    return ((log ? std::log10(value) : value) - a) / (b - a);
  }
};

bool usable(double x, double y, const Figure& figure) {
  return std::isfinite(x) && std::isfinite(y) && (!figure.log_x || x > 0) &&
         (!figure.log_y || y > 0);
}

Axis axis_of(const Figure& figure, bool vertical) {
  Axis axis;
  axis.log = vertical ? figure.log_y : figure.log_x;
  double low = INFINITY, high = -INFINITY;
  for (const Series& series : figure.series) {
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (!usable(series.x[i], series.y[i], figure)) continue;
      const double value = vertical ? series.y[i] : series.x[i];
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  if (low > high) return axis;
  if (axis.log) {
    axis.low = std::pow(10, std::floor(std::log10(low) + 1e-9));
    axis.high = std::pow(10, std::ceil(std::log10(high) - 1e-9));
    if (axis.high <= axis.low) axis.high = axis.low * 10;
    return axis;
  }
  if (vertical) low = std::min(low, 0.0);
  const double room = high > low ? (high - low) * 0.04 : std::max(1.0, std::abs(high));
  axis.low = vertical && low == 0 ? 0 : low - room;
  axis.high = high + room;
  return axis;
}

std::string escape(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string tick_text(double value) { return fmt::format("{:.6g}", value == 0 ? 0.0 : value); }

class Sheet {
 public:
  explicit Sheet(const Figure& figure)
      : figure_(figure), x_(axis_of(figure, false)), y_(axis_of(figure, true)) {}

  std::string draw() {
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" "
        "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\" role=\"img\">\n"
        "<title>{2}</title>\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
        kWidth, height(), escape(figure_.title));
    text(kLeft, 24, figure_.title, "start", "font-size=\"14\" font-weight=\"bold\"");
    axes();
    bool any = false;
    if (figure_.stacked) {
      for (std::size_t i = figure_.series.size(); i-- > 0;) any = area(figure_.series[i], i) || any;
    } else {
      for (std::size_t i = 0; i < figure_.series.size(); ++i)
        any = series(figure_.series[i], i) || any;
    }
    if (!any) text(kWidth / 2, kHeight / 2, "no data", "middle", "");
    legend();
    return out_ + "</svg>\n";
  }

 private:
  double px(double value) const { return kLeft + x_.place(value) * (kWidth - kLeft - kRight); }
  double py(double value) const {
    return kHeight - kBottom - y_.place(value) * (kHeight - kTop - kBottom);
  }

  void text(double x, double y, const std::string& what, std::string_view anchor,
            std::string_view more) {
    out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" {}>{}</text>\n", x, y,
                        anchor, more, escape(what));
  }

  void line(double x1, double y1, double x2, double y2, std::string_view stroke) {
    out_ += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x1, y1,
        x2, y2, stroke);
  }

  void axes() {
    const double bottom = kHeight - kBottom, right = kWidth - kRight;
    for (const double tick : axis_ticks(x_.low, x_.high, x_.log)) {
      line(px(tick), kTop, px(tick), bottom, "#e6e6e6");
      text(px(tick), bottom + 18, tick_text(tick), "middle", "");
    }
    for (const double tick : axis_ticks(y_.low, y_.high, y_.log)) {
      line(kLeft, py(tick), right, py(tick), "#e6e6e6");
      text(kLeft - 8, py(tick) + 4, tick_text(tick), "end", "");
    }
    line(kLeft, bottom, right, bottom, "#333333");
    line(kLeft, kTop, kLeft, bottom, "#333333");
    text((kLeft + right) / 2, kHeight - 16, figure_.x_label, "middle", "");
    const double middle = (kTop + bottom) / 2;
    text(20, middle, figure_.y_label, "middle",
         fmt::format("transform=\"rotate(-90 20 {:.1f})\"", middle));
  }

  void marker(double x, double y, std::size_t index) {
    const std::string_view colour = kColours[index % kColours.size()];
    switch (index % 3) {
      case 0:
        out_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"{}\"/>\n", x, y,
                            colour);
        break;
      case 1:
        out_ += fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"6.5\" height=\"6.5\" fill=\"{}\"/>\n",
            x - 3.25, y - 3.25, colour);
        break;
      default:
        out_ += fmt::format("<path d=\"M{:.1f} {:.1f}l4.2 7.4h-8.4z\" fill=\"{}\"/>\n", x, y - 4.8,
                            colour);
    }
  }

  void stroke(std::size_t index) {
    out_ +=
        fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\"/>\n",
                    kColours[index % kColours.size()], kDashes[index % kDashes.size()]);
  }

  bool series(const Series& series, std::size_t index) {
    std::string points;
    bool any = false;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (!usable(series.x[i], series.y[i], figure_)) continue;
      any = true;
      const double x = px(series.x[i]), y = py(series.y[i]);
      if (series.line) {
        points += fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ", x, y);
      } else {
        marker(x, y, index);
      }
    }
    if (!points.empty()) {
      out_ += fmt::format("<polyline points=\"{}\" ", points);
      stroke(index);
    }
    return any;
  }

  /// From the sum down to the axis; what lies lower is drawn over it.
  bool area(const Series& series, std::size_t index) {
    std::string points;
    double last = kLeft;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (!usable(series.x[i], series.y[i], figure_)) continue;
      last = px(series.x[i]);
      if (points.empty()) points = fmt::format("{:.1f},{:.1f}", last, kHeight - kBottom);
      points += fmt::format(" {:.1f},{:.1f}", last, py(series.y[i]));
    }
    if (points.empty()) return false;
    out_ += fmt::format(
        "<polygon points=\"{} {:.1f},{:.1f}\" fill=\"{}\" stroke=\"white\" "
        "stroke-width=\"0.5\"/>\n",
        points, last, kHeight - kBottom, area_colour(index));
    return true;
  }

  /// Below the axes, three to a row, so that it never hides a point.
  void legend() {
    const double column = (kWidth - kLeft - kRight) / 3;
    for (std::size_t i = 0; i < figure_.series.size(); ++i) {
      const double x = kLeft + static_cast<double>(i % 3) * column;
      const double y = kHeight + 12 + static_cast<double>(i / 3) * kLegendRow;
      if (figure_.stacked) {
        out_ += fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"26\" height=\"10\" fill=\"{}\"/>\n", x, y - 9,
            area_colour(i));
      } else if (figure_.series[i].line) {
        out_ += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" ", x,
                            y - 4, x + 26, y - 4);
        stroke(i);
      } else {
        marker(x + 13, y - 4, i);
      }
      text(x + 34, y, figure_.series[i].label, "start", "");
    }
  }

  double height() const {
    return kHeight + 8 + static_cast<double>((figure_.series.size() + 2) / 3) * kLegendRow;
  }

  const Figure& figure_;
  Axis x_, y_;
  std::string out_;
};

}  // namespace

Figure piled(Figure figure) {
  for (std::size_t i = 1; i < figure.series.size(); ++i) {
    Series& upper = figure.series[i];
    const Series& lower = figure.series[i - 1];
    for (std::size_t k = 0; k < std::min(upper.y.size(), lower.y.size()); ++k) {
      upper.y[k] += lower.y[k];
    }
  }
  return figure;
}

std::vector<double> axis_ticks(double low, double high, bool log) {
  std::vector<double> ticks;
  if (log) {
    const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9));
    const int last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
    const int stride = std::max(1, (last - first + 7) / 8);
    for (int power = first; power <= last; power += stride) ticks.push_back(std::pow(10, power));
    return ticks;
  }
  const double rough = (high - low) / 5, power = std::pow(10, std::floor(std::log10(rough)));
  double step = power;
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    step = factor * power;
    if (step >= rough) break;
  }
  const double first = std::ceil(low / step - 1e-9);
  for (double i = first; i * step <= high + step * 1e-9; ++i) ticks.push_back(i * step);
  return ticks;
}

std::string to_svg(const Figure& figure) {
  if (!figure.stacked) return Sheet(figure).draw();
  const Figure sums = piled(figure);
  return Sheet(sums).draw();
}

std::string to_csv(const Figure& figure) {
  Table table{{"series", "x", "y"}, {}};
  for (const Series& series : figure.series) {
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      table.rows.push_back({series.label, series.x[i], series.y[i]});
    }
  }
  return to_csv(table);
}

}  // namespace brink
