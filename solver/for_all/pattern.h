// The forms of claims that can be proved for all values of constants. Internal to for_all.
#pragma once

#include <optional>

#include "solver/question.h"

namespace brink::solver {

struct Pattern {
  enum class Kind {
    invariant,   ///< A [ G q ]; range has no q
    reach,       ///< E [ F q ]
    recover,     ///< A [ G (p => E [ F q ]) ]
    lost,        ///< E [ F (p & A [ G q ]) ]
    inevitable,  ///< A [ G (p => A [ F q ]) ], or A [ F q ] (initially)
    persistent,  ///< E [ F (E [ G q ]) ], or E [ G q ] (initially)
    unsupported,
  } kind = Kind::unsupported;
  PropId p;  ///< invalid: true
  PropId q;
  bool initially = false;  ///< about the initial states only
  std::string reason;
};

Pattern pattern_of(const Question& question);

}  // namespace brink::solver
