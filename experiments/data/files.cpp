#include "experiments/data/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace brink {
namespace {

std::string reason(const std::string& path, int error) {
  return fmt::format("cannot write {}: {}", path, std::strerror(error));
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

Result<void, std::string> make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error)
    return fail(fmt::format("cannot make folder {}: {}", folder.string(), error.message()));
  return {};
}

}  // namespace

Result<void, std::string> write_whole(const std::string& path, std::string_view text) {
  const std::filesystem::path target(path);
  if (const auto made = make_folder(target.parent_path()); !made) return made;
  const std::string temporary = fmt::format("{}.tmp-{}", path, ::getpid());
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return fail(reason(path, errno));
  bool good = write_all(file, text) && ::fsync(file) == 0;
  int error = good ? 0 : errno;
  if (::close(file) != 0 && good) good = false, error = errno;
  if (good && ::rename(temporary.c_str(), path.c_str()) != 0) good = false, error = errno;
  if (!good) {
    ::unlink(temporary.c_str());
    return fail(reason(path, error));
  }
  return {};
}

Result<void, std::string> check_writable(const std::string& folder) {
  if (const auto made = make_folder(folder); !made) return made;
  if (::access(folder.c_str(), W_OK | X_OK) != 0) return fail(reason(folder, errno));
  return {};
}

}  // namespace brink
