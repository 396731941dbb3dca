#include "analytic/caching/hull.h"

#include <algorithm>

#include "models/base/check.h"

namespace brink::caching {

std::vector<HullPoint> lower_hull(std::vector<HullPoint> curve) {
  std::sort(curve.begin(), curve.end(),
            [](const HullPoint& a, const HullPoint& b) { return a.size < b.size; });
  std::vector<HullPoint> hull;
  for (const HullPoint& point : curve) {
    while (hull.size() >= 2) {
      const HullPoint &a = hull[hull.size() - 2], &b = hull.back();
      if ((b.miss - a.miss) * (point.size - a.size) < (point.miss - a.miss) * (b.size - a.size))
        break;
      hull.pop_back();
    }
    hull.push_back(point);
  }
  return hull;
}

double hull_at(const std::vector<HullPoint>& hull, double size) {
  BRINK_CHECK(!hull.empty());
  for (std::size_t i = 1; i < hull.size(); ++i) {
    if (size > hull[i].size) continue;
    const HullPoint &a = hull[i - 1], &b = hull[i];
    return a.miss + (b.miss - a.miss) * (size - a.size) / (b.size - a.size);
  }
  return hull.back().miss;
}

HullGap hull_gap(const std::vector<HullPoint>& curve) {
  const std::vector<HullPoint> hull = lower_hull(curve);
  HullGap out;
  for (const HullPoint& point : curve) {
    const double gap = point.miss - hull_at(hull, point.size);
    if (gap > out.gap) out = {point.size, gap};
  }
  return out;
}

}  // namespace brink::caching
