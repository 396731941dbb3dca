// What a violation needs, by deletion: arguments of one line each.
#include "solver/for_all/explain.h"

#include <gtest/gtest.h>

#include "tests/unit/solver/models.h"

namespace brink::solver {
namespace {

using Names = std::vector<std::string>;

Explanation explained(const std::string& text, const std::string& property) {
  auto file = parse_model(make_source("test.prism", text));
  auto model = instantiate(*file, {}, {});
  const PropertySet set = testing::properties_of(*model, property);
  Limits limits;
  limits.seconds = 20;
  return explain_violation(ask(set, set.properties.front()), limits);
}

/// Growth needs free > 2, and reclaim stops at 2.
const char* const stuck = R"(mdp
module cache
  free : [0..5] init 5;
  buf : [0..5] init 0;
  page : [0..5] init 0;
  [grow] free>2 & free>0 -> (free'=free-1)&(buf'=buf+1);
  [read] free>0 -> (free'=free-1)&(page'=page+1);
  [reclaim] page>0 & free<2 -> (page'=page-1)&(free'=free+1);
endmodule
)";

TEST(Explain, TheGuardsToBlame) {
  const Explanation out = explained(stuck, "A [ G (E [ F buf>=1 ]) ]");
  // Only reading fills memory before a buffer exists.
  EXPECT_EQ(out.needed, Names{"read"});
  EXPECT_EQ(out.enough, Names{"read"});
  // Without the guard growth goes on to the last page; without the stop reclaim frees a third.
  ASSERT_EQ(out.blamed.size(), 2u);
  EXPECT_NE(out.blamed[0].find("in grow"), std::string::npos) << out.blamed[0];
  EXPECT_NE(out.blamed[0].find('2'), std::string::npos) << out.blamed[0];
  EXPECT_NE(out.blamed[1].find("in reclaim"), std::string::npos) << out.blamed[1];
  EXPECT_EQ(out.skipped, 0u);
}

TEST(Explain, TwoWaysNeitherNeeded) {  // either of two commands alone reaches x = 2
  const Explanation out = explained(R"(mdp
module m
  x : [0..2] init 0;
  [a] x<2 -> (x'=x+1);
  [b] x<2 -> (x'=x+1);
  [c] x>0 -> (x'=x-1);
endmodule
)",
                                    "A [ G x<2 ]");
  EXPECT_TRUE(out.needed.empty());
  EXPECT_EQ(out.enough, Names{"b"});
}

}  // namespace
}  // namespace brink::solver
