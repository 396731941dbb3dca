#include "experiments/data/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

namespace brink {
namespace {

std::uint32_t offset(const SourceText& source, const toml::source_position& place) {
  if (place.line == 0) return 0;
  const auto size = static_cast<std::uint32_t>(source.text().size());
  std::uint32_t low = 0, high = size;  // first byte at or behind the place
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    const Position at = source.position(middle);
    if (at.line < place.line || (at.line == place.line && at.column < place.column)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

Span place(const SourcePtr& source, const toml::source_region& region) {
  if (!source || region.begin.line == 0) return {};
  return {offset(*source, region.begin), offset(*source, region.end)};
}

constexpr int kMaxKeyParts = 64;

/// Where a key like a.b.c has more parts than anybody writes: toml++ limits the nesting of values
/// but not of keys, and its recursion (and ours) would end the stack. text.size() when nowhere.
std::size_t too_long_key(std::string_view text) {
  const auto of_key = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("_-.\"' \t").find(c) != std::string_view::npos;
  };
  int dots = 0;
  char last = '.';
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!of_key(text[i]) || (text[i] == '.' && last == '.'))
      dots = 0;
    else if (text[i] == '.' && ++dots >= kMaxKeyParts)
      return i;
    if (text[i] != ' ' && text[i] != '\t') last = text[i];
  }
  return text.size();
}

/// Recursion is as deep as the file's nesting, which toml++ limits to 256 values of kMaxKeyParts.
Config convert(const toml::node& node, const SourcePtr& source) {
  Config result;
  result.span = place(source, node.source());
  if (const auto* table = node.as_table()) {
    std::vector<std::pair<std::uint32_t, std::pair<std::string, Config>>> members;
    for (const auto& [key, value] : *table) {
      const std::uint32_t at = source ? place(source, key.source()).begin : 0;
      members.push_back({at, {std::string(key.str()), convert(value, source)}});
    }
    std::stable_sort(members.begin(), members.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& member : members) result.members.push_back(std::move(member.second));
  } else if (const auto* array = node.as_array()) {
    result.kind = Config::Kind::array;
    for (const toml::node& item : *array) result.items.push_back(convert(item, source));
  } else if (const auto* text = node.as_string()) {
    result.kind = Config::Kind::text;
    result.text = text->get();
  } else if (const auto* whole = node.as_integer()) {
    result.kind = Config::Kind::number;
    result.text = fmt::format("{}", whole->get());
  } else if (const auto* real = node.as_floating_point()) {
    result.kind = Config::Kind::number;
    result.text = fmt::format("{}", real->get());
  } else if (const auto* boolean = node.as_boolean()) {
    result.kind = Config::Kind::boolean;
    result.text = boolean->get() ? "true" : "false";
  } else {
    result.kind = Config::Kind::text;  // dates: nothing in Brink takes one
  }
  return result;
}

}  // namespace

const Config* Config::find(std::string_view key) const {
  for (const auto& [name, value] : members) {
    if (name == key) return &value;
  }
  return nullptr;
}

Result<Config, Diagnostics> parse_config(const SourcePtr& source) {
  if (const std::size_t at = too_long_key(source->text()); at < source->text().size()) {
    const auto begin = static_cast<std::uint32_t>(at);
    return fail(
        Diagnostics{Diagnostic{.code = "E0901",
                               .message = fmt::format("a key has more than {} parts", kMaxKeyParts),
                               .source = source,
                               .span = {begin, begin + 1}}});
  }
  const toml::parse_result parsed = toml::parse(source->text(), source->name());
  if (parsed) return convert(parsed.table(), source);
  const toml::parse_error& error = parsed.error();
  Diagnostic diagnostic{.code = "E0901",
                        .message = fmt::format("not TOML: {}", error.description()),
                        .source = source,
                        .span = place(source, error.source())};
  return fail(Diagnostics{std::move(diagnostic)});
}

Config config_value(const std::string& text) {
  const bool safe = too_long_key(text) == text.size();
  const toml::parse_result parsed = toml::parse(safe ? fmt::format("v = {}", text) : std::string());
  if (safe && parsed) {
    if (const toml::node* node = parsed.table().get("v"); node && parsed.table().size() == 1) {
      return convert(*node, nullptr);
    }
  }
  Config value;
  value.kind = Config::Kind::text;
  value.text = text;
  return value;
}

Result<void, Diagnostics> set_config(Config& root, const std::string& path, Config value,
                                     const SourcePtr& source) {
  Config* node = &root;
  std::string rest = path;
  int parts = 0;
  while (true) {
    const std::size_t dot = rest.find('.');
    const std::string key = rest.substr(0, dot);
    const auto wrong = [&](std::string message) {
      Diagnostic diagnostic{.code = "E0902", .message = std::move(message)};
      put_in_place(diagnostic, source, {});
      return fail(Diagnostics{std::move(diagnostic)});
    };
    if (++parts > kMaxKeyParts) return wrong("a path of so many keys is no path of a scenario");
    if (key.empty()) return wrong(fmt::format("`{}` is not a path of keys", path));
    Config* next = nullptr;
    if (node->kind == Config::Kind::array) {
      std::size_t index = 0;
      const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
      if (error != std::errc{} || end != key.data() + key.size() || index >= node->items.size()) {
        return wrong(fmt::format("`{}`: `{}` is not an index of that array", path, key));
      }
      next = &node->items[index];
    } else if (node->kind == Config::Kind::table) {
      for (auto& [name, member] : node->members) {
        if (name == key) next = &member;
      }
      if (!next) {
        node->members.emplace_back(key, Config{});
        next = &node->members.back().second;
      }
    } else {
      return wrong(fmt::format("`{}`: what stands before `{}` is not a table", path, key));
    }
    if (dot == std::string::npos) {
      *next = std::move(value);
      return {};
    }
    node = next;
    rest = rest.substr(dot + 1);
  }
}

void put_in_place(Diagnostic& diagnostic, const SourcePtr& source, Span span) {
  diagnostic.span = span;
  diagnostic.source = span.end > 0 ? source : nullptr;
  diagnostic.label.clear();
  if (span.end == 0) diagnostic.notes.push_back(fmt::format("in {}", source->name()));
}

Section::Section(const Config* table, std::string path, SourcePtr source, Diagnostics& found)
    : table_(table), path_(std::move(path)), source_(std::move(source)), found_(&found) {}

void Section::error(std::string code, std::string message, Span span, std::string help) {
  if (found_->size() >= kMaxDiagnostics) return;
  found_->push_back(
      Diagnostic{.code = std::move(code), .message = std::move(message), .help = std::move(help)});
  put_in_place(found_->back(), source_, span);
}

const Config* Section::take(const std::string& key) {
  asked_.insert(key);
  return table_ ? table_->find(key) : nullptr;
}

Span Section::span_of(const std::string& key) const {
  const Config* value = table_ ? table_->find(key) : nullptr;
  return value ? value->span : span();
}

std::optional<std::string> Section::text(const std::string& key, bool required) {
  const Config* value = take(key);
  if (!value) {
    if (required) {
      error("E0904", fmt::format("`{}{}{}` is missing", path_, path_.empty() ? "" : ".", key),
            span());
    }
    return std::nullopt;
  }
  if (!value->scalar()) {
    error("E0906", fmt::format("`{}` must be one value", key), value->span);
    return std::nullopt;
  }
  return value->text;
}

std::optional<double> Section::number(const std::string& key, bool required) {
  const auto found = text(key, required);
  if (!found) return std::nullopt;
  double value = 0;
  const char* end = found->data() + found->size();
  const auto [parsed, error_code] = std::from_chars(found->data(), end, value);
  if (error_code == std::errc{} && parsed == end) return value;
  error("E0906", fmt::format("`{}` must be a number, not `{}`", key, *found), span_of(key));
  return std::nullopt;
}

bool Section::flag(const std::string& key) {
  const auto found = text(key);
  if (found && *found != "true" && *found != "false") {
    error("E0906", fmt::format("`{}` must be true or false", key), span_of(key));
  }
  return found && *found == "true";
}

std::vector<std::pair<std::string, Span>> Section::list(const std::string& key) {
  std::vector<std::pair<std::string, Span>> result;
  const Config* value = take(key);
  if (!value) return result;
  if (value->scalar()) result.emplace_back(value->text, value->span);
  for (const Config& item : value->items) {
    if (item.scalar()) {
      result.emplace_back(item.text, item.span);
    } else {
      error("E0906", fmt::format("`{}` must be a list of single values", key), item.span);
    }
  }
  if (value->kind == Config::Kind::table)
    error("E0906", fmt::format("`{}` must be a list", key), value->span);
  return result;
}

Section Section::table(const std::string& key, bool required) {
  const Config* value = take(key);
  const std::string path = path_.empty() ? key : path_ + "." + key;
  if (!value && required) error("E0904", fmt::format("the table `[{}]` is missing", path), span());
  if (value && value->kind != Config::Kind::table) {
    error("E0906", fmt::format("`{}` must be a table", path), value->span);
    value = nullptr;
  }
  return Section(value, path, source_, *found_);
}

std::vector<Section> Section::tables(const std::string& key) {
  std::vector<Section> result;
  const Config* value = take(key);
  const std::string path = path_.empty() ? key : path_ + "." + key;
  if (!value) return result;
  if (value->kind != Config::Kind::array) {
    error("E0906", fmt::format("`{}` must be an array of tables, written [[{}]]", path, path),
          value->span);
    return result;
  }
  for (const Config& item : value->items) {
    if (item.kind == Config::Kind::table) {
      result.emplace_back(&item, path, source_, *found_);
    } else {
      error("E0906", fmt::format("`{}` must hold tables", path), item.span);
    }
  }
  return result;
}

std::vector<std::pair<std::string, const Config*>> Section::members() {
  std::vector<std::pair<std::string, const Config*>> result;
  if (!table_) return result;
  for (const auto& [key, value] : table_->members) {
    if (!asked_.insert(key).second) continue;
    result.emplace_back(key, &value);
  }
  return result;
}

void Section::finish() {
  if (!table_) return;
  const std::vector<std::string> known(asked_.begin(), asked_.end());
  for (const auto& [key, value] : table_->members) {
    if (asked_.count(key)) continue;
    const std::string near = nearest_name(key, known);
    error(
        "E0903", fmt::format("unknown key `{}`{}", key, path_.empty() ? "" : " in [" + path_ + "]"),
        value.span, near.empty() ? std::string{} : fmt::format("a known key is near: `{}`", near));
  }
}

}  // namespace brink
