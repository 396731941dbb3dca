#include "solver/search/checkpoint.h"

#include <fmt/core.h>

#include <boost/crc.hpp>
#include <cstring>

#include "models/base/check.h"
#include "models/language/printer.h"

namespace brink::solver {
namespace {

constexpr std::string_view kMagic = "BRINKCP1";

/// Everything of fixed size; all numbers as the machine has them, which `order` makes sure of.
struct Header {
  char magic[8];
  std::uint64_t order = 0x0102030405060708ULL;
  std::uint64_t model = 0;  ///< fingerprint
  std::uint64_t words = 0;  ///< of a state
  std::uint64_t states = 0, initial = 0, expanded = 0, transitions = 0;
};

std::uint64_t checksum(std::string_view bytes) {
  boost::crc_optimal<64, 0x42f0e1eba9ea3693ULL, ~0ULL, ~0ULL, true, true> crc;  // CRC-64/XZ
  crc.process_bytes(bytes.data(), bytes.size());
  return crc.checksum();
}

template <typename T>
void append(std::string& out, const T* from, std::size_t count) {
  out.append(reinterpret_cast<const char*>(from), count * sizeof(T));
}

/// Reads arrays one after the other; the sizes have been checked.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <typename T>
  void read(T* to, std::size_t count) {
    BRINK_CHECK(count * sizeof(T) <= bytes_.size());
    if (count != 0) std::memcpy(to, bytes_.data(), count * sizeof(T));
    bytes_.remove_prefix(count * sizeof(T));
  }

 private:
  std::string_view bytes_;
};

std::size_t flag_words(std::uint64_t expanded) { return (expanded + 63) / 64; }

/// Bytes of the whole, without the checksum.
std::uint64_t size_of(const Header& header) {
  return sizeof(Header) + header.states * header.words * sizeof(std::uint64_t) +
         (header.states - header.initial) * sizeof(std::uint32_t) +
         flag_words(header.expanded) * sizeof(std::uint64_t);
}

bool plausible(const Header& header) {
  return header.states <= StateTable::kMaxStates && header.words <= (1u << 20) &&
         header.initial <= header.states && header.expanded <= header.states && header.initial > 0;
}

}  // namespace

std::string to_checkpoint(const StateGraph& graph) {
  BRINK_CHECK(!graph.error_);
  Header header;
  std::memcpy(header.magic, kMagic.data(), kMagic.size());
  header.model = checksum(print(*graph.model_));
  header.words = graph.layout_.words();
  header.states = graph.size();
  header.initial = graph.initial_;
  header.expanded = graph.expanded_;
  header.transitions = graph.transitions_;
  std::string out;
  out.reserve(size_of(header) + sizeof(std::uint64_t));
  append(out, &header, 1);
  append(out, graph.table_.data(), header.states * header.words);
  for (std::uint32_t s = graph.initial_; s < graph.size(); ++s) {
    const std::uint32_t parent = graph.parents_[s - graph.initial_];
    append(out, &parent, 1);
  }
  append(out, graph.deadlocks_.data(), flag_words(header.expanded));
  const std::uint64_t sum = checksum(out);
  append(out, &sum, 1);
  return out;
}

Result<std::unique_ptr<StateGraph>, std::string> from_checkpoint(std::string_view bytes,
                                                                 const ModelPtr& model,
                                                                 unsigned threads) {
  if (!bytes.starts_with(kMagic)) return fail(std::string("it is no checkpoint of this version"));
  Header header;
  std::uint64_t sum = 0;
  if (bytes.size() < sizeof(Header) + sizeof(sum)) return fail(std::string("it is cut off"));
  Reader reader(bytes);
  reader.read(&header, 1);
  if (header.order != Header{}.order)
    return fail(std::string("it was written by a machine with another order of bytes"));
  if (!plausible(header) || bytes.size() != size_of(header) + sizeof(sum))
    return fail(std::string("it is cut off or has been changed"));
  std::memcpy(&sum, bytes.data() + bytes.size() - sizeof(sum), sizeof(sum));
  if (sum != checksum(bytes.substr(0, bytes.size() - sizeof(sum))))
    return fail(std::string("its checksum is wrong: it has been changed"));
  if (header.model != checksum(print(*model)))
    return fail(std::string("it is of another model, or of other constants"));

  std::unique_ptr<StateGraph> graph(new StateGraph(model, threads, StateGraph::Empty{}));
  BRINK_CHECK(header.words == graph->layout_.words());
  std::vector<std::uint64_t> states(header.states * header.words);
  reader.read(states.data(), states.size());
  graph->table_.fill(states.data(), static_cast<std::uint32_t>(header.states));
  std::vector<std::uint32_t> parents(header.states - header.initial);
  reader.read(parents.data(), parents.size());
  for (const std::uint32_t parent : parents) graph->parents_.append(parent);
  graph->deadlocks_.resize(flag_words(header.expanded));
  reader.read(graph->deadlocks_.data(), graph->deadlocks_.size());
  graph->initial_ = static_cast<std::uint32_t>(header.initial);
  graph->expanded_ = static_cast<std::uint32_t>(header.expanded);
  graph->transitions_ = header.transitions;
  graph->complete_ = header.expanded == header.states;
  return graph;
}

}  // namespace brink::solver
