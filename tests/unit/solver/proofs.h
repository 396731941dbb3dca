// Shared by the tests of proofs: models of policies with constants left open.
#pragma once

#include "solver/for_all/instance.h"
#include "tests/unit/solver/models.h"

namespace brink::solver::testing {

/// A claim for all values of the constants named, under an assumption.
inline CheckResult for_all(const std::string& model_text, const std::string& property,
                           const std::vector<std::string>& symbolic, const std::string& assumption,
                           std::string_view engine = "auto", double seconds = 20) {
  auto file = parse_model(make_source("test.prism", model_text));
  EXPECT_TRUE(file.has_value());
  InstantiateOptions options;
  options.symbolic = symbolic;
  auto model = instantiate(*file, {}, options);
  EXPECT_TRUE(model.has_value()) << (model ? "" : render(model.error()));
  const PropertySet plain = properties_of(*model, property);
  auto set = with_assumptions(plain, {assumption});
  EXPECT_TRUE(set.has_value()) << (set ? "" : render(set.error()));
  CheckOptions check_options;
  check_options.limits.seconds = seconds;
  Session session(*model, check_options);
  return check(session, ask(*set, set->properties.front()), engine);
}

inline std::string notes_of(const CheckResult& result) {
  std::string out;
  for (const std::string& note : result.notes) out += note + "\n";
  return out;
}

/// A buffer cache that grows only above `guard`, and a reclaimer that stops at `high`: once memory
/// is full of pages, free memory never rises above high again.
inline const char* const buffer_guard = R"(mdp
const int N;
const int guard;
const int high;
module cache
  free : [0..N] init N;
  buf : [0..N] init 0;
  page : [0..N] init 0;
  [grow] free>guard -> (free'=free-1)&(buf'=buf+1);
  [read] free>0 -> (free'=free-1)&(page'=page+1);
  [reclaim] free<high & page>0 -> (page'=page-1)&(free'=free+1);
  [shrink] free<high & buf>0 -> (buf'=buf-1)&(free'=free+1);
endmodule
)";

/// Hysteresis between two marks, in batches of b.
inline const char* const hysteresis = R"(mdp
const int N;
const int low;
const int high;
const int b;
module reclaim
  free : [0..N] init N;
  on : bool init false;
  [alloc] free>0 -> (free'=free-1)&(on'=(on | free-1<low));
  [batch] on & free+b<=N -> (free'=free+b)&(on'=(free+b<high));
endmodule
)";

}  // namespace brink::solver::testing
