// Links: several ordered lists over the same dense items, as 32-bit links in arrays.
//
// Users: buffer lists (1.3 kernels), the page lists of the 2.4 kernel. An item is on one list or on
// none. All operations take constant time; order is real: front is the oldest by convention.
#pragma once

#include <cstdint>
#include <vector>

namespace brink::machine {

class Links {
 public:
  static constexpr std::int32_t none = -1;

  Links(std::int32_t items, int lists)
      : next_(static_cast<std::size_t>(items) + lists),
        previous_(static_cast<std::size_t>(items) + lists),
        list_of_(static_cast<std::size_t>(items), none),
        counts_(static_cast<std::size_t>(lists), 0),
        items_(items) {
    for (std::int32_t anchor = items; anchor < items + lists; ++anchor) {
      next_[anchor] = previous_[anchor] = anchor;
    }
  }

  /// List the item is on, or `none`.
  int list_of(std::int32_t item) const { return list_of_[item]; }
  std::int32_t count(int list) const { return counts_[list]; }

  /// First (oldest) and last item of a list, and neighbours; `none` past the ends.
  std::int32_t front(int list) const { return item(next_[items_ + list]); }
  std::int32_t back(int list) const { return item(previous_[items_ + list]); }
  std::int32_t after(std::int32_t of) const { return item(next_[of]); }

  void push_back(int list, std::int32_t item) {
    link(list, item, previous_[items_ + list], items_ + list);
  }
  /// Puts the item where the oldest is.
  void push_front(int list, std::int32_t item) {
    link(list, item, items_ + list, next_[items_ + list]);
  }
  void remove(std::int32_t item) {
    next_[previous_[item]] = next_[item];
    previous_[next_[item]] = previous_[item];
    --counts_[list_of_[item]];
    list_of_[item] = none;
  }

  /// Moves all items from the first to `last` to the end, in their order, by moving the list's
  /// anchor behind `last`: the items in between are not touched.
  void rotate_past(int list, std::int32_t last) {
    const std::int32_t anchor = items_ + list;
    next_[previous_[anchor]] = next_[anchor];
    previous_[next_[anchor]] = previous_[anchor];
    next_[anchor] = next_[last];
    previous_[anchor] = last;
    previous_[next_[anchor]] = anchor;
    next_[last] = anchor;
  }

 private:
  std::int32_t item(std::int32_t link) const { return link < items_ ? link : none; }
  void link(int list, std::int32_t item, std::int32_t before, std::int32_t behind) {
    next_[before] = item;
    previous_[item] = before;
    next_[item] = behind;
    previous_[behind] = item;
    list_of_[item] = list;
    ++counts_[list];
  }

  std::vector<std::int32_t> next_, previous_;
  std::vector<std::int32_t> list_of_;
  std::vector<std::int32_t> counts_;
  std::int32_t items_;
};

}  // namespace brink::machine
