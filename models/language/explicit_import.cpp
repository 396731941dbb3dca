// Transitions of an explicit model: read in any order, sorted by state, choice and target, equal
// targets of one choice summed up. In Markov chains all moves of a state are one choice.
#include "models/language/explicit_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "models/language/explicit_builder.h"
#include "models/language/parser.h"

namespace brink {

namespace {
constexpr double kSumTolerance = 1e-5;  // as in models/semantics
constexpr std::uint64_t kMostStates = 0xf0000000U;
}  // namespace

bool is_explicit_file(const std::string& path) { return path.ends_with(".tra"); }

Result<ExplicitFiles, Diagnostics> read_explicit_files(const std::string& path) {
  ExplicitFiles files;
  const std::string base = is_explicit_file(path) ? path.substr(0, path.size() - 4) : path;
  Diagnostics errors;
  const auto beside = [&](const std::string& suffix) -> SourcePtr {
    std::error_code ignored;
    if (!std::filesystem::exists(base + suffix, ignored)) return nullptr;
    auto text = read_source(base + suffix);
    if (!text) errors = std::move(text.error());
    return text ? *text : nullptr;
  };
  auto transitions = read_source(path);
  if (!transitions) return fail(std::move(transitions.error()));
  files.transitions = *transitions;
  files.states = beside(".sta");
  files.labels = beside(".lab");
  for (int number = 0;; ++number) {  // x.srew, or x1.srew, x2.srew, ...
    const std::string digits = number == 0 ? "" : std::to_string(number);
    ExplicitFiles::Rewards rewards{beside(digits + ".srew"), beside(digits + ".trew")};
    if (rewards.states || rewards.transitions) {
      files.rewards.push_back(std::move(rewards));
    } else if (number > 0) {
      break;
    }
  }
  if (!errors.empty()) return fail(std::move(errors));
  return files;
}

Result<ModelPtr, Diagnostics> import_explicit(const ExplicitFiles& files,
                                              std::optional<ModelType> as) {
  for (const SourcePtr& source : {files.transitions, files.states, files.labels}) {
    if (source && source->text().size() > kMaxSourceBytes) {
      return fail(Diagnostics{explicit_error(
          source, 0, "E0107", fmt::format("the text is longer than {} bytes", kMaxSourceBytes))});
    }
  }
  return ExplicitBuilder(files, as).build();
}

Result<ModelPtr, Diagnostics> ExplicitBuilder::build() {
  model_->source = files_.transitions;
  model_->actions.emplace_back();
  const bool good = transitions() && states() && labels() && list_rows() && model_type() &&
                    check_sums() && widen() && initial_states() && rewards();
  if (!good) return fail(std::move(errors_));
  finish();
  return ModelPtr(std::move(model_));
}

bool ExplicitBuilder::keep(ExplicitLines& lines) {
  if (lines.failed()) errors_ = lines.take_errors();
  return errors_.empty();
}

bool ExplicitBuilder::refuse(Diagnostic diagnostic) {
  errors_.push_back(std::move(diagnostic));
  return false;
}

bool ExplicitBuilder::state_number(ExplicitLines& lines, std::string_view what,
                                   std::uint32_t& out) {
  const auto value = lines.number(what);
  if (!value) return false;
  if (*value >= size_) {
    return lines.error("E0804", fmt::format("there is no state {}", *value),
                       fmt::format("states are numbered from 0 to {}", size_ - 1), true);
  }
  out = static_cast<std::uint32_t>(*value);
  return true;
}

bool ExplicitBuilder::transition_header(ExplicitLines& lines, std::uint64_t& rows) {
  if (!lines.next()) return lines.error("E0803", "the file is empty");
  std::vector<std::uint64_t> numbers;
  while (lines.more() && numbers.size() < 3) {
    const auto value = lines.number("a count");
    if (!value) return false;
    numbers.push_back(*value);
  }
  if (!lines.end_of_line()) return false;
  if (numbers.size() < 2) {
    return lines.error("E0803", "the first line has the numbers of states and of transitions",
                       "in an mdp: of states, of choices and of transitions", true);
  }
  choices_ = numbers.size() == 3;
  size_ = numbers.front();
  choice_count_ = choices_ ? numbers[1] : 0;
  rows = numbers.back();
  if (size_ == 0) return lines.error("E0804", "a model has at least one state", {}, true);
  return size_ <= kMostStates || lines.error("E0804", "more states than 32 bits number", {}, true);
}

bool ExplicitBuilder::transition(ExplicitLines& lines, Row& row) {
  row.line = lines.line_begin();
  if (!state_number(lines, "the number of a state", row.source)) return false;
  if (choices_) {
    const auto choice = lines.number("the number of a choice");
    if (!choice) return false;
    if (*choice >= choice_count_) {
      return lines.error("E0804", fmt::format("there is no choice {}", *choice),
                         "the first line tells how many choices all states have together", true);
    }
    row.choice = static_cast<std::uint32_t>(*choice);
  }
  if (!state_number(lines, "the number of the next state", row.target)) return false;
  const auto weight = lines.real("a probability or rate");
  if (!weight) return false;
  if (!(*weight >= 0) || std::isinf(*weight)) {
    return lines.error("E0805", fmt::format("{} is no probability or rate", *weight), {}, true);
  }
  row.weight = *weight;
  if (lines.more()) row.action = action(lines.word());
  return lines.end_of_line();
}

std::uint32_t ExplicitBuilder::action(std::string_view name) {
  if (const auto known = actions_.find(name); known != actions_.end()) return known->second;
  const auto id = static_cast<std::uint32_t>(model_->actions.size());
  model_->actions.emplace_back(name);
  actions_.emplace(name, id);
  return id;
}

bool ExplicitBuilder::transitions() {
  ExplicitLines lines(files_.transitions);
  std::uint64_t expected = 0;
  if (!transition_header(lines, expected)) return keep(lines);
  // A count that lies must not reserve memory: a line has six bytes at least.
  rows_.reserve(std::min<std::uint64_t>(expected, files_.transitions->text().size() / 6));
  while (lines.next()) {
    Row row;
    if (!transition(lines, row)) return keep(lines);
    rows_.push_back(row);
  }
  if (!keep(lines)) return false;
  if (rows_.size() != expected) {
    return refuse(explicit_error(
        files_.transitions, 0, "E0804",
        fmt::format("the first line tells of {} transitions, {} follow", expected, rows_.size())));
  }
  // States without a transition are few; a count that lies must not reserve memory.
  if (size_ > 4 * rows_.size() + 1'000'000) {
    return refuse(
        explicit_error(files_.transitions, 0, "E0804",
                       fmt::format("{} states, but only {} transitions", size_, rows_.size())));
  }
  sort_rows();
  return true;
}

void ExplicitBuilder::sort_rows() {
  const auto order = [](const Row& a, const Row& b) {
    return std::tie(a.source, a.choice, a.target) < std::tie(b.source, b.choice, b.target);
  };
  if (!std::ranges::is_sorted(rows_, order)) std::ranges::stable_sort(rows_, order);
}

bool ExplicitBuilder::list_rows() {
  ListedStates& out = *listed_;
  std::size_t at = 0;
  for (std::uint32_t s = 0; s < size_; ++s) {
    if (!list_state(s, at)) return false;
    out.first_choice.push_back(out.actions.size());
  }
  rows_ = {};
  if (!choices_ || choice_lines_.size() == choice_count_) return true;
  // Deadlocks count as one choice in the file, the loop that PRISM gives them.
  std::uint64_t loops = 0;
  for (std::uint32_t s = 0; s < size_; ++s) {
    loops += out.first_choice[s] == out.first_choice[s + 1] ? 1 : 0;
  }
  if (choice_lines_.size() + loops == choice_count_) return true;
  return refuse(explicit_error(files_.transitions, 0, "E0804",
                               fmt::format("the first line tells of {} choices, {} follow",
                                           choice_count_, choice_lines_.size() + loops)));
}

/// The choices of one state; the rows begin at `at`, which moves behind them.
bool ExplicitBuilder::list_state(std::uint32_t state, std::size_t& at) {
  const std::size_t first = at;
  while (at < rows_.size() && rows_[at].source == state) ++at;
  const bool loop = at == first + 1 && rows_[first].target == state;
  if (loop && !deadlock_.states.empty() && deadlock_.states[state]) return true;
  std::uint32_t choice = 0;
  for (std::size_t from = first; from < at; ++choice) {
    std::size_t to = from;
    while (to < at && rows_[to].choice == rows_[from].choice) ++to;
    if (rows_[from].choice != choice) {
      return refuse(explicit_error(files_.transitions, rows_[from].line, "E0804",
                                   fmt::format("state {} has no choice {}", state, choice),
                                   "the choices of a state are numbered from 0"));
    }
    if (!list_choice(from, to)) return false;
    from = to;
  }
  return true;
}

bool ExplicitBuilder::list_choice(std::size_t from, std::size_t to) {
  ListedStates& out = *listed_;
  for (std::size_t i = from; i < to; ++i) {
    const Row& row = rows_[i];
    if (choices_ && row.action != rows_[from].action) {
      return refuse(explicit_error(files_.transitions, row.line, "E0804",
                                   "the transitions of one choice have different actions"));
    }
    if (i > from && row.target == rows_[i - 1].target) {
      if (row.weight == 0) continue;
      if (out.targets.size() > out.first_branch.back() && out.targets.back() == row.target) {
        out.weights.back() += row.weight;
        continue;
      }
    }
    if (row.weight == 0) continue;
    out.targets.push_back(row.target);
    out.weights.push_back(row.weight);
  }
  if (out.targets.size() == out.first_branch.back() && !choices_) return true;  // only zeros
  out.actions.push_back(choices_ ? rows_[from].action : kUnlabelled);
  choice_lines_.push_back(rows_[from].line);
  out.first_branch.push_back(out.targets.size());
  return true;
}

bool ExplicitBuilder::model_type() {
  const auto sums_to_one = [&](std::size_t c) {
    double sum = 0;
    for (std::uint64_t b = listed_->first_branch[c]; b < listed_->first_branch[c + 1]; ++b) {
      sum += listed_->weights[b];
    }
    return std::abs(sum - 1) <= kSumTolerance;
  };
  bool all = true;
  for (std::size_t c = 0; c < choice_lines_.size() && all; ++c) all = sums_to_one(c);
  const ModelType found = choices_ ? ModelType::mdp : all ? ModelType::dtmc : ModelType::ctmc;
  model_->type = as_.value_or(found);
  model_->type_written = choices_;
  if (choices_ == (model_->type == ModelType::mdp)) return true;
  if (!choices_) return true;  // a chain read as an mdp has one choice a state
  return refuse(explicit_error(
      files_.transitions, 0, "E0804",
      fmt::format("the file has choices, so it is no {}", model_type_name(model_->type)),
      "its first line has three numbers, as in an mdp"));
}

bool ExplicitBuilder::check_sums() {
  if (model_->type == ModelType::ctmc) return true;
  for (std::size_t c = 0; c < choice_lines_.size(); ++c) {
    double sum = 0;
    for (std::uint64_t b = listed_->first_branch[c]; b < listed_->first_branch[c + 1]; ++b) {
      sum += listed_->weights[b];
    }
    if (std::abs(sum - 1) <= kSumTolerance) continue;
    return refuse(explicit_error(
        files_.transitions, choice_lines_[c], "E0805",
        fmt::format("the probabilities that begin in this line sum to {}, not to 1", sum),
        model_->type == ModelType::dtmc ? "rates are read with --as ctmc" : ""));
  }
  return true;
}

}  // namespace brink
