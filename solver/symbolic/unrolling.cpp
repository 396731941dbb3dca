#include "solver/symbolic/unrolling.h"

#include <chrono>
#include <string>

#include "solver/symbolic/smt_run.h"

namespace brink::solver {

Unrolling::Unrolling(z3::context& context, const Encoding& encoding, Start start, States states)
    : context_(context),
      encoding_(encoding),
      kind_(states),
      solver_(encoding.uses_bits() ? z3::solver(context, "QF_FD") : z3::solver(context)) {
  states_.push_back(encoding_.state(0));
  // From the initial states it follows from the moves, and costs more than it helps once they are
  // known to be safe.
  uses_known_ = start == Start::anywhere || !encoding.safe();
  add_ranges();
  if (start == Start::initial) solver_.add(last(encoding_.initial()));
}

void Unrolling::add_ranges() {
  solver_.add(last(encoding_.in_range()));
  if (uses_known_) solver_.add(last(encoding_.known()));
}

void Unrolling::extend() {
  const std::uint32_t step = depth();
  const z3::expr_vector before = states_.back();
  const z3::expr_vector after = encoding_.state(step + 1);
  z3::expr_vector chosen(context_);
  for (std::size_t m = 0; m < encoding_.moves().size(); ++m) {
    const std::string name = "move@" + std::to_string(step) + "." + std::to_string(m);
    const z3::expr selector = context_.bool_const(name.c_str());
    chosen.push_back(selector);
    solver_.add(z3::implies(selector, encoding_.at(encoding_.guard(m), before)));
    solver_.add(z3::implies(selector, !encoding_.at(encoding_.leaves_range(m), before)));
    const z3::expr_vector target = encoding_.target(m);
    for (unsigned v = 0; v < after.size(); ++v) {
      const auto i = static_cast<int>(v);
      solver_.add(z3::implies(selector, after[i] == encoding_.at(target[i], before)));
    }
  }
  solver_.add(z3::mk_or(chosen));
  states_.push_back(after);
  add_ranges();
  if (kind_ == States::any) return;
  for (std::uint32_t earlier = 0; earlier <= step; ++earlier) {
    z3::expr_vector differs(context_);
    for (unsigned v = 0; v < after.size(); ++v) {
      const auto i = static_cast<int>(v);
      differs.push_back(states_[earlier][i] != after[i]);
    }
    solver_.add(z3::mk_or(differs));
  }
}

z3::check_result Unrolling::ask(const z3::expr& term) {
  const std::string name = "ask." + std::to_string(questions_++);
  const z3::expr question = context_.bool_const(name.c_str());
  solver_.add(z3::implies(question, last(term)));
  z3::expr_vector assume(context_);
  assume.push_back(question);
  return solver_.check(assume);
}

z3::check_result Unrolling::any() { return solver_.check(); }

std::vector<std::vector<std::int64_t>> Unrolling::run() const {
  const z3::model model = solver_.get_model();
  std::vector<std::vector<std::int64_t>> out;
  for (const auto& state : states_) out.push_back(encoding_.values(model, state));
  return out;
}

Diameter::Diameter(SmtRun& run)
    : unrolling_(run.context, *run.encoding, Unrolling::Start::initial,
                 Unrolling::States::distinct) {
  constexpr unsigned slice_milliseconds = 500;
  unrolling_.solver().set("timeout", slice_milliseconds);
}

bool Diameter::reached(std::uint32_t k) {
  constexpr std::uint32_t deepest = 200;
  if (given_up_ || k > deepest) return false;
  constexpr double most_seconds = 2;
  const auto start = std::chrono::steady_clock::now();
  while (unrolling_.depth() <= k) unrolling_.extend();
  const z3::check_result answer = unrolling_.any();
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  given_up_ = answer == z3::unknown || seconds_ > most_seconds;
  return answer == z3::unsat;
}

}  // namespace brink::solver
