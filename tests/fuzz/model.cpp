// Model texts: read, built, printed, read again, and the first state expanded.
#include "models/language/instantiate.h"
#include "models/language/parser.h"
#include "models/language/printer.h"
#include "models/semantics/evaluator.h"
#include "tests/fuzz/fuzz.h"

using namespace brink;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = parse_model(make_source("fuzz.prism", fuzz::text_of(data, size)));
  if (!file) return fuzz::check_refusal(file.error()), 0;
  const std::string printed = print(*file);
  const auto again = parse_model(make_source("printed.prism", printed));
  BRINK_CHECK(again && print(*again) == printed, "print is no fixed point");
  ConstantValues values;
  for (const std::string& name : undefined_constants(*file)) values[name] = std::int64_t{1};
  InstantiateOptions options;
  options.limits = {.expressions = 100'000, .command_parts = 100'000, .reading = 1'000'000};
  const auto model = instantiate(*file, values, options);
  if (!model) return fuzz::check_refusal(model.error()), 0;
  BRINK_CHECK(!print(**model).empty());
  if ((*model)->init) return 0;  // enumerating initial states may take as long as it takes
  Evaluator evaluator(*model);
  for_each_initial_state(**model, [&](std::span<const std::int64_t> state) {
    Expansion expansion;
    if (const auto error = evaluator.successors(state, expansion)) {
      fuzz::check_refusal({to_diagnostic(*error, **model)});
    }
    return false;
  });
  return 0;
}
