// Config: a TOML file as a tree of values that know their places.
//
// toml++ reads the text; the rest of the program sees only this. Members are in the order of the
// text. Section walks a table, takes what it knows and reports what is left over. Used by:
// scenarios, queueing networks.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/base/result.h"
#include "models/language/diagnostic.h"

namespace brink {

struct Config {
  enum class Kind { table, array, text, number, boolean };
  Kind kind = Kind::table;
  std::string text;  ///< scalars: the string, or the number or boolean as written
  std::vector<std::pair<std::string, Config>> members;
  std::vector<Config> items;
  Span span;  ///< of the value; {0, 0} for values set from outside

  const Config* find(std::string_view key) const;
  bool scalar() const { return kind != Kind::table && kind != Kind::array; }
};

/// Errors: E0901 with the place toml++ names.
Result<Config, Diagnostics> parse_config(const SourcePtr& source);

/// Sets `path` ("machine.memory", "claim.0.factor") to `value`. Tables on the way are made. Errors:
/// E0902.
Result<void, Diagnostics> set_config(Config& root, const std::string& path, Config value,
                                     const SourcePtr& source);

/// Puts a diagnostic at `span` of `source`. An empty span is no place of the text: the value was
/// set from outside, or the whole file is meant; then a note names the file.
void put_in_place(Diagnostic& diagnostic, const SourcePtr& source, Span span);

/// TOML text of a value, or any other text, which is then a string.
Config config_value(const std::string& text);

/// One table of a config being read. Problems are collected in `found`; reading goes on.
class Section {
 public:
  Section(const Config* table, std::string path, SourcePtr source, Diagnostics& found);

  bool present() const { return table_ != nullptr; }
  Span span() const { return table_ ? table_->span : Span{}; }
  const std::string& path() const { return path_; }

  /// A scalar as text; nullopt when absent (an error when `required`) or not a scalar (an error).
  std::optional<std::string> text(const std::string& key, bool required = false);
  std::optional<double> number(const std::string& key, bool required = false);
  bool flag(const std::string& key);
  /// An array of scalars, or one scalar.
  std::vector<std::pair<std::string, Span>> list(const std::string& key);
  Span span_of(const std::string& key) const;
  Section table(const std::string& key, bool required = false);
  std::vector<Section> tables(const std::string& key);
  /// All members that are scalars, taken.
  std::vector<std::pair<std::string, const Config*>> members();
  const Config* take(const std::string& key);

  void error(std::string code, std::string message, Span span, std::string help = {});
  /// Reports members that were never asked for (E0903).
  void finish();

 private:
  const Config* table_;
  std::string path_;
  SourcePtr source_;
  Diagnostics* found_;
  std::set<std::string> asked_;
};

}  // namespace brink
