// What the tests of export share: models from text, and a job for them.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "experiments/export/export.h"
#include "models/language/instantiate.h"
#include "models/language/parser.h"

namespace brink::exports {

inline ModelPtr model_of(const std::string& text) {
  const auto file = parse_model(make_source("dir/test.prism", text));
  EXPECT_TRUE(file) << render(file ? Diagnostics{} : file.error());
  const auto model = instantiate(*file);
  EXPECT_TRUE(model) << render(model ? Diagnostics{} : model.error());
  return *model;
}

/// A job with its property set kept alive.
struct Asked {
  std::unique_ptr<PropertySet> set;
  Job job;
};

/// All properties of `properties` are asked for, as by the user.
inline Asked ask(const std::string& model, const std::string& properties = "") {
  Asked out;
  out.job.model = model_of(model);
  if (properties.empty()) return out;
  const auto file = parse_properties(make_source("test.props", properties));
  EXPECT_TRUE(file) << render(file ? Diagnostics{} : file.error());
  auto set = check_properties(*file, out.job.model);
  EXPECT_TRUE(set) << render(set ? Diagnostics{} : set.error());
  out.set = std::make_unique<PropertySet>(std::move(*set));
  out.job.properties = out.set.get();
  out.job.chosen = true;
  for (const Property& property : out.set->properties) out.job.asked.push_back(&property);
  return out;
}

inline Exported written(std::string_view format, const Asked& asked) {
  const auto outcome = find_format(format)->write(asked.job);
  EXPECT_TRUE(outcome) << render(outcome ? Diagnostics{} : outcome.error());
  return outcome ? *outcome : Exported{};
}

/// The first error, "" when there is none.
inline std::string refusal(std::string_view format, const Asked& asked) {
  const auto outcome = find_format(format)->write(asked.job);
  return outcome ? "" : outcome.error().front().message;
}

inline std::size_t occurrences(std::string_view text, std::string_view word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++count;
  return count;
}

/// Two modules that move together, a free move, a bool: 3 * 2 * 2 values, of which 10 are reached.
inline constexpr const char* kPair = R"(mdp
module a
  x : [0..2] init 0;
  [go] x < 2 -> (x'=x+1);
  [back] x = 2 -> (x'=0);
endmodule
module b
  y : bool init false;
  z : [-1..0] init -1;
  [go] !y -> (y'=true);
  [] y -> (y'=false) & (z'=-1-z);
endmodule
)";

}  // namespace brink::exports
