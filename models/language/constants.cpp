#include "models/language/constants.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "models/base/text.h"
#include "models/language/exact.h"

namespace brink {

std::string to_string(const ConstantValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  return std::get<RealText>(value).text;
}

std::optional<ConstantValue> parse_constant_value(std::string_view text) {
  if (text == "true") return ConstantValue(true);
  if (text == "false") return ConstantValue(false);
  std::int64_t whole = 0;
  std::string_view digits = text;
  if (digits.size() > 1 && digits[0] == '+') digits.remove_prefix(1);
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), whole);
  if (error == std::errc{} && end == digits.end() && !digits.empty()) return ConstantValue(whole);
  const std::string exact = exact::parse(text);
  if (exact.empty() || !std::isfinite(exact::to_double(exact))) return std::nullopt;
  return ConstantValue(RealText{std::string(text)});
}

ExprId constant_expression(ExprPool& pool, Type type, const ConstantValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) {
    return type == Type::boolean ? pool.boolean(*flag) : ExprId{};
  }
  if (type == Type::boolean) return {};
  const std::string exact = exact::parse(to_string(value));
  if (exact.empty()) return {};
  if (type == Type::real) {
    const auto* real = std::get_if<double>(&value);
    return pool.real({real != nullptr ? *real : exact::to_double(exact), exact});
  }
  const auto whole = parse_constant_value(exact);
  const auto* number = whole ? std::get_if<std::int64_t>(&*whole) : nullptr;
  return number != nullptr ? pool.integer(*number) : ExprId{};
}

namespace {

bool is_identifier(std::string_view text) {
  const auto letter = [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
  };
  if (text.empty() || !letter(text[0])) return false;
  for (const char c : text) {
    if (!letter(c) && !std::isdigit(static_cast<unsigned char>(c))) return false;
  }
  return true;
}

}  // namespace

Result<ConstantValues, Diagnostics> parse_constant_values(std::string_view text) {
  ConstantValues values;
  Diagnostics errors;
  const SourcePtr source = make_source("<const>", std::string(text));
  std::size_t at = 0;
  const auto report = [&](std::string code, std::string message, std::string_view part,
                          std::string help) {
    const auto begin = static_cast<std::uint32_t>(part.data() - text.data());
    errors.push_back({.code = std::move(code),
                      .message = std::move(message),
                      .source = source,
                      .span = {begin, begin + static_cast<std::uint32_t>(part.size())},
                      .label = {},
                      .notes = {},
                      .help = std::move(help)});
  };
  while (at <= text.size() && !trim(text).empty()) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string_view item = trim(text.substr(at, comma - at));
    at = comma + 1;
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos || !is_identifier(trim(item.substr(0, equals)))) {
      report("E0401", "a constant is given as NAME=VALUE", item.empty() ? text : item, "");
      continue;
    }
    const std::string name(trim(item.substr(0, equals)));
    const std::string_view value_text = trim(item.substr(equals + 1));
    const auto value = parse_constant_value(value_text);
    if (!value) {
      report("E0401", fmt::format("`{}` is not a value for constant `{}`", value_text, name), item,
             "values are true, false, 16, 0.5, 1e-9 or 1/3");
    } else if (const auto [it, fresh] = values.emplace(name, *value);
               !fresh && it->second != *value) {
      report("E0402", fmt::format("constant `{}` is given twice", name), item, "");
    }
    if (errors.size() >= kMaxDiagnostics) break;
  }
  if (!errors.empty()) return fail(std::move(errors));
  return values;
}

}  // namespace brink
