// Flat PRISM text. The printer of the language does the work; see models/language/printer.h.
#include "experiments/export/export.h"
#include "models/language/printer.h"

namespace brink::exports {

Outcome write_prism(const Job& job) { return Exported{{{".prism", print(*job.model)}}, {}}; }

}  // namespace brink::exports
