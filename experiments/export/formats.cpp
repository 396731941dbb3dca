#include <array>

#include "experiments/export/export.h"

namespace brink::exports {
namespace {

/// A format made of commands: a model of explicit files has none.
template <Outcome (*Write)(const Job&)>
Outcome of_commands(const Job& job) {
  if (!job.model->listed) return Write(job);
  return fail(refuse(*job.model, {}, "the model is a list of states and moves, without commands",
                     "it can be exported to explicit and dot"));
}

constexpr std::array kFormats = {
    Format{"prism", Properties::none, "flat PRISM text: constants put in, formulas expanded",
           of_commands<write_prism>},
    Format{"promela", Properties::many, "Promela for spin: one process, assertions and ltl",
           of_commands<write_promela>},
    Format{"murphi", Properties::many, "Murphi for rumur: rules, invariants, covers, liveness",
           of_commands<write_murphi>},
    Format{"smt2", Properties::one, "constrained Horn clauses for Spacer (z3) and its like",
           of_commands<write_smt2>},
    Format{"aiger", Properties::one, "and-inverter graph with a bad state (binary), for abc",
           of_commands<write_aiger>},
    Format{"dot", Properties::none, "graph of the reachable states for Graphviz", write_dot},
    Format{"explicit", Properties::none, "PRISM's .tra .sta .lab .srew .trew files",
           write_explicit},
};

}  // namespace

std::span<const Format> formats() { return kFormats; }

const Format* find_format(std::string_view name) {
  for (const Format& format : kFormats) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

Diagnostics refuse(const Model& model, Span span, std::string message, std::string help) {
  Diagnostic diagnostic;
  diagnostic.code = "E0801";
  diagnostic.message = std::move(message);
  if (span.end > span.begin) {
    diagnostic.source = model.source;
    diagnostic.span = span;
  }
  diagnostic.help = std::move(help);
  return {std::move(diagnostic)};
}

std::string base_name(const Model& model) {
  const std::string& name = model.source->name();
  return name.substr(name.rfind('/') + 1);
}

std::string name_of(const Property& property) {
  return property.name.empty() ? std::to_string(property.number) : property.name;
}

}  // namespace brink::exports
