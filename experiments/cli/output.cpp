#include "experiments/cli/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace brink::cli {
namespace {

constexpr std::array kPrecedence = {kInternal, kDisagreement, kEnvironment, kInput,
                                    kUsage,    kViolated,     kUndecided,   kDone};

bool use_color(const std::string& when, int file) {
  if (when == "always") return true;
  if (when == "never" || std::getenv("NO_COLOR") || !::isatty(file)) return false;
  const char* terminal = std::getenv("TERM");
  return terminal && std::string_view(terminal) != "dumb";
}

/// stdout is the result: when it cannot be written the command has failed.
void put(std::FILE* file, const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), file) != text.size() && file == stdout) {
    std::fputs("error: cannot write the result to standard output\n", stderr);
    std::_Exit(kEnvironment);
  }
}

nlohmann::ordered_json twin(const Diagnostic& diagnostic) {
  nlohmann::ordered_json object = {
      {"type", "diagnostic"},
      {"code", diagnostic.code},
      {"severity", diagnostic.severity == Severity::error ? "error" : "warning"},
      {"message", diagnostic.message}};
  if (diagnostic.source && diagnostic.begin()) {
    object["file"] = diagnostic.source->name();
    object["line"] = diagnostic.begin()->line;
    object["column"] = diagnostic.begin()->column;
    object["end_line"] = diagnostic.end()->line;
    object["end_column"] = diagnostic.end()->column;
  }
  if (!diagnostic.notes.empty()) object["notes"] = diagnostic.notes;
  if (!diagnostic.help.empty()) object["help"] = diagnostic.help;
  return object;
}

}  // namespace

int worse(int a, int b) {
  for (const int code : kPrecedence) {
    if (a == code || b == code) return code;
  }
  return kInternal;
}

Output::Output(const Options& options)
    : json_(options.json),
      quiet_(options.quiet),
      color_out_(use_color(options.color, STDOUT_FILENO)),
      color_err_(use_color(options.color, STDERR_FILENO)),
      terminal_(::isatty(STDERR_FILENO) != 0) {}

void Output::clear_progress() {
  if (progress_shown_) put(stderr, "\r\x1b[K");
  progress_shown_ = false;
}

void Output::say(const std::string& text) {
  clear_progress();
  if (!json_) put(stdout, text);
}

void Output::object(const nlohmann::ordered_json& object) {
  if (json_)
    put(stdout, object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void Output::progress(const std::string& text) {
  if (quiet_ || !terminal_) return;
  put(stderr, fmt::format("\r\x1b[K{}", text));
  std::fflush(stderr);
  progress_shown_ = true;
}

void Output::note(const std::string& text) {
  clear_progress();
  if (!quiet_) put(stderr, text + "\n");
}

void Output::remark(const nlohmann::ordered_json& object) { note(object.dump()); }

int Output::report(const Diagnostics& diagnostics) {
  clear_progress();
  for (const Diagnostic& diagnostic : diagnostics) object(twin(diagnostic));
  put(stderr, render(diagnostics, color_err_));
  return has_errors(diagnostics) ? kInput : kDone;
}

int Output::error(int code, const std::string& message, const std::string& help) {
  clear_progress();
  object({{"type", "diagnostic"}, {"severity", "error"}, {"message", message}, {"help", help}});
  put(stderr,
      fmt::format("error: {}\n{}", message, help.empty() ? "" : fmt::format("help: {}\n", help)));
  return code;
}

nlohmann::ordered_json json_number(double value) {
  if (std::isnan(value)) return nullptr;
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

}  // namespace brink::cli
