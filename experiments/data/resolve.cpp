#include "experiments/data/resolve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "models/language/diagnostic.h"

namespace brink {
namespace {

namespace fs = std::filesystem;

/// The folder that holds library/ and reports/: BRINK_HOME, then beside the installed program, then
/// the source tree it was built from.
fs::path home_folder(const char* part) {
  std::vector<fs::path> candidates;
  if (const char* home = std::getenv("BRINK_HOME")) candidates.emplace_back(home);
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) candidates.push_back(program.parent_path().parent_path() / "share" / "brink");
  for (const fs::path& candidate : candidates) {
    if (fs::is_directory(candidate / part, error)) return candidate / part;
  }
  const fs::path source(BRINK_SOURCE_DIR);
  return std::string_view(part) == "library" ? source / "models" / "library"
                                             : source / "experiments" / "reports";
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

std::vector<std::string> names_in(const fs::path& folder, bool folders) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (folders ? is_file(entry.path() / "report.toml") : entry.path().extension() == ".prism") {
      names.push_back((folders ? entry.path().filename() : entry.path().stem()).string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string not_found(const std::string& what, const std::string& name,
                      const std::vector<std::string>& known) {
  const std::string near = nearest_name(name, known);
  return fmt::format("no {} `{}`: there is no such file, and none of that name in the library{}",
                     what, name, near.empty() ? "" : fmt::format("; did you mean `{}`?", near));
}

}  // namespace

std::vector<std::string> library_models() { return names_in(home_folder("library"), false); }
std::vector<std::string> reports() { return names_in(home_folder("reports"), true); }

Result<std::string, std::string> find_model(const std::string& name, const std::string& folder) {
  if (is_file(name)) return name;
  if (!folder.empty() && is_file(fs::path(folder) / name))
    return (fs::path(folder) / name).string();
  const bool full = fs::path(name).extension() == ".prism";
  const fs::path in_library = home_folder("library") / (full ? name : name + ".prism");
  if (is_file(in_library)) return in_library.string();
  return fail(not_found("model", name, library_models()));
}

std::string display_name(const std::string& model_path) {
  const fs::path path(model_path);
  return path.parent_path() == home_folder("library") ? path.filename().string() : model_path;
}

Result<std::string, std::string> find_scenario(const std::string& name) {
  if (is_file(name)) return name;
  if (is_file(fs::path(name) / "report.toml")) return (fs::path(name) / "report.toml").string();
  for (const std::string& report : reports()) {
    if (report == name || report.substr(0, 4) == name) {
      return (home_folder("reports") / report / "report.toml").string();
    }
  }
  return fail(not_found("scenario", name, reports()));
}

std::string property_file_of(const std::string& model_path) {
  fs::path path(model_path);
  path.replace_extension(".props");
  return is_file(path) ? path.string() : std::string{};
}

}  // namespace brink
