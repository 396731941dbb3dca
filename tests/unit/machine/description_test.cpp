#include <functional>

#include "tests/unit/machine/rigs.h"

namespace brink::machine {
namespace {

std::string error_of(const Rig& rig) {
  auto made = make_machine(rig.machine, rig.kernel, rig.tunables, rig.script, 1);
  return made ? "" : made.error().message();
}

TEST(Tunables, EveryMissingOneIsNamed) {
  for (const KernelRow& row : kernel_rows()) {
    const Rig rig = rig_of(row.name);
    ASSERT_EQ(error_of(rig), "") << row.name;
    for (const TunableRow& tunable : row.tunables) {
      Rig without = rig;
      without.tunables.erase(std::string(tunable.name));
      const bool optional = tunable.initial != TunableRow::kMustBeGiven;
      EXPECT_EQ(error_of(without).find("tunable " + std::string(tunable.name) + ": not given"),
                optional ? std::string::npos : 0)
          << tunable.name;
      Rig negative = rig;
      negative.tunables[std::string(tunable.name)] = -1;
      EXPECT_NE(error_of(negative).find("tunable " + std::string(tunable.name) + ": -1 is not"),
                std::string::npos)
          << tunable.name;
    }
  }
}

TEST(Tunables, UnknownAndContradictoryOnesAreNamed) {
  Rig rig = rig_1378();
  rig.tunables["nfrakt"] = 25;
  EXPECT_EQ(error_of(rig), "tunable nfrakt: unknown tunable `nfrakt`: `nfract`?");
  rig = rig_1378();
  rig.tunables["low"] = 65;
  EXPECT_EQ(error_of(rig), "tunable low: must not exceed high");
  rig = rig_2001("readfiles d 1 MB");
  rig.tunables["min_normal"] = 511;
  EXPECT_EQ(error_of(rig), "tunable min_normal: must not exceed low_normal");
  rig = rig_1378();
  rig.kernel = "linux-1.3.77";
  EXPECT_EQ(error_of(rig), "kernel: unknown kernel `linux-1.3.77`: `linux-1.3.78`?");
}

TEST(Description, EveryParameterHasItsLimits) {
  for (const ParameterRow& row : parameter_rows()) {
    Rig rig = row.files ? rig_1378() : row.device ? rig_2001("readfiles d 1 MB") : rig_2002("sync");
    rig.machine.*row.member = row.least - 1;
    EXPECT_NE(error_of(rig).find("machine " + std::string(row.name)), std::string::npos)
        << row.name << ": " << error_of(rig);
    rig.machine.*row.member = row.most + 1;
    EXPECT_NE(error_of(rig).find("machine " + std::string(row.name)), std::string::npos)
        << row.name << ": " << error_of(rig);
  }
}

TEST(Description, PartsMustFitTogether) {
  const auto with = [](Rig rig, const std::function<void(MachineDescription&)>& change) {
    change(rig.machine);
    return error_of(rig);
  };
  const Rig files = rig_1378();
  const Rig device = rig_2001("readfiles d 1 MB");
  EXPECT_NE(with(files, [](auto& m) { m.memory_bytes = m.reserved_bytes; }).find("memory_bytes"),
            std::string::npos);
  EXPECT_NE(with(files, [](auto& m) { m.block_bytes = 3000; }).find("block_bytes"),
            std::string::npos);
  EXPECT_NE(with(files, [](auto& m) { m.pin_buffer_pages = 3000; }).find("pin_buffer_pages"),
            std::string::npos);
  EXPECT_NE(with(files, [](auto& m) { m.pin_buffer_pages = 12; }).find("pin_buffer_pages"),
            std::string::npos);
  EXPECT_NE(with(device, [](auto& m) { m.dma_bytes = std::int64_t{1} << 30; }).find("dma_bytes"),
            std::string::npos);
  EXPECT_NE(with(device, [](auto& m) { m.other_lowmem_pages = 300'000; }).find("other_lowmem"),
            std::string::npos);
  EXPECT_NE(with(device, [](auto& m) { m.memory_bytes = 40 << 20; }).find("reserved"),
            std::string::npos);
}

TEST(Description, ParametersAreSetByName) {
  MachineDescription m;
  for (const ParameterRow& row : parameter_rows()) {
    ASSERT_TRUE(set_parameter(m, row.name, 7)) << row.name;
    EXPECT_EQ(m.*row.member, 7);
  }
  const auto wrong = set_parameter(m, "disk_rate_bytes_per_S", 1);
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message().find("`disk_rate_bytes_per_s`?"), std::string::npos);
}

}  // namespace
}  // namespace brink::machine
