// Probe: the kernel's side of the observer. Holds the counters, reports events, asks for decisions.
//
// Users: kernels only. A test of one raw pointer is all it costs when nobody watches, for it is
// asked once per page.
#pragma once

#include <vector>

#include "models/machine/engine.h"
#include "models/machine/observer.h"
#include "models/machine/random.h"

namespace brink::machine {

class Kernel;

class Probe {
 public:
  Probe(const Engine& engine, std::size_t counters) : engine_(engine), counters_(counters, 0) {}

  std::int64_t& operator[](std::size_t counter) { return counters_[counter]; }
  std::int64_t operator[](std::size_t counter) const { return counters_[counter]; }
  const std::vector<std::int64_t>& counters() const { return counters_; }

  /// What is to be done at `site`, where the kernel by itself would do `native`.
  bool decide(int site, bool native) {
    if (observer_ != nullptr) native = observer_->decide(site, native, counters_);
    return refusals_ppm_ > 0 && native ? !refuses(site) : native;
  }

  /// Reports that `event` has just happened `count` times; nothing if count is 0.
  void emit(int event, std::int64_t count = 1) {
    if (count == 0) return;
    if (observer_ != nullptr) observer_->event(event, count, counters_, engine_.now());
    if (checked_ != nullptr) check();
  }

  void observe(Observer* observer) { observer_ = observer; }
  /// Recount everything in `kernel` after every event.
  void check_with(const Kernel* kernel) { checked_ = kernel; }
  /// Refuse `ppm` of a million allocations that would be granted.
  void refuse(std::span<const DecisionRow> sites, std::int64_t ppm, std::uint64_t seed) {
    sites_ = sites;
    refusals_ppm_ = ppm;
    random_ = Random(seed, 2);
  }

 private:
  bool refuses(int site) {
    return sites_[static_cast<std::size_t>(site)].allocation && random_.chance(refusals_ppm_);
  }
  void check() const;

  const Engine& engine_;
  std::vector<std::int64_t> counters_;
  Observer* observer_ = nullptr;
  const Kernel* checked_ = nullptr;
  std::span<const DecisionRow> sites_;
  std::int64_t refusals_ppm_ = 0;
  Random random_{0, 2};
};

}  // namespace brink::machine
