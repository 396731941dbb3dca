// Lists of dense page numbers, as 32-bit links in one array that several lists share: a page is on
// one of them at most. Used by: the policies.
#pragma once

#include <cstdint>
#include <vector>

namespace brink::cache {

inline constexpr std::uint32_t kNobody = 0xffffffffu;

/// State of pages, a byte each, that a policy asks for before anything else.
inline void prefetch_state(const std::vector<std::uint8_t>& state, std::uint32_t page) {
  __builtin_prefetch(&state[page], 1);
}

/// Links of pages 0 .. pages-1, and behind them one anchor for each list.
class Lists {
 public:
  Lists(std::uint32_t pages, std::uint32_t lists) : pages_(pages), links_(pages + lists) {
    for (std::uint32_t list = 0; list < lists; ++list)
      links_[pages + list] = {pages + list, pages + list};
    sizes_.resize(lists);
  }

  std::uint32_t size(std::uint32_t list) const { return sizes_[list]; }
  bool empty(std::uint32_t list) const { return sizes_[list] == 0; }
  /// The page entered first, or last moved to the front longest ago; kNobody when empty.
  std::uint32_t back(std::uint32_t list) const { return page(links_[pages_ + list].before); }
  std::uint32_t front(std::uint32_t list) const { return page(links_[pages_ + list].after); }
  /// The neighbour towards the front; kNobody at the front.
  std::uint32_t towards_front(std::uint32_t of) const { return page(links_[of].before); }

  /// The processor is told to fetch what a later call on the page will touch first ...
  void prefetch(std::uint32_t page) const { __builtin_prefetch(&links_[page], 1); }
  /// ... and, once that is there, its neighbours, which taking it out touches.
  void prefetch_neighbours(std::uint32_t page) const {
    const Link& at = links_[page];
    if (at.before == kNobody) return;
    __builtin_prefetch(&links_[at.before], 1);
    __builtin_prefetch(&links_[at.after], 1);
  }

  void push_front(std::uint32_t list, std::uint32_t page) {
    link(pages_ + list, page);
    ++sizes_[list];
  }
  void remove(std::uint32_t list, std::uint32_t page) {
    unlink(page);
    --sizes_[list];
  }
  /// The same, and `listed` knows it.
  std::uint32_t drop_back(std::uint32_t list) {
    const std::uint32_t page = pop_back(list);
    links_[page].before = kNobody;
    return page;
  }
  /// Is the page on a list? Only if every removal is a drop_back.
  bool listed(std::uint32_t page) const { return links_[page].before != kNobody; }
  void move_to_front(std::uint32_t list, std::uint32_t page) {
    unlink(page);
    link(pages_ + list, page);
  }
  std::uint32_t pop_back(std::uint32_t list) {
    const std::uint32_t page = back(list);
    remove(list, page);
    return page;
  }

 private:
  struct Link {
    std::uint32_t before = kNobody, after = kNobody;  ///< the one nearer to the front, to the back
  };

  std::uint32_t page(std::uint32_t index) const { return index < pages_ ? index : kNobody; }
  void link(std::uint32_t anchor, std::uint32_t page) {
    const std::uint32_t first = links_[anchor].after;
    links_[page] = {anchor, first};
    links_[first].before = page;
    links_[anchor].after = page;
  }
  void unlink(std::uint32_t page) {
    const Link at = links_[page];
    links_[at.before].after = at.after;
    links_[at.after].before = at.before;
  }

  std::uint32_t pages_;
  std::vector<Link> links_;
  std::vector<std::uint32_t> sizes_;
};

}  // namespace brink::cache
