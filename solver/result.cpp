#include "solver/result.h"

namespace brink::solver {

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "true";
    case Verdict::violated:
      return "false";
    case Verdict::unknown:
      return "unknown";
    case Verdict::unsupported:
      return "unsupported";
    case Verdict::model_error:
      return "error";
    case Verdict::disagreement:
      return "disagreement";
  }
  return "";
}

}  // namespace brink::solver
