// Compiler of one expression into a Program; not part of the public interface.
#pragma once

#include <unordered_map>
#include <vector>

#include "models/semantics/program.h"

namespace brink {

/// The instruction of an operator, by the type of its operands (bools count as ints).
Instr instruction_for(Op op, Type operand);

class Compiler {
 public:
  Compiler(Program& program, const ExprPool& pool) : program_(program), pool_(pool) {}

  CodeRange compile(ExprId id);

 private:
  struct Facts {
    std::uint32_t uses = 0;
    std::uint32_t size = 0;  ///< of the expansion, saturating
  };

  /// A step of the iterative traversal.
  enum class Step : std::uint8_t {
    visit,
    emit,
    branch_middle,
    branch_end,
    ite_then,
    ite_else,
    ite_end
  };
  struct Task {
    Step step = Step::visit;
    ExprId id;
    std::uint32_t patch = 0;  ///< place of a jump to patch
    std::uint32_t dst = 0;    ///< register of the result
    std::uint32_t mark = 0;   ///< length of the scope log when the task was made
  };

  struct Subroutine {
    std::uint32_t flag = 0, back = 0, result = 0, begin = 0;
    std::vector<std::uint32_t> calls;  ///< places of its calls
  };

  void gather(ExprId root);
  void body(ExprId root);
  void run(const Task& task);
  void visit(ExprId id);
  void emit(ExprId id);
  void call(ExprId id);
  void subroutine(std::uint32_t id);
  void branch_middle(ExprId id);
  void branch_end(const Task& task);
  void ite_then(ExprId id);
  void ite_else(const Task& task);
  void move(std::uint32_t dst, std::uint32_t from);
  bool shared(ExprId id) const;
  std::uint32_t register_of(ExprId id);
  std::uint32_t constant(std::int64_t bits);
  std::uint32_t temporary();
  std::uint32_t here() const { return static_cast<std::uint32_t>(program_.code_.size()); }
  std::uint32_t push(Instr instr, std::uint32_t dst, std::uint32_t a, std::uint32_t b);
  void patch(std::uint32_t place);
  void place(ExprId id, std::uint32_t reg);
  std::uint32_t mark() const { return static_cast<std::uint32_t>(log_.size()); }
  void forget(std::uint32_t mark);
  void thread_jumps(std::uint32_t begin);

  Program& program_;
  const ExprPool& pool_;
  std::unordered_map<std::uint32_t, Facts> facts_;
  std::unordered_map<std::uint32_t, std::uint32_t>
      known_;                       ///< expressions whose value is in a register
  std::vector<std::uint32_t> log_;  ///< keys of known_, in order
  std::unordered_map<std::uint32_t, Subroutine> subroutines_;
  std::vector<std::uint32_t> pending_;  ///< subroutines whose code is still to be written
  std::vector<Task> stack_;
  std::uint32_t body_ = UINT32_MAX;  ///< the expression being written
  std::uint32_t last_target_ =
      UINT32_MAX;  ///< a jump leads here, so the instruction before is not the only way
  std::size_t temporaries_ = 0;
};

}  // namespace brink
