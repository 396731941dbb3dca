// Policies against textbook reference strings, against naive copies of their definitions, and
// against each other.
#include "models/cache/policies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <map>
#include <random>

#include "models/cache/pattern.h"
#include "models/cache/stack_distance.h"

namespace brink::cache {
namespace {

PageTrace trace_of(const std::vector<int>& names) {
  PageTrace out;
  PageNumbers numbers;
  for (const int name : names) out.pages.push_back(numbers(static_cast<std::uint64_t>(name)));
  out.distinct = numbers.size();
  return out;
}

std::uint64_t misses(std::string_view policy, const PageTrace& trace, std::uint32_t size) {
  const PolicyRow* const row = find_policy(policy);
  EXPECT_NE(row, nullptr) << policy;
  return row == nullptr ? 0 : row->run(trace, size).all;
}

// Belady, Nelson & Shedler 1969: FIFO misses more with four frames than with three.
TEST(Policies, BeladysAnomaly) {
  const PageTrace trace = trace_of({1, 2, 3, 4, 1, 2, 5, 1, 2, 3, 4, 5});
  EXPECT_EQ(misses("fifo", trace, 3), 9u);
  EXPECT_EQ(misses("fifo", trace, 4), 10u);
  EXPECT_EQ(misses("lru", trace, 3), 10u);
  EXPECT_EQ(misses("lru", trace, 4), 8u);
  EXPECT_EQ(misses("opt", trace, 3), 7u);
  EXPECT_EQ(misses("opt", trace, 4), 6u);
  EXPECT_EQ(misses("clock", trace, 3), 10u);
  EXPECT_EQ(misses("clock", trace, 4), 8u);
}

// Silberschatz, Galvin & Gagne, Operating System Concepts, chapter Virtual Memory: three frames.
TEST(Policies, TextbookString) {
  const PageTrace trace = trace_of({7, 0, 1, 2, 0, 3, 0, 4, 2, 3, 0, 3, 2, 1, 2, 0, 1, 7, 0, 1});
  EXPECT_EQ(misses("fifo", trace, 3), 15u);
  EXPECT_EQ(misses("opt", trace, 3), 9u);
  EXPECT_EQ(misses("lru", trace, 3), 12u);
  EXPECT_EQ(misses("clock", trace, 3), 11u);
}

// A cyclic scan of n pages is LRU's worst case: below n every reference misses. The optimum keeps
// C - 1 of them and misses n - C + 1 or fewer a round; the totals are those of a published run over
// the LIRS trace "loop" (1011 pages, 500 rounds) and of "scan" (2001 pages, 25 rounds).
TEST(Policies, CyclicScans) {
  const auto loop = make_pattern("cyclic:pages=1011,requests=505500");
  ASSERT_TRUE(loop);
  for (const char* policy : {"fifo", "clock", "lru"})
    for (const std::uint32_t size : {250u, 900u, 1010u})
      EXPECT_EQ(misses(policy, *loop, size), 505500u) << policy;
  EXPECT_EQ(misses("lru", *loop, 1011), 1011u);
  const auto scan = make_pattern("cyclic:pages=2001,requests=50025");
  ASSERT_TRUE(scan);
  EXPECT_EQ(misses("lru", *scan, 2000), 50025u);
  EXPECT_EQ(misses("opt", *scan, 500), 38025u);
  EXPECT_EQ(misses("opt", *scan, 1000), 26025u);
  EXPECT_EQ(misses("opt", *scan, 2000), 2025u);
}

PageTrace random_trace(std::mt19937& random, int pages, int requests) {
  std::vector<int> names;
  for (int i = 0; i < requests; ++i) {
    // A few hot pages, some runs, and noise.
    if (!names.empty() && random() % 3 == 0)
      names.push_back((names.back() + 1) % pages);
    else
      names.push_back(static_cast<int>(random() % (random() % 2 == 0 ? 8u : pages)));
  }
  return trace_of(names);
}

// The definitions, as plainly as they can be written.

std::uint64_t plain_lru(const PageTrace& trace, std::size_t size) {
  std::list<std::uint32_t> order;
  std::uint64_t out = 0;
  for (const std::uint32_t page : trace.pages) {
    const auto at = std::find(order.begin(), order.end(), page);
    if (at != order.end())
      order.erase(at);
    else if (++out; order.size() == size)
      order.pop_back();
    order.push_front(page);
  }
  return out;
}

std::uint64_t plain_second_chance(const PageTrace& trace, std::size_t size) {
  std::list<std::pair<std::uint32_t, bool>> queue;  // oldest first
  std::uint64_t out = 0;
  for (const std::uint32_t page : trace.pages) {
    const auto at =
        std::find_if(queue.begin(), queue.end(), [&](auto& e) { return e.first == page; });
    if (at != queue.end()) {
      at->second = true;
      continue;
    }
    ++out;
    while (queue.size() == size) {
      const auto oldest = queue.front();
      queue.pop_front();
      if (oldest.second) queue.emplace_back(oldest.first, false);
    }
    queue.emplace_back(page, false);
  }
  return out;
}

std::uint64_t plain_2q(const PageTrace& trace, std::size_t size) {
  std::list<std::uint32_t> in, out, main;
  const auto take = [](std::list<std::uint32_t>& list, std::uint32_t page) {
    const auto at = std::find(list.begin(), list.end(), page);
    if (at == list.end()) return false;
    list.erase(at);
    return true;
  };
  std::uint64_t missed = 0;
  for (const std::uint32_t page : trace.pages) {
    if (std::find(in.begin(), in.end(), page) != in.end()) continue;
    if (take(main, page)) {
      main.push_front(page);
      continue;
    }
    ++missed;
    const bool remembered = take(out, page);
    if (in.size() + main.size() == size) {
      if (in.size() > size / 4 || main.empty()) {
        if (size / 2 > 0) {
          if (out.size() == size / 2) out.pop_back();
          out.push_front(in.back());
        }
        in.pop_back();
      } else {
        main.pop_back();
      }
    }
    (remembered ? main : in).push_front(page);
  }
  return missed;
}

TEST(Policies, AgreeWithTheirDefinitions) {
  std::mt19937 random(7);
  for (int round = 0; round < 40; ++round) {
    const PageTrace trace = random_trace(random, 60, 800);
    for (const std::uint32_t size : {1u, 2u, 3u, 7u, 20u, 50u}) {
      EXPECT_EQ(misses("lru", trace, size), plain_lru(trace, size)) << size;
      EXPECT_EQ(misses("clock", trace, size), plain_second_chance(trace, size)) << size;
      EXPECT_EQ(misses("2q", trace, size), plain_2q(trace, size)) << size;
    }
  }
}

// No policy misses less than the optimum or less than once a page, or more than always; with room
// for everything all miss each page once; whatever is written down, they miss the same.
TEST(Policies, BoundsThatHoldForAll) {
  std::mt19937 random(8);
  for (int round = 0; round < 30; ++round) {
    PageTrace trace = random_trace(random, 80, 1000);
    for (const PolicyRow& row : policies()) {
      for (const std::uint32_t size : {1u, 2u, 5u, 9u, 30u, 79u}) {
        const Misses got = row.run(trace, size);
        EXPECT_GE(got.all, misses("opt", trace, size)) << row.name;
        EXPECT_LE(got.all, trace.requests()) << row.name;
        EXPECT_EQ(got.writes, 0u);
      }
      EXPECT_EQ(row.run(trace, trace.distinct).all, trace.distinct) << row.name;
      EXPECT_EQ(row.run(trace, 4'000'000'000u).all, trace.distinct) << row.name;
    }
    trace.writes.assign(trace.pages.size(), true);
    for (const PolicyRow& row : policies()) {
      const Misses got = row.run(trace, 9);
      EXPECT_EQ(got.all, got.writes) << row.name;
    }
  }
}

TEST(StackDistances, AgreeWithTheSimulationAtEverySize) {
  std::mt19937 random(9);
  for (int round = 0; round < 20; ++round) {
    PageTrace trace = random_trace(random, 50, 1500);  // renumbered many times
    for (std::size_t i = 0; i < trace.pages.size(); ++i) trace.writes.push_back(random() % 3 == 0);
    const StackDistances distances = stack_distances(trace);
    EXPECT_EQ(distances.cold, trace.distinct);
    for (std::uint32_t size = 1; size <= trace.distinct + 1; ++size) {
      const Misses direct = find_policy("lru")->run(trace, size);
      const Misses one_pass = distances.misses(size);
      ASSERT_EQ(one_pass.all, direct.all) << size;
      ASSERT_EQ(one_pass.writes, direct.writes) << size;
    }
  }
}

// LIRS by the example of its paper (section 3.3 in words): a loop slightly larger than the cache,
// where LRU misses always, keeps most of its pages.
TEST(Policies, LirsHoldsOnToALoop) {
  const auto loop = make_pattern("cyclic:pages=110,requests=110000");
  ASSERT_TRUE(loop);
  EXPECT_EQ(misses("lru", *loop, 100), 110000u);
  // 99 LIR pages stay, the eleven others miss in each of the 1000 rounds.
  EXPECT_EQ(misses("lirs", *loop, 100), 99u + 11u * 1000u);
}

// Two pages touched again and again and a scan: one that is activated stays, whatever is scanned.
TEST(Policies, TwoListsKeepWhatIsTouchedOften) {
  std::vector<int> names;
  for (int i = 0; i < 6; ++i) names.insert(names.end(), {1, 2});
  for (int i = 0; i < 1000; ++i) names.push_back(100 + i);
  names.insert(names.end(), {1, 2});
  const PageTrace trace = trace_of(names);
  EXPECT_EQ(misses("two-list", trace, 10), 1002u);
  EXPECT_EQ(misses("lru", trace, 10), 1004u);
}

TEST(Patterns, SayWhatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"cyclic:pages=10", "requests"},
      {"cyclic:pages=10,requests=5,seed=1", "seed"},
      {"cyclic:pages=0,requests=5", "1 to"},
      {"cyclic:pages=2.5,requests=5", "whole"},
      {"cyclic:pages=10,pages=11,requests=5", "twice"},
      {"zipf:pages=1e99,alpha=1,requests=5,seed=1", "whole"},
      {"zipf:pages=5,alpha=x,requests=5,seed=1", "not a number"},
      {"uniform:", "NAME=VALUE"},
  };
  for (const auto& [text, part] : cases) {
    const auto made = make_pattern(text);
    ASSERT_FALSE(made) << text;
    EXPECT_NE(made.error().find(part), std::string::npos) << made.error();
  }
  EXPECT_FALSE(is_pattern("cyclic"));
  EXPECT_FALSE(is_pattern("file.trace"));
}

// Zipf's law: page k is drawn with frequency k^-alpha / H; the hottest of 100 pages at alpha = 1 is
// 1 / H_100 = 0.19278 of the references (5 sigma at 200,000: 0.0044).
TEST(Patterns, ZipfHasItsFrequencies) {
  const auto trace = make_pattern("zipf:pages=100,alpha=1,requests=200000,seed=3");
  ASSERT_TRUE(trace);
  std::vector<int> count(trace->distinct, 0);
  for (const std::uint32_t page : trace->pages) ++count[page];
  std::sort(count.rbegin(), count.rend());
  EXPECT_NEAR(count[0] / 200000.0, 0.19278, 0.0044);
  EXPECT_NEAR(count[1] / 200000.0, 0.19278 / 2, 0.0035);
}

}  // namespace
}  // namespace brink::cache
