// Small caches: exact values by three ways, against LINE 3.0.4, icarus, Flajolet and recomputed
// chains.
#include "analytic/caching/exact.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "analytic/caching/characteristic.h"
#include "analytic/caching/popularity.h"

namespace brink::caching {
namespace {

struct Small {
  std::size_t pages, size;
  double alpha, lru, fifo, clock, che, mean_field;
};

// The first row's RANDOM is published by LINE (its Markov chain and its fixed point); LRU, CLOCK
// and the others are chains recomputed outside of Brink.
constexpr Small kSmall[] = {
    {5, 2, 1.4, 0.616626725444, 0.590395995583, 0.613301933715, 0.608234867282, 0.556350480242},
    {5, 2, 0.8, 0.477098307876, 0.467213862978, 0.477573418997, 0.471040882437, 0.453783031621},
    {5, 3, 0.8, 0.678334584565, 0.660566340141, 0.675857816266, 0.677366557212, 0.650344245266},
    {6, 3, 1.0, 0.637815028476, 0.611273080661, 0.63676003453, 0.636158831696, 0.595694076381},
};

TEST(ExactCaches, SmallZipf) {
  for (const Small& at : kSmall) {
    const Popularity popularity = zipf(at.pages, at.alpha);
    const auto p = pages_of(popularity);
    EXPECT_NEAR(lru_hit_exact(p, at.size), at.lru, 1e-9);
    EXPECT_NEAR(random_hit_exact(p, at.size), at.fifo, 1e-9);
    EXPECT_NEAR(chain_hit(SmallPolicy::lru, p, at.size)->hit, at.lru, 1e-9);
    EXPECT_NEAR(chain_hit(SmallPolicy::fifo, p, at.size)->hit, at.fifo, 1e-9);
    EXPECT_NEAR(chain_hit(SmallPolicy::random, p, at.size)->hit, at.fifo, 1e-9);
    EXPECT_NEAR(chain_hit(SmallPolicy::clock, p, at.size)->hit, at.clock, 1e-9);
    EXPECT_NEAR(lru(popularity, static_cast<double>(at.size)).hit, at.che, 1e-9);
    EXPECT_NEAR(fifo(popularity, static_cast<double>(at.size)).hit, at.mean_field, 1e-9);
    EXPECT_NEAR(clock(popularity, static_cast<double>(at.size)).hit, at.clock, 0.014);
  }
}

TEST(ExactCaches, StatesOfTheChains) {
  const auto p = pages_of(zipf(5, 1.4));
  EXPECT_EQ(chain_hit(SmallPolicy::lru, p, 2)->states, 26u);     // 1 + 5 + 20
  EXPECT_EQ(chain_hit(SmallPolicy::random, p, 2)->states, 16u);  // 1 + 5 + 10
  EXPECT_EQ(chain_hit(SmallPolicy::clock, p, 2)->states, 91u);   // 1 + 5 * 2 + 20 * 4
  EXPECT_FALSE(chain_hit(SmallPolicy::clock, p, 3, 100));
}

TEST(ExactCaches, UniformIsTheShare) {  // C / n for every demand policy
  const std::vector<double> p(5, 0.2);
  for (const SmallPolicy policy :
       {SmallPolicy::random, SmallPolicy::fifo, SmallPolicy::lru, SmallPolicy::clock})
    EXPECT_NEAR(chain_hit(policy, p, 2)->hit, 0.4, 1e-9);
  EXPECT_NEAR(lru_hit_exact(p, 2), 0.4, 1e-9);
}

TEST(ExactCaches, TwoLists) {  // LINE's example m = [2,1]: 1.426764538 / 1.99999992
  const auto p = pages_of(zipf(5, 1));
  EXPECT_NEAR(lists_chain_hit(true, p, {2, 1})->hit, 0.713382297535, 1e-6);
  EXPECT_NEAR(lists_chain_hit(false, p, {2, 1})->hit, 0.724306092055, 1e-9);
}

TEST(ExactCaches, LargerAgainstFormulas) {  // errors of the formulas, as measured elsewhere
  const struct {
    std::size_t pages, size;
    double alpha, exact, che, random, mean_field;
  } cases[] = {
      {100, 5, 0.8, 0.148832318246, 0.147145409394, 0.139308896825, 0.136102223011},
      {100, 10, 1.0, 0.397802436546, 0.39762886424, 0.350043716028, 0.344632758783},
      {200, 20, 1.0, 0.464431511229, 0.464610045551, 0.407297866525, 0.404336246584},
      {200, 50, 1.2, 0.791234744452, 0.791350946752, 0.739184573542, 0.738023557108},
  };
  for (const auto& at : cases) {
    const Popularity popularity = zipf(at.pages, at.alpha);
    const auto p = pages_of(popularity);
    const auto hits = lru_hits_exact(p);
    EXPECT_NEAR(hits[at.size], at.exact, 1e-7);  // the other quadrature has seven digits
    double misses = 0;                           // all sizes together have a closed form
    for (const double hit : hits) misses += 1 - hit;
    EXPECT_NEAR(misses / mean_stack_distance(p), 1, 1e-10);
    EXPECT_NEAR(random_hit_exact(p, at.size), at.random, 1e-9);
    EXPECT_NEAR(lru(popularity, static_cast<double>(at.size)).hit, at.che, 1e-9);
    EXPECT_NEAR(fifo(popularity, static_cast<double>(at.size)).hit, at.mean_field, 1e-9);
  }
}

TEST(ExactCaches, Icarus) {  // its test: Che T in [72.1, 72.3], Fagin in [71.8, 72], hit [.63, .66]
  const Popularity popularity = zipf(100, 0.8);
  EXPECT_NEAR(lru(popularity, 40).times[0], 72.2109216381, 1e-7);
  EXPECT_NEAR(lru_fagin(popularity, 40).times[0], 71.8989778467, 1e-7);
  EXPECT_NEAR(lru_fagin(popularity, 40).hit, 0.646082438705, 1e-9);
  EXPECT_NEAR(lru_hit_exact(pages_of(popularity), 40), 0.645220317, 1e-8);
}

TEST(ExactCaches, StackDistance) {  // McCabe 1965
  const auto p = pages_of(zipf(5, 1));
  EXPECT_NEAR(mean_stack_distance(p), 2.61035801182, 1e-9);
  EXPECT_NEAR(mean_stack_distance(pages_of(zipf(50, 0.8))), 18.3093881817, 1e-8);
  double misses = 0;
  for (const double hit : lru_hits_exact(p)) misses += 1 - hit;
  EXPECT_NEAR(misses, 2.61035801182, 1e-8);
}

TEST(ExactCaches, CouponsAndBirthdays) {  // Flajolet, Gardy & Thimonier 1992
  const std::vector<double> days(365, 1 / 365.);
  EXPECT_NEAR(collect_all(days), 2364.64602, 1e-4);
  EXPECT_NEAR(first_repeat(days), 24.61658, 1e-4);
}

}  // namespace
}  // namespace brink::caching
