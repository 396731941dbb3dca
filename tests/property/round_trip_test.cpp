// parse . print is the identity on syntax trees (so parse . print . parse = parse), and a printed
// model is its own printout.
#include "models/language/parser.h"
#include "models/language/printer.h"
#include "tests/property/expressions.h"
#include "tests/property/files.h"
#include "tests/property/forms.h"

namespace brink::test {
namespace {

RC_GTEST_PROP(RoundTrip, StateExpressions, ()) {
  syntax::Tree tree;
  const syntax::Expression expression = ExpressionMaker(tree).state(5);
  const std::string text = print(tree, expression);
  const auto back = parse_property(text);
  RC_LOG() << text << "\n" << (back ? "" : render(back.error()));
  RC_ASSERT(back.has_value());
  RC_ASSERT(form(back->tree, back->properties[0].value) == form(tree, expression));
}

RC_GTEST_PROP(RoundTrip, Properties, ()) {
  syntax::Tree tree;
  const syntax::Expression expression = ExpressionMaker(tree).property(5);
  const std::string text = print(tree, expression);
  const auto back = parse_property(text);
  RC_LOG() << text << "\n" << (back ? "" : render(back.error()));
  RC_ASSERT(back.has_value());
  RC_ASSERT(form(back->tree, back->properties[0].value) == form(tree, expression));
}

RC_GTEST_PROP(RoundTrip, ModelFiles, ()) {
  const ModuleFile file = random_model();
  const std::string text = print(file);
  const auto back = parse_model(make_source("generated.prism", text));
  RC_LOG() << text << "\n" << (back ? "" : render(back.error()));
  RC_ASSERT(back.has_value());
  RC_ASSERT(form(*back) == form(file));
  RC_ASSERT(print(*back) == text);
}

RC_GTEST_PROP(RoundTrip, PropertyFiles, ()) {
  const PropertyFile file = random_properties();
  const std::string text = print(file);
  const auto back = parse_properties(make_source("generated.props", text));
  RC_LOG() << text << "\n" << (back ? "" : render(back.error()));
  RC_ASSERT(back.has_value());
  RC_ASSERT(form(*back) == form(file));
  RC_ASSERT(print(*back) == text);
}

}  // namespace
}  // namespace brink::test
