#include "models/language/codes.h"

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "models/language/explicit_import.h"
#include "tests/unit/language/helpers.h"

namespace brink::test {
namespace {

std::string reported(const CodeInfo& info) {
  const std::string text(info.example);
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string first = text.substr(0, end);
  const std::string rest = text.substr(std::min(end + 1, text.size()));
  InstantiateOptions options;
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
    case ExampleKind::formula: {
      const auto file = parse_properties(make_source("p.props", rest));
      const auto formula = parse_property(first);
      const auto set = check_properties(*formula, *file, load(std::string(kExampleModel)));
      return set ? codes(set->properties.at(0).errors) : codes(set.error());
    }
    case ExampleKind::file: {
      const auto source = read_source(text);
      return source ? "" : codes(source.error());
    }
    case ExampleKind::constants: {
      const auto values = parse_constant_values(text);
      return values ? "" : codes(values.error());
    }
    case ExampleKind::given:
    case ExampleKind::portable:
      options.portable = info.kind == ExampleKind::portable;
      return model_codes(rest, *parse_constant_values(first), options);
    case ExampleKind::symbolic:
      options.symbolic = {first.substr(0, first.find('='))};
      return model_codes(
          rest, first.find('=') < first.size() ? *parse_constant_values(first) : ConstantValues{},
          options);
    case ExampleKind::transitions: {
      ExplicitFiles files;
      files.transitions = make_source("m.tra", text);
      const auto model = import_explicit(files);
      return model ? "" : codes(model.error());
    }
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
