#include "experiments/figures/figure.h"

#include <gtest/gtest.h>

#include <cmath>

namespace brink {
namespace {

Figure sample() {
  Figure figure;
  figure.name = "cliff";
  figure.title = "a < b & c";
  figure.series = {{"predicted", true, {1, 2, 3}, {10, 5, 1}},
                   {"simulated", false, {1, 2}, {11, 4}}};
  return figure;
}

TEST(Svg, SameDataSameBytes) { EXPECT_EQ(to_svg(sample()), to_svg(sample())); }

TEST(Svg, EscapesText) {
  const std::string svg = to_svg(sample());
  EXPECT_NE(svg.find("a &lt; b &amp; c"), std::string::npos);
  EXPECT_EQ(svg.find("a < b"), std::string::npos);
}

TEST(Svg, DrawsEveryUsablePointAndNoOther) {
  Figure figure = sample();
  figure.log_y = true;
  figure.series[1].x = {1, 2, 3, 4};
  figure.series[1].y = {11, 0, std::nan(""), 4};  // 0 has no place on a log axis
  const std::string svg = to_svg(figure);
  std::size_t markers = 0;
  for (std::size_t at = svg.find("width=\"6.5\""); at != std::string::npos;
       at = svg.find("width=\"6.5\"", at + 1))
    ++markers;
  EXPECT_EQ(markers, 2u + 1u);  // two points and the legend
}

TEST(Svg, SaysWhenThereIsNothing) {
  Figure figure;
  EXPECT_NE(to_svg(figure).find("no data"), std::string::npos);
}

TEST(Ticks, AreNiceAndInside) {
  EXPECT_EQ(axis_ticks(0, 10, false), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(axis_ticks(0.1, 1000, true), (std::vector<double>{0.1, 1, 10, 100, 1000}));
}

TEST(Pdf, CreationDateIsReplacedAtTheSameLength) {
  const std::string pdf = "x /CreationDate (D:20260101120000+01'00) y";
  const std::string fixed = without_creation_date(pdf);
  EXPECT_EQ(fixed.size(), pdf.size());
  EXPECT_EQ(fixed.find("2026"), std::string::npos);
}

}  // namespace
}  // namespace brink
