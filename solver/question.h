// What is asked of an engine: a property of a file, or one of the built-in questions, with the
// shape that decides which engines can answer.
#pragma once

#include <string>
#include <vector>

#include "models/language/property.h"

namespace brink::solver {

enum class Asked {
  property,  ///< the property `root` of `properties`
  range,     ///< no reachable state has an erroneous move (range, probabilities, overflow)
};

/// The property set must outlive the question.
struct Question {
  ModelPtr model;
  const PropertySet* properties = nullptr;  ///< null for `range`
  PropId root;
  std::string text;
  Asked asked = Asked::property;
};

Question ask(const PropertySet& set, const Property& property);
Question ask_range(ModelPtr model);

/// What a property looks like from outside.
enum class Shape {
  range,
  always,       ///< A [ G p ], p without temporal operators
  possible,     ///< E [ F p ]
  recoverable,  ///< A [ G (E [ F p ]) ]
  ctl,          ///< any other combination of E, A and temporal operators (CTL*, bounds included)
  unsupported
};

struct Form {
  Shape shape = Shape::unsupported;
  PropId body;         ///< p above
  std::string reason;  ///< why unsupported: what and why, for people
};

/// Classifies a question. Unsupported: properties with errors, P, S and R, filters, multi, values
/// that are not boolean.
Form form_of(const Question& question);

/// Flags of the nodes that `root` is made of, itself included, by index.
std::vector<bool> nodes_below(const PropertySet& set, PropId root);

/// Flags of the nodes that are state formulas without any temporal operator, by index.
std::vector<bool> propositional_nodes(const PropertySet& set);

/// The text of a node as written.
std::string text_of(const PropertySet& set, PropId node);

}  // namespace brink::solver
