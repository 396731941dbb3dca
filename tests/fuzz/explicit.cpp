// Explicit files, separated by lines `%%`: transitions, states, labels, state and transition
// rewards. Read, and every state expanded.
#include "models/language/explicit_import.h"
#include "models/language/listed.h"
#include "models/semantics/evaluator.h"
#include "tests/fuzz/fuzz.h"

using namespace brink;

namespace {

/// The next part of the input; null when there are no more or it is empty.
SourcePtr next_part(std::string& text, const char* name) {
  const std::size_t mark = text.find("%%\n");
  std::string part = text.substr(0, mark);
  text = mark == std::string::npos ? "" : text.substr(mark + 3);
  return part.empty() ? nullptr : make_source(name, std::move(part));
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text = fuzz::text_of(data, size);
  ExplicitFiles files;
  files.transitions = next_part(text, "fuzz.tra");
  if (!files.transitions) return 0;
  files.states = next_part(text, "fuzz.sta");
  files.labels = next_part(text, "fuzz.lab");
  const SourcePtr state_rewards = next_part(text, "fuzz.srew");
  const SourcePtr move_rewards = next_part(text, "fuzz.trew");
  if (state_rewards || move_rewards) files.rewards.push_back({state_rewards, move_rewards});
  for (const std::optional<ModelType> as : {std::optional<ModelType>{}, {ModelType::ctmc}}) {
    const auto model = import_explicit(files, as);
    if (!model) {
      fuzz::check_refusal(model.error());
      continue;
    }
    Evaluator evaluator(*model);
    const ListedStates& listed = *(*model)->listed;
    Expansion expansion;
    for (std::uint32_t s = 0; s < std::min<std::uint32_t>(listed.size(), 1000); ++s) {
      BRINK_CHECK(listed.find(listed.state(s)) == s);
      BRINK_CHECK(!evaluator.successors(listed.state(s), expansion));
      for (std::uint32_t r = 0; r < listed.rewards.size(); ++r) {
        for (const Choice& choice : expansion.choices) {
          BRINK_CHECK(evaluator.transition_reward(r, choice.action, listed.state(s)).has_value());
        }
      }
    }
  }
  return 0;
}
