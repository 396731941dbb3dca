// PropertyBuilder: turns property files into a PropertySet; not part of the public interface.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/language/lower.h"
#include "models/language/property.h"

namespace brink {

class PropertyBuilder {
 public:
  /// `files`: the properties of the first become the set's; the others serve labels, constants and
  /// names.
  PropertyBuilder(std::vector<const PropertyFile*> files, ModelPtr model,
                  const ConstantValues& values);

  Result<PropertySet, Diagnostics> build();

 private:
  /// A subformula while it is built: a plain expression as long as that is possible.
  struct Value {
    ExprId expr;
    PropId prop;
    Type type = Type::boolean;
    bool path = false;

    bool valid() const { return expr.valid() || prop.valid(); }
  };

  struct Definition {
    const PropertyFile* file = nullptr;
    const PropertyDef* def = nullptr;
    Value value;
    Diagnostics errors;
    bool done = false;
  };

  struct ConstantEntry {
    const PropertyFile* file = nullptr;
    const syntax::ConstantDef* def = nullptr;
  };

  // property_builder.cpp
  void declare();
  void constants();
  void constant(std::uint32_t index);
  void labels();
  void annotations();
  void annotation(const PropertyFile& file, const AnnotationDef& def);
  void properties();
  std::vector<std::uint32_t> property_order();
  void property(Definition& definition);
  ExprId name(std::string_view text, Span span);
  void unknown(std::string_view text, Span span);
  Lowering lowering(const PropertyFile& file);
  void expected_constants(const ExpectedResult& result);
  void property_names();
  void finish_file();

  // property_nodes.cpp
  Value lower(const PropertyFile& file, const syntax::Expression& expression);
  Value node(const syntax::Node& node);
  Value application(const syntax::Node& node);
  Value label(const syntax::Node& node);
  Value quantified(const syntax::Node& node);
  Value measured(const syntax::Node& node);
  Value temporal(const syntax::Node& node);
  Value reward_kind(const syntax::Node& node);
  Value filter(const syntax::Node& node);
  Value multi(const syntax::Node& node);
  bool bound(const syntax::Node& node, PropNode& out);
  bool reward_index(const syntax::Node& node, PropNode& out);
  std::optional<std::uint32_t> reward_structure(const syntax::Node& node, std::uint32_t text,
                                                syntax::NodeId number);
  bool time(syntax::NodeId id, ExprId& out, bool reward);
  Value& child(const syntax::Node& node, std::uint32_t i);
  bool has_child(const syntax::Node& node, std::uint32_t i) const;
  Span child_span(const syntax::Node& node, std::uint32_t i) const;
  bool state_formula(const Value& value, Span span, std::string_view where);
  bool boolean(const Value& value, Span span, std::string_view what);
  PropId as_prop(const Value& value, Span span);
  Value add(PropNode node);

  std::vector<const PropertyFile*> files_;
  ModelPtr model_;
  const ConstantValues& values_;
  PropertySet set_;
  Scope scope_;
  Diagnostics errors_;            ///< of the files as a whole
  Reporter* reporter_ = nullptr;  ///< where the part at hand reports
  std::vector<ConstantEntry> constants_;
  std::vector<Definition> definitions_;
  std::map<std::string, std::size_t, std::less<>> by_name_;
  std::map<std::string, ExprId, std::less<>> labels_;

  // The expression at hand.
  const syntax::Tree* tree_ = nullptr;
  syntax::NodeId first_ = 0;
  std::vector<Value> image_;
};

}  // namespace brink
