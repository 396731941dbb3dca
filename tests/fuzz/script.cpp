// Workload scripts of the machine, for both families of kernels.
#include "models/workloads/script.h"

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = brink::fuzz::text_of(data, size);
  for (const auto family : {brink::machine::Family::files, brink::machine::Family::device,
                            brink::machine::Family::paging}) {
    const auto script = brink::machine::parse_script(text, family);
    if (!script) {
      BRINK_CHECK(!script.error().message().empty());
    }
  }
  return 0;
}
