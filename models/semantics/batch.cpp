// Expansion of a batch.
//
// Guards become masks of lanes. A row of the composition with one participant gives one item for
// each command and update: the lanes where it applies and what it does to the packed word. A row
// with several participants is walked like a tree, one level a participant, with the intersection
// of the masks so far; a subtree whose intersection is empty is skipped, so the product of commands
// is never written out beyond what some state of the batch really does. Items are found in the
// evaluator's order; counting each lane's items and summing up the counts gives every successor its
// place, state by state, in that order.
//
// Counting adds masks into bit-sliced counters (a few word operations an item, not one step a
// successor). Lanes marked bad leave all items and are expanded by the evaluator into their places.
#include "models/semantics/batch.h"

#include <algorithm>
#include <bit>
#include <map>
#include <span>
#include <vector>

#include "models/base/check.h"
#include "models/semantics/command_code.h"

namespace brink {
namespace {

constexpr std::size_t kWords = kLanes / 64;
/// Batches with more items or successors than this are left to the evaluator, state by state.
constexpr std::size_t kMostItems = std::size_t{1} << 13;
constexpr std::size_t kMostSuccessors = std::size_t{1} << 20;
/// The evaluator stops a batch after so many successors.
constexpr std::size_t kEnough = std::size_t{1} << 15;

LaneMask meet(const LaneMask& a, const LaneMask& b) {
  LaneMask out;
  for (std::size_t w = 0; w < kWords; ++w) out[w] = a[w] & b[w];
  return out;
}

bool any(const LaneMask& a) {
  std::uint64_t all = 0;
  for (const std::uint64_t w : a) all |= w;
  return all != 0;
}

void join(LaneMask& into, const LaneMask& a) {
  for (std::size_t w = 0; w < kWords; ++w) into[w] |= a[w];
}

void remove(LaneMask& from, const LaneMask& a) {
  for (std::size_t w = 0; w < kWords; ++w) from[w] &= ~a[w];
}

template <typename F>
void each_lane(const LaneMask& mask, const F& f) {
  for (std::size_t w = 0; w < kWords; ++w)
    for (std::uint64_t bits = mask[w]; bits != 0; bits &= bits - 1)
      f(w * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
}

/// One number for each lane, bit by bit; masks are added.
struct SlicedCounter {
  static constexpr std::size_t kPlanes = 24;
  std::array<LaneMask, kPlanes> planes{};
  std::size_t used = 0;

  void add(const LaneMask& mask) {
    LaneMask carry = mask;
    for (std::size_t p = 0; p < kPlanes; ++p) {
      if (!any(carry)) return;
      used = std::max(used, p + 1);
      const LaneMask both = meet(planes[p], carry);
      for (std::size_t w = 0; w < kWords; ++w) planes[p][w] ^= carry[w];
      carry = both;
    }
  }
  void write(std::uint32_t* counts) const {
    std::fill_n(counts, kLanes, 0);
    for (std::size_t p = 0; p < used; ++p)
      for (std::size_t i = 0; i < kLanes; ++i)
        counts[i] += static_cast<std::uint32_t>((planes[p][i / 64] >> (i % 64)) & 1) << p;
  }
};

/// Commands of one module with one label.
using Group = std::vector<std::uint32_t>;

struct Row {
  ActionId action = kUnlabelled;
  std::vector<std::uint32_t> groups;
  bool scalar = false;  ///< participants may write the same global
};

/// What one combination of updates does, in which lanes.
struct Item {
  LaneMask lanes;
  std::uint32_t first_word = 0;   ///< into Impl::changes, one for each word
  std::uint32_t first_field = 0;  ///< into Impl::item_fields
  std::uint32_t fields = 0;
  std::uint32_t first_weight = 0;  ///< into Impl::item_weights
  std::uint32_t weights = 0;
  std::uint32_t move = 0;  ///< number of its choice
};

/// What the evaluator has said of the lanes at hand.
struct ScalarOut {
  std::vector<std::uint64_t> words;
  std::vector<double> weights;
  std::vector<std::uint32_t> moves;

  void clear() {
    words.clear();
    weights.clear();
    moves.clear();
  }
};

using Field = std::pair<std::uint32_t, std::uint32_t>;  ///< word, column

}  // namespace

struct BatchExpander::Impl {
  ModelPtr model;
  StateLayout layout;
  std::size_t words;
  Evaluator evaluator;
  Expansion expansion;
  std::unique_ptr<CommandCode> code;
  std::vector<Group> groups;
  std::vector<Row> rows;

  std::vector<std::uint32_t> begins;
  std::vector<std::uint64_t> out;
  std::vector<double> out_weights;
  std::vector<std::uint32_t> out_moves;
  std::vector<ActionId> actions;  ///< of the choices of the batch
  std::size_t expanded = 0;
  std::optional<SemanticError> error;
  std::uint64_t scalar_states = 0;

  // Of the batch at hand.
  LaneMask bad{};
  std::vector<Item> items;
  std::vector<WordChange> changes;
  std::vector<Field> item_fields;
  std::vector<ColumnWeight> item_weights;
  const bool weights_wanted;
  bool too_many = false;
  std::vector<std::uint32_t> digits, update_digits;
  std::vector<LaneMask> prefix;
  ScalarOut scalar_out;
  std::vector<std::int64_t> valuation;

  Impl(ModelPtr m, Options options);
  void add_row(const Synchronisation& row,
               std::map<std::pair<std::uint32_t, ActionId>, std::uint32_t>& index);
  bool writes_shared(const Row& row) const;
  const LaneMask& guard(std::uint32_t command) const {
    return code->code.mask(code->commands[command].guard);
  }
  void run_code(const std::uint64_t* states, std::size_t count);
  void single(const Row& row);
  void several(const Row& row);
  void leaf(const Row& row, const LaneMask& lanes);
  void combine(const Row& row, const LaneMask& lanes);
  void look_at(std::uint32_t command, const LaneMask& lanes);
  void add_item(const LaneMask& lanes, const ColumnUpdate& update);
  void merge_item(const ColumnUpdate& update);
  bool columns(const std::uint64_t* states, std::size_t count);
  void place(const std::uint64_t* states, std::size_t count);
  template <std::size_t W>
  void write(const std::uint64_t* states, std::vector<std::uint32_t>& next);
  void write_weights(const std::vector<std::uint32_t>& places);
  void place_scalars();
  bool scalar(const std::uint64_t* state, ScalarOut& to, std::uint32_t& found);
  void one_by_one(const std::uint64_t* states, std::size_t count);
};

BatchExpander::Impl::Impl(ModelPtr m, Options options)
    : model(std::move(m)),
      layout(*model),
      words(layout.words()),
      evaluator(model),
      begins(kLanes + 1, 0),
      weights_wanted(options.weights),
      valuation(model->variables.size()) {
  if (!options.columns || model->listed) return;  // a listed model has no commands to compile
  code = std::make_unique<CommandCode>(*model, layout, weights_wanted);
  if (!code->usable) {
    code.reset();
    return;
  }
  std::map<std::pair<std::uint32_t, ActionId>, std::uint32_t> index;
  for (std::uint32_t c = 0; c < model->commands.size(); ++c) {
    const Command& command = model->commands[c];
    const auto [it, fresh] =
        index.emplace(std::pair{command.module, command.action}, groups.size());
    if (fresh) groups.emplace_back();
    groups[it->second].push_back(c);
  }
  for (const Synchronisation& row : model->synchronisations) add_row(row, index);
}

void BatchExpander::Impl::add_row(
    const Synchronisation& row,
    std::map<std::pair<std::uint32_t, ActionId>, std::uint32_t>& index) {
  Row made{.action = row.action, .groups = {}};
  for (const auto& p : row.participants) made.groups.push_back(index.at({p.module, p.action}));
  made.scalar = made.groups.size() > 1 && writes_shared(made);
  rows.push_back(std::move(made));
}

/// May two participants write the same variable?
bool BatchExpander::Impl::writes_shared(const Row& row) const {
  std::vector<std::uint32_t> writer(model->variables.size(), kNone);
  for (std::uint32_t p = 0; p < row.groups.size(); ++p)
    for (const std::uint32_t c : groups[row.groups[p]])
      for (const Update& update : model->commands[c].updates)
        for (const Assignment& a : update.assignments) {
          if (writer[a.variable] != kNone && writer[a.variable] != p) return true;
          writer[a.variable] = p;
        }
  return false;
}

void BatchExpander::Impl::run_code(const std::uint64_t* states, std::size_t count) {
  ColumnCode& columns = code->code;
  columns.load(states, count);
  columns.run(0);
  bad = code->guard_fault == kNoColumn ? LaneMask{} : columns.mask(code->guard_fault);
  for (std::uint32_t c = 0; c < code->commands.size(); ++c)
    if (code->commands[c].segment != 0 && any(guard(c))) columns.run(code->commands[c].segment);
}

/// Marks the lanes where the evaluator has to see to this command.
void BatchExpander::Impl::look_at(std::uint32_t command, const LaneMask& lanes) {
  const ColumnCommand& c = code->commands[command];
  if (c.always_bad) join(bad, lanes);
  if (c.bad != kNoColumn) join(bad, meet(lanes, code->code.mask(c.bad)));
}

void BatchExpander::Impl::add_item(const LaneMask& lanes, const ColumnUpdate& update) {
  items.push_back({.lanes = lanes,
                   .first_word = static_cast<std::uint32_t>(changes.size()),
                   .first_field = static_cast<std::uint32_t>(item_fields.size()),
                   .fields = static_cast<std::uint32_t>(update.fields.size()),
                   .first_weight = static_cast<std::uint32_t>(item_weights.size()),
                   .weights = 1,
                   .move = static_cast<std::uint32_t>(actions.size() - 1)});
  if (weights_wanted) item_weights.push_back(update.weight);
  changes.insert(changes.end(), update.words.begin(), update.words.end());
  item_fields.insert(item_fields.end(), update.fields.begin(), update.fields.end());
  too_many = items.size() > kMostItems;
}

/// Adds what another participant does to the last item; they write different fields.
void BatchExpander::Impl::merge_item(const ColumnUpdate& update) {
  Item& item = items.back();
  for (std::size_t w = 0; w < words; ++w) {
    WordChange& change = changes[item.first_word + w];
    change.keep &= update.words[w].keep;
    change.set |= update.words[w].set;
    change.add += update.words[w].add;
  }
  item_fields.insert(item_fields.end(), update.fields.begin(), update.fields.end());
  item.fields += static_cast<std::uint32_t>(update.fields.size());
  ++item.weights;
  if (weights_wanted) item_weights.push_back(update.weight);
}

void BatchExpander::Impl::single(const Row& row) {
  for (const std::uint32_t c : groups[row.groups[0]]) {
    const LaneMask& lanes = guard(c);
    if (!any(lanes)) continue;
    look_at(c, lanes);
    actions.push_back(row.action);
    for (const ColumnUpdate& update : code->commands[c].updates) {
      if (update.taken == kNoColumn) {
        add_item(lanes, update);
        continue;
      }
      const LaneMask taken = meet(lanes, code->code.mask(update.taken));
      if (any(taken)) add_item(taken, update);
    }
  }
}

/// Every combination of commands that is enabled somewhere, the last participant's fastest.
void BatchExpander::Impl::several(const Row& row) {
  const std::size_t levels = row.groups.size();
  LaneMask all;
  all.fill(~std::uint64_t{0});
  for (const std::uint32_t group : row.groups) {
    LaneMask some{};
    for (const std::uint32_t c : groups[group]) join(some, guard(c));
    all = meet(all, some);
    if (!any(all)) return;
  }
  digits.assign(levels, 0);
  prefix.assign(levels + 1, all);
  std::size_t level = 0;
  while (!too_many) {
    const Group& group = groups[row.groups[level]];
    if (digits[level] == group.size()) {
      if (level == 0) return;
      ++digits[--level];
      continue;
    }
    prefix[level + 1] = meet(prefix[level], guard(group[digits[level]]));
    if (!any(prefix[level + 1])) {
      ++digits[level];
    } else if (level + 1 == levels) {
      leaf(row, prefix[levels]);
      ++digits[level];
    } else {
      digits[++level] = 0;
    }
  }
}

void BatchExpander::Impl::leaf(const Row& row, const LaneMask& lanes) {
  for (std::size_t p = 0; p < row.groups.size(); ++p)
    look_at(groups[row.groups[p]][digits[p]], lanes);
  combine(row, lanes);
}

/// Every combination of updates of the commands at hand, the last participant's fastest.
void BatchExpander::Impl::combine(const Row& row, const LaneMask& lanes) {
  const std::size_t levels = row.groups.size();
  const auto updates = [&](std::size_t p) -> const std::vector<ColumnUpdate>& {
    return code->commands[groups[row.groups[p]][digits[p]]].updates;
  };
  for (std::size_t p = 0; p < levels; ++p)
    if (updates(p).empty()) return;
  actions.push_back(row.action);
  update_digits.assign(levels, 0);
  while (!too_many) {
    LaneMask taken = lanes;
    for (std::size_t p = 0; p < levels; ++p) {
      const ColumnUpdate& update = updates(p)[update_digits[p]];
      if (update.taken != kNoColumn) taken = meet(taken, code->code.mask(update.taken));
    }
    if (any(taken)) {
      add_item(taken, updates(0)[update_digits[0]]);
      for (std::size_t p = 1; p < levels; ++p) merge_item(updates(p)[update_digits[p]]);
    }
    std::size_t p = levels;
    while (p > 0 && ++update_digits[p - 1] == updates(p - 1).size()) update_digits[--p] = 0;
    if (p == 0) return;
  }
}

/// False: too much for columns.
bool BatchExpander::Impl::columns(const std::uint64_t* states, std::size_t count) {
  run_code(states, count);
  items.clear();
  changes.clear();
  item_fields.clear();
  item_weights.clear();
  actions.clear();
  too_many = false;
  for (const Row& row : rows) {
    if (row.groups.size() == 1) {
      single(row);
    } else if (!row.scalar) {
      several(row);
    } else {
      LaneMask all;
      all.fill(~std::uint64_t{0});
      for (const std::uint32_t group : row.groups) {
        LaneMask some{};
        for (const std::uint32_t c : groups[group]) join(some, guard(c));
        all = meet(all, some);
      }
      join(bad, all);
    }
    if (too_many) return false;
  }
  std::size_t total = 0;
  if (any(bad))
    for (Item& item : items) remove(item.lanes, bad);
  SlicedCounter counter;
  for (const Item& item : items) counter.add(item.lanes);
  counter.write(begins.data());
  for (std::size_t i = 0; i < kLanes; ++i) total += begins[i];
  if (total > kMostSuccessors) return false;
  place(states, count);
  return true;
}

/// Turns the counts in `begins` into places and writes all successors there.
void BatchExpander::Impl::place(const std::uint64_t* states, std::size_t count) {
  scalar_out.clear();
  expanded = count;
  if (any(bad)) {
    for (std::size_t i = 0; i < expanded; ++i) {
      if (((bad[i / 64] >> (i % 64)) & 1) == 0) continue;
      if (!scalar(states + i * words, scalar_out, begins[i]))
        expanded = i;
      else if (scalar_out.words.size() > kMostSuccessors * words)
        expanded = i + 1;
    }
  }
  std::vector<std::uint32_t> next(kLanes);
  std::uint32_t total = 0;
  for (std::size_t i = 0; i < kLanes; ++i) {
    const std::uint32_t here = begins[i];
    begins[i] = next[i] = total;
    total += here;
  }
  begins[kLanes] = total;
  if (out.size() < total * words) out.resize(total * words);
  if (weights_wanted) write_weights(next);
  if (words == 1)
    write<1>(states, next);
  else if (words == 2)
    write<2>(states, next);
  else
    write<0>(states, next);
  if (!scalar_out.words.empty() || words == 0) place_scalars();
}

void BatchExpander::Impl::place_scalars() {
  std::size_t from = 0;
  each_lane(bad, [&](std::size_t i) {
    if (i >= expanded) return;
    const std::size_t count = begins[i + 1] - begins[i];
    std::copy_n(scalar_out.words.data() + from * words, count * words,
                out.data() + begins[i] * words);
    if (weights_wanted) {
      std::copy_n(scalar_out.weights.data() + from, count, out_weights.data() + begins[i]);
      std::copy_n(scalar_out.moves.data() + from, count, out_moves.data() + begins[i]);
    }
    from += count;
  });
}

/// Weights and choices, in the order that write() uses.
void BatchExpander::Impl::write_weights(const std::vector<std::uint32_t>& places) {
  std::vector<std::uint32_t> next = places;
  const std::size_t total = begins[kLanes];
  if (out_weights.size() < total) {
    out_weights.resize(total + total / 2);
    out_moves.resize(total + total / 2);
  }
  for (const Item& item : items) {
    const std::span<const ColumnWeight> factors{item_weights.data() + item.first_weight,
                                                item.weights};
    double constant = 1;
    bool same = true;
    for (const ColumnWeight& factor : factors) {
      constant *= factor.constant;
      same = same && factor.column == kNoColumn;
    }
    each_lane(item.lanes, [&](std::size_t i) {
      const std::uint32_t at = next[i]++;
      out_moves[at] = item.move;
      out_weights[at] = constant;
      if (same) return;
      double weight = 1;
      for (const ColumnWeight& factor : factors)
        weight *= factor.column == kNoColumn
                      ? factor.constant
                      : std::bit_cast<double>(code->code.field(factor.column)[i]);
      out_weights[at] = weight;
    });
  }
}

template <std::size_t W>
void BatchExpander::Impl::write(const std::uint64_t* states, std::vector<std::uint32_t>& next) {
  const std::size_t width = W == 0 ? words : W;
  std::uint64_t* const to = out.data();
  std::uint32_t* const at = next.data();
  for (const Item& item : items) {
    const WordChange* const change = changes.data() + item.first_word;
    const Field* const fields = item_fields.data() + item.first_field;
    if (W == 1 && item.fields == 0) {
      const auto [keep, set, add] = *change;
      each_lane(item.lanes, [&](std::size_t i) { to[at[i]++] = ((states[i] & keep) | set) + add; });
      continue;
    }
    each_lane(item.lanes, [&](std::size_t i) {
      std::uint64_t* const state = to + at[i]++ * width;
      for (std::size_t w = 0; w < width; ++w)
        state[w] = ((states[i * width + w] & change[w].keep) | change[w].set) + change[w].add;
      for (std::uint32_t f = 0; f < item.fields; ++f)
        state[fields[f].first] += code->code.field(fields[f].second)[i];
    });
  }
}

/// One state by the evaluator; false when it is erroneous.
bool BatchExpander::Impl::scalar(const std::uint64_t* state, ScalarOut& to, std::uint32_t& found) {
  ++scalar_states;
  layout.unpack({state, words}, valuation);
  error = evaluator.successors(valuation, expansion);
  found = 0;
  if (error) return false;
  found = static_cast<std::uint32_t>(expansion.branch_count());
  const std::size_t first = to.words.size();
  to.words.resize(first + found * words);
  for (std::uint32_t b = 0; b < found; ++b)
    layout.pack(expansion.target(b), {to.words.data() + first + b * words, words});
  if (!weights_wanted) return true;
  to.weights.insert(to.weights.end(), expansion.weights.begin(), expansion.weights.end());
  for (const Choice& choice : expansion.choices) {
    to.moves.insert(to.moves.end(), choice.branch_count,
                    static_cast<std::uint32_t>(actions.size()));
    actions.push_back(choice.action);
  }
  return true;
}

void BatchExpander::Impl::one_by_one(const std::uint64_t* states, std::size_t count) {
  scalar_out.clear();
  actions.clear();
  std::uint32_t total = 0;
  for (expanded = 0; expanded < count && total < kEnough; ++expanded) {
    std::uint32_t found = 0;
    if (!scalar(states + expanded * words, scalar_out, found)) break;
    begins[expanded] = total;
    total += found;
    begins[expanded + 1] = total;
  }
  out.swap(scalar_out.words);
  out_weights.swap(scalar_out.weights);
  out_moves.swap(scalar_out.moves);
}

BatchExpander::BatchExpander(ModelPtr model, Options options)
    : impl_(std::make_unique<Impl>(std::move(model), options)) {}
BatchExpander::~BatchExpander() = default;
BatchExpander::BatchExpander(BatchExpander&&) noexcept = default;
BatchExpander& BatchExpander::operator=(BatchExpander&&) noexcept = default;

void BatchExpander::expand(const std::uint64_t* states, std::size_t count) {
  BRINK_CHECK(count <= kLanes);
  impl_->error.reset();
  impl_->begins[0] = 0;
  if (!impl_->code || !impl_->columns(states, count)) impl_->one_by_one(states, count);
}

std::size_t BatchExpander::expanded() const { return impl_->expanded; }
const std::uint32_t* BatchExpander::begins() const { return impl_->begins.data(); }
const std::uint64_t* BatchExpander::successors() const { return impl_->out.data(); }
const double* BatchExpander::weights() const { return impl_->out_weights.data(); }
const std::uint32_t* BatchExpander::moves() const { return impl_->out_moves.data(); }
ActionId BatchExpander::action(std::uint32_t move) const { return impl_->actions[move]; }
const std::optional<SemanticError>& BatchExpander::error() const { return impl_->error; }
std::uint64_t BatchExpander::scalar_states() const { return impl_->scalar_states; }

}  // namespace brink
