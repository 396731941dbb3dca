// The making of a listed model from explicit files; not part of the public interface.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/language/explicit_import.h"
#include "models/language/explicit_lines.h"
#include "models/language/listed.h"

namespace brink {

class ExplicitBuilder {
 public:
  ExplicitBuilder(const ExplicitFiles& files, std::optional<ModelType> as)
      : files_(files), as_(as) {}

  Result<ModelPtr, Diagnostics> build();

 private:
  /// A line of the transitions; choice 0 in Markov chains.
  struct Row {
    std::uint32_t source = 0, choice = 0, target = 0, action = 0;
    double weight = 0;
    std::uint32_t line = 0;  ///< where it begins
  };
  /// A name and which states have it.
  struct LabelBits {
    std::string name;
    std::vector<bool> states;
  };

  // explicit_import.cpp: transitions
  bool transitions();
  bool transition_header(ExplicitLines& lines, std::uint64_t& rows);
  bool transition(ExplicitLines& lines, Row& row);
  std::uint32_t action(std::string_view name);
  void sort_rows();
  bool list_rows();
  bool list_state(std::uint32_t state, std::size_t& at);
  bool list_choice(std::size_t from, std::size_t to);
  bool model_type();
  bool check_sums();

  // explicit_states.cpp: states, labels, rewards
  bool states();
  bool state_header(ExplicitLines& lines);
  bool state_line(ExplicitLines& lines, std::vector<bool>& seen);
  bool state_value(ExplicitLines& lines, std::size_t variable, bool first, std::int64_t& value);
  bool labels();
  bool label_header(ExplicitLines& lines, std::map<std::uint64_t, std::size_t>& index);
  bool add_label(ExplicitLines& lines, std::string name);
  bool initial_states();
  bool widen();
  void variables();
  bool rewards();
  bool reward_lines(const SourcePtr& source, bool on_transitions, ListedStates::Rewards& out,
                    std::string& name);
  bool reward_line(ExplicitLines& lines, bool on_transitions, std::vector<double>& out);
  void take_means(std::vector<double>& choices) const;
  void separate_actions();
  void finish();

  bool keep(ExplicitLines& lines);
  bool refuse(Diagnostic diagnostic);
  bool state_number(ExplicitLines& lines, std::string_view what, std::uint32_t& out);

  const ExplicitFiles& files_;
  std::optional<ModelType> as_;
  std::shared_ptr<Model> model_ = std::make_shared<Model>();
  std::shared_ptr<ListedStates> listed_ = std::make_shared<ListedStates>();
  bool choices_ = false;  ///< the transitions have choices: three numbers in their first line
  std::uint64_t size_ = 0, choice_count_ = 0;
  std::vector<Row> rows_;
  std::vector<std::uint32_t> choice_lines_;  ///< of each choice: where its first row begins
  std::map<std::string, std::uint32_t, std::less<>> actions_{{"", kUnlabelled}};
  std::vector<LabelBits> labels_;
  LabelBits init_, deadlock_;
  bool has_labels_ = false;
  Diagnostics errors_;
};

}  // namespace brink
