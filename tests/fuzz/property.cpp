// Property files: read, printed, read again, and checked against a small model.
#include "models/language/property.h"

#include "models/language/codes.h"
#include "models/language/instantiate.h"
#include "models/language/parser.h"
#include "models/language/printer.h"
#include "tests/fuzz/fuzz.h"

using namespace brink;

namespace {

const ModelPtr& example() {
  static const ModelPtr model = [] {
    const auto file = parse_model(make_source("example.prism", std::string(kExampleModel)));
    return *instantiate(*file);
  }();
  return model;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = parse_properties(make_source("fuzz.props", fuzz::text_of(data, size)));
  if (!file) return fuzz::check_refusal(file.error()), 0;
  const std::string printed = print(*file);
  const auto again = parse_properties(make_source("printed.props", printed));
  BRINK_CHECK(again && print(*again) == printed, "print is no fixed point");
  ConstantValues values;
  for (const std::string& name : undefined_constants(*file)) values[name] = std::int64_t{1};
  const auto set = check_properties(*file, example(), values);
  if (!set) return fuzz::check_refusal(set.error()), 0;
  for (const Property& property : set->properties) {
    if (!property.errors.empty()) {
      fuzz::check_refusal(property.errors);
    } else {
      BRINK_CHECK(!print(*set, property.root).empty());
    }
    expected_result(*set, property);
  }
  return 0;
}
