// The lower convex hull of a curve of misses over sizes, and the gap to it. Talus (Beckmann &
// Sanchez, HPCA 2015) reaches the hull by splitting the references between two caches, so the gap
// is what a cliff costs. Used by: brink cache --predict, tests.
#pragma once

#include <vector>

namespace brink::caching {

struct HullPoint {
  double size, miss;
};

/// The hull of the points (any order, sizes different), by increasing size.
std::vector<HullPoint> lower_hull(std::vector<HullPoint> curve);
/// The hull at a size, between its ends.
double hull_at(const std::vector<HullPoint>& hull, double size);

struct HullGap {
  double size = 0, gap = 0;  ///< where the curve is highest above its hull, and by how much
};
HullGap hull_gap(const std::vector<HullPoint>& curve);

}  // namespace brink::caching
