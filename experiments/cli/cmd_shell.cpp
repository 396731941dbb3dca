// man, completions: from the tables of commands and options, so that they cannot fall behind.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "experiments/cli/commands.h"

namespace brink::cli {
namespace {

std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    if (c == '\n') out += "\\&";
  }
  return out;
}

std::string names_of_commands() {
  std::string names;
  for (const CommandRow& command : command_rows())
    names += fmt::format("{}{}", names.empty() ? "" : " ", command.name);
  return names;
}

std::string names_of_options() {
  std::string names;
  for (const OptionRow& option : option_rows())
    names += fmt::format("{}--{}", names.empty() ? "" : " ", option.name);
  return names;
}

std::string fish() {
  std::string text;
  for (const CommandRow& command : command_rows()) {
    text += fmt::format("complete -c brink -n __fish_use_subcommand -a {} -d '{}'\n", command.name,
                        command.about);
  }
  for (const OptionRow& option : option_rows()) {
    text += fmt::format("complete -c brink -l {}{} -d '{}'\n", option.name,
                        option.argument.empty() ? "" : " -r", option.help);
  }
  return text;
}

}  // namespace

int run_man(const Options&, Output& output) {
  std::string page = fmt::format(
      ".TH BRINK 1 \"\" \"brink {}\" \"User Commands\"\n.SH NAME\nbrink \\- check, predict and "
      "simulate cache and "
      "virtual\\-memory policies\n.SH SYNOPSIS\n.B brink\nCOMMAND [OPTIONS] [ARGUMENTS]\n.SH "
      "COMMANDS\n",
      BRINK_VERSION);
  for (const CommandRow& command : command_rows()) {
    page += fmt::format(".TP\n.B {} {}\n{}\n", roff(command.name), roff(command.arguments),
                        roff(command.about));
  }
  page += ".SH OPTIONS\n";
  for (const OptionRow& option : option_rows()) {
    page += fmt::format(".TP\n.B \\-\\-{} {}\n{}\n", roff(option.name), roff(option.argument),
                        roff(option.help));
  }
  page += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : {std::pair{0, "done; every property asked about holds"},
                                      {10, "a property is violated"},
                                      {30, "undecided: a limit was reached"},
                                      {2, "wrong usage"},
                                      {3, "wrong model, scenario or data file"},
                                      {4, "environment: a file cannot be written"},
                                      {5, "engines or replay disagree"},
                                      {1, "internal error"}}) {
    page += fmt::format(".TP\n.B {}\n{}\n", code, roff(meaning));
  }
  output.object({{"type", "man"}, {"text", page}});
  output.say(page);
  return kDone;
}

int run_completions(const Options& options, Output& output) {
  const std::string& shell = options.arguments[0];
  std::string text;
  if (shell == "bash") {
    text = fmt::format(
        "_brink() {{\n  local word=${{COMP_WORDS[COMP_CWORD]}}\n  if [ $COMP_CWORD -eq 1 ]; then\n "
        "   COMPREPLY=($(compgen -W "
        "'{}' -- \"$word\"))\n  elif [[ $word == -* ]]; then\n    COMPREPLY=($(compgen -W '{}' -- "
        "\"$word\"))\n  else\n    "
        "COMPREPLY=($(compgen -f -- \"$word\"))\n  fi\n}}\ncomplete -F _brink brink\n",
        names_of_commands(), names_of_options());
  } else if (shell == "zsh") {
    text = fmt::format("#compdef brink\n_arguments '1:command:({})' '*:argument:_files'\n",
                       names_of_commands());
  } else if (shell == "fish") {
    text = fish();
  } else {
    return output.error(kUsage, fmt::format("no completions for `{}`", shell), "bash, zsh or fish");
  }
  output.object({{"type", "completions"}, {"text", text}});
  output.say(text);
  return kDone;
}

}  // namespace brink::cli
