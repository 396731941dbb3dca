// Observer: how the outside watches a running machine and, if it wants to, decides for it.
//
// Users: conformance (events and counters against the model's steps), `decide = "model"` (the
// model's guard in place of the kernel's choice), tests. The machine knows nothing about models.
#pragma once

#include <cstdint>
#include <span>

#include "models/machine/tables.h"

namespace brink::machine {

/// The kernel's counters in the order of its counter table; always current.
using Counters = std::span<const std::int64_t>;

class Observer {
 public:
  virtual ~Observer() = default;

  /// Called at decision `site` (a row of the kernel's decision table) before anything is done.
  /// `native` is the kernel's own choice; the returned value is what the machine does.
  virtual bool decide(int site, bool native, Counters counters) {
    (void)site, (void)counters;
    return native;
  }

  /// Called right after a change: event `event` (a row of the kernel's event table) happened
  /// `count` times in a row; `counters` show the state after the last of them.
  virtual void event(int event, std::int64_t count, Counters counters, Time now) {
    (void)event, (void)count, (void)counters, (void)now;
  }
};

}  // namespace brink::machine
