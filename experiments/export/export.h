// Models in the formats of other tools: one row per format, one file per row.
//
// Adding a format is adding its file and its row in formats.cpp. What a format cannot say is
// refused with the place in the model that is to blame; what is left out on purpose (rates, names)
// is a remark, and stands in the exported text as a comment, too. Used by: `brink export`, tests.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/result.h"
#include "models/language/property.h"
#include "solver/result.h"

namespace brink::exports {

/// What to write.
struct Job {
  ModelPtr model;
  const PropertySet* properties = nullptr;  ///< null: none
  std::vector<const Property*> asked;       ///< of `properties`
  bool chosen = false;    ///< the user named them: what cannot be said is an error
  solver::Limits limits;  ///< of the formats that list all states
};

struct File {
  std::string suffix;  ///< ".pml"; formats of several files: ".tra", ".sta", ...
  std::string text;    ///< bytes
};

struct Exported {
  std::vector<File> files;
  std::vector<std::string>
      remarks;  ///< what was left out or reads otherwise there, a sentence each
};

/// Errors: E0801 the format cannot say it, E0802 a limit was reached, E06xx faults of the model.
using Outcome = Result<Exported, Diagnostics>;

enum class Properties {
  none,  ///< the format has no place for properties
  one,   ///< one question a file
  many
};

struct Format {
  std::string_view name;
  Properties properties;
  std::string_view about;  ///< one line, no full stop
  Outcome (*write)(const Job&);
};

std::span<const Format> formats();

/// Null when there is none of that name.
const Format* find_format(std::string_view name);

Outcome write_prism(const Job& job);
Outcome write_promela(const Job& job);
Outcome write_murphi(const Job& job);
Outcome write_smt2(const Job& job);
Outcome write_aiger(const Job& job);
Outcome write_dot(const Job& job);
Outcome write_explicit(const Job& job);

/// A refusal (E0801) about a place of the model; an empty span: about the model as a whole.
Diagnostics refuse(const Model& model, Span span, std::string message, std::string help = {});

/// The model's file without its folders: exported text is the same wherever the model lies.
std::string base_name(const Model& model);

/// Name of a property: its own, or its number.
std::string name_of(const Property& property);

}  // namespace brink::exports
