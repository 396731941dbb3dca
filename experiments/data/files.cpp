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

/// Devices, pipes: written as they are, since renaming a file over them would destroy them.
Result<void, std::string> write_through(const std::string& path, std::string_view text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return fail(reason(path, errno));
  bool good = write_all(file, text);
  int error = good ? 0 : errno;
  if (::close(file) != 0 && good) good = false, error = errno;
  if (!good) return fail(reason(path, error));
  return {};
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
  std::error_code error_code;
  std::filesystem::path target(path);
  const auto status = std::filesystem::status(target, error_code);
  if (std::filesystem::is_directory(status)) return fail(reason(path, EISDIR));
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    return write_through(path, text);
  // A link stays one: what it leads to is replaced.
  if (std::filesystem::is_symlink(std::filesystem::symlink_status(target, error_code)) &&
      std::filesystem::exists(status))
    target = std::filesystem::canonical(target, error_code);
  if (const auto made = make_folder(target.parent_path()); !made) return made;
  const std::string temporary = fmt::format("{}.tmp-{}", target.string(), ::getpid());
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return fail(reason(path, errno));
  bool good = write_all(file, text) && ::fsync(file) == 0;
  int error = good ? 0 : errno;
  if (::close(file) != 0 && good) good = false, error = errno;
  if (good && ::rename(temporary.c_str(), target.c_str()) != 0) good = false, error = errno;
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
