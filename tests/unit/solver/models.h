// Models as text, shared by the tests of solver/.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "models/language/instantiate.h"
#include "models/language/parser.h"
#include "models/language/property.h"
#include "solver/engines.h"

namespace brink::solver::testing {

inline ModelPtr model_of(const std::string& text, const ConstantValues& values = {}) {
  auto file = parse_model(make_source("test.prism", text));
  if (!file) {
    ADD_FAILURE() << render(file.error()) << text;
    return nullptr;
  }
  auto model = instantiate(*file, values);
  if (!model) {
    ADD_FAILURE() << render(model.error()) << text;
    return nullptr;
  }
  return *model;
}

inline PropertySet properties_of(const ModelPtr& model, const std::string& text) {
  auto file = parse_properties(make_source("test.props", text));
  if (!file) {
    ADD_FAILURE() << render(file.error()) << text;
    return {};
  }
  auto set = check_properties(*file, model);
  if (!set) {
    ADD_FAILURE() << render(set.error()) << text;
    return {};
  }
  for (const Property& property : set->properties)
    if (!property.errors.empty()) ADD_FAILURE() << render(property.errors) << text;
  return *set;
}

/// One property on one model by one engine.
inline CheckResult run(const ModelPtr& model, const std::string& property,
                       std::string_view engine = "explicit", CheckOptions options = {}) {
  const PropertySet set = properties_of(model, property);
  if (set.properties.empty()) return {};
  Session session(model, options);
  return check(session, ask(set, set.properties.front()), engine);
}

/// Page frames shared by buffer cache, page cache, anonymous memory and write-back (design.md).
inline const char* const page_frames = R"(mdp
const int N;
const int fix;
const int MIN = floor(N/8);
const int DMAX = floor(N/4);
const int HALF = floor(N/2);
const int KGOAL = floor(N/8);
module frames
  free : [0..N] init N;
  buf : [0..N] init 0;
  page : [0..N] init 0;
  anon : [0..N] init 0;
  dirty : [0..N] init 0;
  wb : [0..N] init 0;
  [read] free>0 -> (free'=free-1)&(page'=page+1);
  [steal] free<=MIN & buf>0 -> (buf'=buf-1)&(page'=page+1);
  [bgrow] free>MIN -> (free'=free-1)&(buf'=buf+1);
  [bshrink] free<MIN & buf>0 -> (buf'=buf-1)&(free'=free+1);
  [write] page>0 & dirty+wb<DMAX -> (page'=page-1)&(dirty'=dirty+1);
  [wbstart] dirty>0 -> (dirty'=dirty-1)&(wb'=wb+1);
  [wbend] wb>0 -> (wb'=wb-1)&(page'=page+1);
  [reclaim] free<MIN & page>0 -> (page'=page-1)&(free'=free+1);
  [fault] free>0 -> (free'=free-1)&(anon'=anon+1);
  [swapout] free<MIN & anon>0 -> (anon'=anon-1)&(free'=free+1);
  [exit] fix=0 & free>=MIN & anon>0 -> (anon'=anon-1)&(page'=page+1);
  [exitfix] fix=1 & anon>0 -> (anon'=anon-1)&(free'=free+1);
endmodule
)";

inline ModelPtr frames(std::int64_t n, std::int64_t fix) {
  return model_of(page_frames, {{"N", n}, {"fix", fix}});
}

/// The batch of two may push free beyond N when bug=1.
inline const char* const batch_reclaim = R"(mdp
const int N;
const int bug;
module reclaim
  free : [0..N] init N;
  [alloc] free>0 -> (free'=free-1);
  [batch] free<N & (bug=1 | free<N-1) -> (free'=free+2);
endmodule
)";

}  // namespace brink::solver::testing
