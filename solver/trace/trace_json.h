// Traces as JSON, schema "brink-trace/1": what `brink replay` reads and `brink check --out` writes.
//
// One object:
//   schema      "brink-trace/1"
//   model       name of the model's source
//   constants   {name: value as text}, those of the run
//   property    the property the trace is about, as text
//   variables   [names], the order of all states below
//   initial     [values]; booleans as true / false, ints as numbers
//   steps       [{commands: [{module, number, action}], update, state: [values]}]
//               number counts the module's commands from 1; action may be ""; update is the mixed
//               radix number of the updates taken, first participant slowest
//   loop_to     optional: the run repeats from this state for ever (0 = initial)
//   point_of_no_return   optional {step, ways_back, goal}
//   fault       optional: the error that a move from the last state makes
// Unknown keys are refused, so that a misspelt one is not silently dropped.
#pragma once

#include <string>

#include "models/base/result.h"
#include "solver/trace/trace.h"

namespace brink::solver {

inline constexpr const char* trace_schema = "brink-trace/1";

/// The trace as JSON text, one line for each step, ending with a newline; same trace, same bytes.
std::string trace_to_json(const Trace& trace, const Model& model);

/// What a trace file says about the model it needs, before there is one.
struct TraceHeader {
  std::string model;
  std::vector<std::pair<std::string, std::string>> constants;
  std::string property;
};
Result<TraceHeader, std::string> read_trace_header(const std::string& json);

/// Reads a trace of this model. Error: a sentence (not JSON, wrong schema, unknown key, a variable
/// or command that the model does not have, a value of the wrong type).
Result<Trace, std::string> trace_from_json(const std::string& json, const Model& model);

}  // namespace brink::solver
