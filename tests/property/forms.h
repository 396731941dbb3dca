// What two parsed texts must share to count as the same: everything but places.
#pragma once

#include <string>

#include "models/language/syntax.h"

namespace brink::test {

std::string form(const syntax::Tree& tree, const syntax::Expression& expression);
std::string form(const ModuleFile& file);
std::string form(const PropertyFile& file);

}  // namespace brink::test
