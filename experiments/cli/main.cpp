// The program `brink`: reads the command line, runs one command, turns what happened into an exit
// code.

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "experiments/cli/commands.h"
#include "experiments/cli/interrupt.h"
#include "models/base/check.h"
#include "solver/symbolic/smt_watch.h"

namespace {

int internal_error(const std::string& what, int argc, char** argv) {
  fmt::print(
      stderr,
      "internal error: {}\nthis is a bug of brink; please report it with the command line:\n ",
      what);
  for (int i = 0; i < argc; ++i) fmt::print(stderr, " {}", argv[i]);
  fmt::print(stderr, "\n");
  return brink::cli::kInternal;
}

/// An exception that nobody can catch: thrown by a destructor, or on the way of another one. Z3
/// does that when it is interrupted at a bad moment.
[[noreturn]] void end_without_unwinding() {
  const bool interrupted = brink::solver::smt_was_interrupted();
  std::fputs(interrupted ? "error: Z3 broke down when its time was up: no answer\n"
                         : "internal error: an exception that nobody caught\n"
                           "this is a bug of brink; please report it with the command line\n",
             stderr);
  std::fflush(stdout);
  std::_Exit(interrupted ? brink::cli::kUndecided : brink::cli::kInternal);
}

}  // namespace

int main(int argc, char** argv) {
  std::set_terminate(end_without_unwinding);
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of writing, not a death;
  std::signal(SIGXFSZ, SIG_IGN);  // so is a file that must not grow
  try {
    const brink::cli::Request request = brink::cli::read_arguments({argv + 1, argv + argc});
    if (!request.command) {
      std::FILE* const out = request.exit_code == 0 ? stdout : stderr;
      if (std::fputs(request.text.c_str(), out) < 0 || std::fflush(out) != 0)
        return brink::cli::kEnvironment;
      return request.exit_code;
    }
    brink::cli::catch_interrupts();
    brink::cli::end_without_answer_after(request.options.time_limit_s);
    if (!request.command->limits_each_question)
      brink::cli::interrupt_after(request.options.time_limit_s);
    brink::cli::Output output(request.options);
    const int code = request.command->run(request.options, output);
    if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
      return output.error(brink::cli::kEnvironment, "cannot write the result to standard output");
    }
    return code;
  } catch (const std::bad_alloc&) {
    std::fputs("error: out of memory\nhelp: give a --memory-limit, or smaller sizes\n", stderr);
    return brink::cli::kEnvironment;
  } catch (const std::exception& error) {
    return internal_error(error.what(), argc, argv);
  }
}
