#include "models/language/codes.h"

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "tests/unit/language/helpers.h"

namespace brink::test {
namespace {

std::string reported(const CodeInfo& info) {
  const std::string text(info.example);
  switch (info.kind) {
    case ExampleKind::none:
      return std::string(info.code);
    case ExampleKind::model:
      return model_codes(text);
    case ExampleKind::running: {
      const ModelPtr model = load(text);
      SemanticError fault;
      reachable(model, &fault);
      return fault.fault == SemanticFault::none ? "" : to_diagnostic(fault, *model).code;
    }
    case ExampleKind::property:
      return property_codes(load(std::string(kExampleModel)), text);
  }
  return {};
}

TEST(Codes, EveryExampleIsReportedWithExactlyItsCode) {
  for (const CodeInfo& info : diagnostic_codes())
    EXPECT_EQ(reported(info), info.code) << info.example;
}

TEST(Codes, AreInOrderAndExplained) {
  std::string last;
  for (const CodeInfo& info : diagnostic_codes()) {
    EXPECT_LT(last, info.code);
    last = info.code;
    EXPECT_FALSE(info.title.empty() || info.title.ends_with('.')) << info.code;
    EXPECT_TRUE(info.explanation.ends_with('.')) << info.code;
    EXPECT_EQ(info.kind == ExampleKind::none, info.example.empty()) << info.code;
  }
  EXPECT_EQ(find_code("e0101")->code, "E0101");
  EXPECT_EQ(find_code("E9999"), nullptr);
}

TEST(Codes, EveryCodeInTheSourcesHasARow) {
  const std::regex code("\"([EW]0[0-9]{3})\"");
  std::set<std::string> used;
  for (const char* folder : {"/models/language", "/models/semantics"}) {
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(BRINK_SOURCE_DIR) + folder)) {
      std::ifstream in(entry.path());
      std::stringstream text;
      text << in.rdbuf();
      const std::string content = text.str();
      for (std::sregex_iterator it(content.begin(), content.end(), code), end; it != end; ++it) {
        used.insert((*it)[1]);
      }
    }
  }
  EXPECT_GT(used.size(), 50U);
  for (const std::string& name : used) EXPECT_NE(find_code(name), nullptr) << name;
}

}  // namespace
}  // namespace brink::test
