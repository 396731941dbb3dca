#include "models/workloads/script.h"

#include "tests/unit/machine/rigs.h"

namespace brink::machine {
namespace {

std::string error_of(std::string_view text, Family family = Family::files) {
  const auto script = parse_script(text, family);
  return script ? "" : script.error().message();
}

TEST(Script, UnitsAreMultipliedOut) {
  const auto script = parse_script(
      "write a 16 MiB\nwrite b 4MB; write c 1.5 KiB # comment\nwrite d 7 B", Family::files);
  ASSERT_TRUE(script) << script.error().message();
  ASSERT_EQ(script->statements.size(), 4u);
  EXPECT_EQ(script->statements[0].bytes, 16 * 1024 * 1024);
  EXPECT_EQ(script->statements[1].bytes, 4'000'000);
  EXPECT_EQ(script->statements[2].bytes, 1536);
  EXPECT_EQ(script->statements[3].bytes, 7);
}

TEST(Script, LoopsTimesAndTexts) {
  const auto script =
      parse_script("write a 1 KiB\nrepeat 3 {\n time copy a b ; sync\n}\nremove a", Family::files);
  ASSERT_TRUE(script) << script.error().message();
  ASSERT_EQ(script->statements.size(), 3u);
  const Statement& loop = script->statements[1];
  EXPECT_EQ(loop.count, 3);
  ASSERT_EQ(loop.body.size(), 2u);
  EXPECT_TRUE(loop.body[0].timed);
  EXPECT_EQ(loop.body[0].text, "copy a b");
  EXPECT_EQ(loop.body[0].line, 3);
  EXPECT_FALSE(loop.body[1].timed);
}

TEST(Script, Readfiles) {
  const auto script =
      parse_script("readfiles /dev/x until 808 MB; readfiles /dev/x for 1.5 s", Family::device);
  ASSERT_TRUE(script) << script.error().message();
  EXPECT_EQ(script->statements[0].bytes, 808'000'000);
  EXPECT_EQ(script->statements[1].duration, 1'500'000'000);
}

TEST(Script, ErrorsHaveTheirPlace) {
  EXPECT_EQ(error_of("write a 1 KiB\n  cpy a b"), "2:3: cpy: unknown statement `cpy`: `copy`?");
  EXPECT_EQ(error_of("write a 16"), "1:9: write: `16` needs a unit: B, KB, MB, GB, KiB, MiB, GiB");
  EXPECT_EQ(error_of("write a 16 mib"), "1:12: write: unknown unit `mib`: `MiB`?");
  EXPECT_EQ(error_of("read a"), "1:1: read a: no file `a` at this point");
  EXPECT_EQ(error_of("write a 1 B\nremove a\nread a"), "3:1: read a: no file `a` at this point");
  EXPECT_EQ(error_of("write a 1 B; repeat 2 { remove a }"),
            "1:25: remove a: no file `a` at this point");
  EXPECT_EQ(error_of("repeat 2 { sync"), "1:16: repeat: `}` is missing");
  EXPECT_EQ(error_of("sync }"), "1:6: script: `}` without `repeat`");
  EXPECT_EQ(error_of("sync now"), "1:6: sync: `now` is too much: sync");
  EXPECT_EQ(error_of("time"), "1:5: time: what is to be timed is missing");
  EXPECT_EQ(error_of("readfiles d"), "1:1: readfiles: this kernel has files, no raw devices");
  EXPECT_EQ(error_of("sync", Family::device), "1:1: sync: this kernel has raw devices, no files");
  EXPECT_EQ(error_of("write a 0 B"), "1:11: write: must lie between 1 and 4294967296 B");
  EXPECT_NE(error_of("write a 99999999999999999999 GiB"), "");
  EXPECT_NE(error_of("write a 1.2.3 GiB"), "");
  EXPECT_NE(error_of("repeat 0 { sync }"), "");
  EXPECT_NE(error_of("repeat 99999999 { sync }"), "");
  EXPECT_NE(error_of("write a 1 B; copy a a"), "");
  std::string deep;
  for (int i = 0; i < 10'000; ++i) deep += "repeat 1 { ";
  EXPECT_NE(error_of(deep).find("nested more than 16 deep"), std::string::npos);
}

TEST(Script, ProgramsSetsAndBenchmarks) {
  const auto script = parse_script(
      "program desktop 22 MiB text 8 MiB split 30 idle 75 % every 500 ms\n"
      "fileset mp3 200 3 MiB to 5 MiB; stream mp3; buffers 4 MiB; vmstat 10 s\n"
      "write t 16 MiB\n"
      "test Single_User_Test { work 200 s; repeat 2 { read t ; fetch t 40 } }\n"
      "set nfract 20 ; dbench 32 3 MB for 60 s ; pause 1 min",
      Family::paging);
  ASSERT_TRUE(script) << script.error().message();
  const Statement& program = script->statements[0];
  EXPECT_EQ(program.bytes, 22 << 20);
  EXPECT_EQ(program.more, 8 << 20);
  EXPECT_EQ(program.split, 30);
  EXPECT_EQ(program.idle, 75);
  EXPECT_EQ(program.duration, 500'000'000);
  EXPECT_EQ(script->statements[1].more, 5 << 20);
  const Statement& test = script->statements[6];
  EXPECT_EQ(test.name, "Single_User_Test");
  ASSERT_EQ(test.body.size(), 2u);
  EXPECT_EQ(test.body[1].body[1].count, 40);
  EXPECT_EQ(script->statements[7].name, "nfract");
  EXPECT_EQ(script->statements[8].bytes, 3'000'000);
}

TEST(Script, ErrorsOfProgramsAndBenchmarks) {
  const auto error = [](std::string_view text) { return error_of(text, Family::paging); };
  EXPECT_EQ(error("stream mp3"), "1:1: stream mp3: no fileset `mp3` at this point");
  EXPECT_EQ(error("fetch t 3"), "1:1: fetch t 3: no file `t` at this point");
  EXPECT_EQ(error("program x 1 MiB idle 75"), "1:24: program: `%` is missing behind `idle N`");
  EXPECT_NE(error("program x 1 MiB idle 101 %").find("from 0 to 100"), std::string::npos);
  EXPECT_EQ(error("fileset a 3 5 MiB to 3 MiB"), "1:1: fileset: least > most");
  EXPECT_NE(error("dbench 32 3 MB 60 s").find("`for` is missing"), std::string::npos);
  EXPECT_EQ(error("test A { sync"), "1:14: repeat: `}` is missing");
  EXPECT_EQ(error_of("dbench 3 1 MB for 1 s"),
            "1:1: dbench: this kernel runs no programs beside the script");
}

TEST(Script, SetNamesATunableThatCanChange) {
  const auto error = [](std::string text) {
    Rig rig = rig_2002(std::move(text));
    auto made = make_machine(rig.machine, rig.kernel, rig.tunables, rig.script, 1);
    return made ? std::string() : made.error().message();
  };
  EXPECT_EQ(error("set swappiness 80"), "");
  EXPECT_EQ(error("sync\n set swapiness 80"),
            "2:2: set swapiness 80: unknown tunable `swapiness`: `swappiness`?");
  EXPECT_EQ(error("set min 80"), "1:1: set min 80: can be given at boot only");
  EXPECT_EQ(error("repeat 2 { set swappiness 201 }"),
            "1:12: set swappiness 201: must lie between 0 and 200");
}

TEST(Script, EveryStatementOfTheTableParses) {
  for (const StatementRow& row : statement_rows()) {
    EXPECT_EQ(row.syntax.substr(0, row.name.size()), row.name);
    EXPECT_TRUE(row.files || row.device || row.paging);
    const Family family = row.files ? Family::files : row.device ? Family::device : Family::paging;
    EXPECT_EQ(error_of(row.name, family).find("unknown"), std::string::npos);
  }
}

TEST(RunText, AsVmstatDbenchAndOsdbPrint) {
  // A line of the 1998 report (its last blank before `bi` is one of vmstat's columns here, too).
  const VmstatLine line{0, 0, 1, 0, 428, 1380, 1964, 31260, 0, 43, 5579, 13, 221, 202, 1, 22, 77};
  EXPECT_EQ(vmstat_text(line),
            " 1 0 0   428  1380  1964 31260   0  43 5579   13  221  202   1  22  77");
  EXPECT_EQ(dbench_text({0, "", 32, 10'000'000'000, 421'000'000, 0, 0}),
            "Throughput 42.1 MB/sec (NB=52.625 MB/sec  421 MBit/sec)  32 procs");
  // The mail of 2002.
  EXPECT_EQ(test_text({"Single_User_Test", 0, 3'771'850'000'000}),
            "\"Single User Test\"\t3771.85 seconds\t(1:02:51.85)");
}

TEST(RunText, AsTimeAndReadfilesPrint) {
  // The first line of the 1996 report.
  EXPECT_EQ(time_text({"", "", 0, 0, 50'000'000, 2'410'000'000, 8'370'000'000}),
            "0.05user 2.41system 0:08.37elapsed 29%CPU");
  EXPECT_EQ(time_text({"", "", 0, 0, 59'999'999, 61'000'000'000, 125'009'999'999}),
            "0.05user 61.00system 2:05.00elapsed 48%CPU");
  // A line of the 2001 report.
  EXPECT_EQ(readfiles_text({0, 794'900'000, 49.5844e6}), "794 MB    49.5844 MB/sec");
  EXPECT_EQ(readfiles_text({0, 211'999'999, 211.7539e6}), "211 MB    211.754 MB/sec");
  EXPECT_EQ(readfiles_text({0, 807'000'000, 0.320096e6}), "807 MB    0.320096 MB/sec");
}

}  // namespace
}  // namespace brink::machine
