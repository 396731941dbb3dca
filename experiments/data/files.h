// Files that are whole or absent: written to a temporary name, synced and renamed.
// Used by: everything of the program that writes (figures, CSV, traces, reports).
#pragma once

#include <string>
#include <string_view>

#include "models/base/result.h"

namespace brink {

/// Writes `text` to `path` so that the file is never seen half-written; makes missing folders. The
/// error is one line naming the path and the system's reason; the temporary file is gone then.
Result<void, std::string> write_whole(const std::string& path, std::string_view text);

/// Could a file be written in this folder? Makes the folder. For failing before the long run.
Result<void, std::string> check_writable(const std::string& folder);

}  // namespace brink
