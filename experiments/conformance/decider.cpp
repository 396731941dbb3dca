#include "experiments/conformance/decider.h"

#include "experiments/conformance/binding.h"

namespace brink {
namespace {

class Decider final : public machine::Observer {
 public:
  Decider(std::unique_ptr<Binding> binding, std::vector<bool> by_model, machine::Observer* next)
      : binding_(std::move(binding)),
        by_model_(std::move(by_model)),
        next_(next),
        state_(binding_->model().variables.size(), 0) {}

  bool decide(int site, bool native, machine::Counters counters) override {
    bool choice = native;
    if (by_model_[site]) {
      binding_->look(counters, state_);
      choice = binding_->answer(site, state_);
    }
    return next_ ? next_->decide(site, choice, counters) : choice;
  }

  void event(int event, std::int64_t count, machine::Counters counters,
             machine::Time now) override {
    if (next_) next_->event(event, count, counters, now);
  }

 private:
  std::unique_ptr<Binding> binding_;
  std::vector<bool> by_model_;
  machine::Observer* next_;
  State state_;
};

}  // namespace

Result<std::unique_ptr<machine::Observer>, Diagnostics> make_decider(const Prepared& prepared,
                                                                     machine::Observer* next) {
  std::vector<bool> by_model(prepared.kernel->decisions.size(), false);
  bool any = false;
  for (const auto& [name, how] : prepared.scenario.decide) {
    const int site = machine::row_index(prepared.kernel->decisions, name);
    if (site >= 0 && how.text == "model") by_model[site] = any = true;
  }
  if (!any && prepared.scenario.decide.empty()) return std::unique_ptr<machine::Observer>();
  auto binding = Binding::make(prepared);
  if (!binding) return fail(binding.error());
  if (!any) return std::unique_ptr<machine::Observer>();
  return std::unique_ptr<machine::Observer>(
      std::make_unique<Decider>(std::move(*binding), std::move(by_model), next));
}

}  // namespace brink
