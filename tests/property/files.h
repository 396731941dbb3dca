// Generators of whole model and property files, as the parser would deliver them.
#pragma once

#include "models/language/syntax.h"

namespace brink::test {

/// Constants, formulas, labels, globals, modules, renamings, rewards, init, systems, in any order.
ModuleFile random_model();

/// Constants, labels, annotations and properties with names and expected results.
PropertyFile random_properties();

}  // namespace brink::test
