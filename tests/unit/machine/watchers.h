// Observers the tests share.
#pragma once

#include <map>
#include <set>

#include "tests/unit/machine/rigs.h"

namespace brink::machine {

/// Answers some decisions differently from the kernel.
struct Decider : Observer {
  std::map<int, bool> answers;
  bool decide(int site, bool native, Counters) override {
    const auto found = answers.find(site);
    return found == answers.end() ? native : found->second;
  }
};

/// Checks that counters change only with events, and that one event is one kind of change: the same
/// differences of the same counters every time. `quiet` counters (statistics) may run along, and
/// `set` ones may come from any value.
struct Bookkeeper : Observer {
  Bookkeeper(const Rig& rig, std::set<std::string> quiet_names, std::set<std::string> set_names) {
    const KernelRow& row = **find_kernel(rig.kernel);
    for (std::size_t i = 0; i < row.counters.size(); ++i) {
      quiet.push_back(quiet_names.contains(std::string(row.counters[i].name)));
      set.push_back(set_names.contains(std::string(row.counters[i].name)));
    }
    kernel = &row;
  }

  void event(int event, std::int64_t count, Counters counters, Time) override {
    ++events[event];
    std::vector<std::int64_t> change;
    for (std::size_t i = 0; i < counters.size(); ++i) {
      const std::int64_t difference = counters[i] - last[i];
      if (quiet[i] || set[i]) {
        change.push_back(0);
        continue;
      }
      if (difference % count != 0) problem(event, i, "is not a multiple of the count");
      change.push_back(difference / count);
    }
    const auto [known, fresh] = kinds.try_emplace(event, change);
    for (std::size_t i = 0; !fresh && i < change.size(); ++i) {
      if (known->second[i] != change[i]) problem(event, i, "changes differently");
    }
    last.assign(counters.begin(), counters.end());
  }
  bool decide(int, bool native, Counters counters) override {
    for (std::size_t i = 0; i < counters.size(); ++i) {
      if (!quiet[i] && counters[i] != last[i]) problem(-1, i, "changed without an event");
    }
    return native;
  }
  void problem(int event, std::size_t counter, const char* what) {
    problems.insert(
        (event < 0 ? std::string("decision") : std::string(kernel->events[event].name)) + ": " +
        std::string(kernel->counters[counter].name) + " " + what);
  }

  const KernelRow* kernel;
  std::vector<bool> quiet, set;
  std::vector<std::int64_t> last;
  std::map<int, std::vector<std::int64_t>> kinds;
  std::map<int, std::int64_t> events;
  std::set<std::string> problems;
};

}  // namespace brink::machine
