#include "experiments/scenario/expression.h"

#include <fmt/format.h>

#include <cmath>

#include "experiments/data/config.h"
#include "models/language/instantiate.h"
#include "models/language/lexer.h"
#include "models/language/parser.h"
#include "models/language/property.h"
#include "models/semantics/program.h"

namespace brink {
namespace {

/// A model that declares nothing but the names, so that the property checker knows them.
std::string carrier(const Names& names) {
  std::string text = "dtmc\n";
  for (const auto& [name, value] : names) {
    if (!std::isfinite(value) || !is_name(name)) continue;
    const bool whole = value == std::floor(value) && std::abs(value) < 9e15;
    text += whole ? fmt::format("const int {} = {};\n", name, static_cast<std::int64_t>(value))
                  : fmt::format("const double {} = {:.17g};\n", name, value);
  }
  return text + "module carrier carrier_state : bool; endmodule\n";
}

Diagnostics relocate(const Diagnostics& found, const Placed& expression, const SourcePtr& source) {
  Diagnostics result;
  for (Diagnostic diagnostic : found) {
    diagnostic.message = fmt::format("in `{}`: {}", expression.text, diagnostic.message);
    put_in_place(diagnostic, source, expression.span);
    result.push_back(std::move(diagnostic));
  }
  return result;
}

}  // namespace

Diagnostics scenario_error(std::string code, std::string message, const SourcePtr& source,
                           Span span, std::string help) {
  Diagnostic diagnostic{
      .code = std::move(code), .message = std::move(message), .help = std::move(help)};
  put_in_place(diagnostic, source, span);
  return {std::move(diagnostic)};
}

bool is_name(std::string_view text) {
  const Lexed lexed = lex(text, {0, static_cast<std::uint32_t>(text.size())});
  return lexed.tokens.size() == 2 && lexed.tokens[0].token == Token::identifier &&
         lexed.tokens[0].span.end == text.size();
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& known) {
  const std::string near = nearest_name(name, known);
  if (!near.empty()) return fmt::format("did you mean `{}`?", near);
  constexpr std::size_t most_listed = 16;
  return known.empty() || known.size() > most_listed
             ? std::string{}
             : fmt::format("there are {}", fmt::join(known, ", "));
}

Result<double, Diagnostics> evaluate_expression(const Placed& expression, const Names& names,
                                                const SourcePtr& source) {
  const auto parsed = parse_property(expression.text, "<expression>");
  if (!parsed) return fail(relocate(parsed.error(), expression, source));
  const auto file = parse_model(make_source("<names>", carrier(names)));
  if (!file) return fail(relocate(file.error(), expression, source));
  const auto model = instantiate(*file);
  if (!model) return fail(relocate(model.error(), expression, source));
  const auto set = check_properties(*parsed, *model);
  if (!set) return fail(relocate(set.error(), expression, source));
  const Property& property = set->properties.front();
  if (!property.errors.empty()) return fail(relocate(property.errors, expression, source));
  const ExprId atom = set->atom(property.root);
  if (!atom.valid()) {
    return fail(scenario_error(
        "E0905", fmt::format("`{}` is not an expression over numbers", expression.text), source,
        expression.span));
  }
  const std::vector<std::int64_t> state(1, 0);
  const auto value = evaluate(set->pool, atom, state);
  if (!value) {
    return fail(scenario_error(
        "E0905",
        fmt::format("`{}` cannot be computed (division by zero or overflow)", expression.text),
        source, expression.span));
  }
  return *value;
}

}  // namespace brink
