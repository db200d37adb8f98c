// The only file that includes CLI11, which takes seconds to compile.
#include "cli/args.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <variant>

#include "cli/console.h"
#include "cli/files.h"
#include "gopnet/error.h"

namespace gopnet::cli {
namespace {

using Target = std::variant<std::string*, bool*, Words*>;
constexpr size_t kNameWidth = 30;  // of the options in --help
constexpr size_t kDocWidth = 68;

std::string FlagName(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

// --a_b=c_d -> --a-b=c_d
std::string WithDashes(const std::string& word) {
  const size_t end = std::min(word.find('='), word.size());
  return word.rfind("--", 0) == 0 ? FlagName(word.substr(2, end - 2)) + word.substr(end) : word;
}

bool ParseBool(const std::string& text, const std::string& who) {
  if (text != "true" && text != "false")
    throw Error(who + ": '" + text + "' given, true or false wanted");
  return text == "true";
}

// What CLI11 says of a flag that got another value: "Could not convert: --json = maybe"
[[noreturn]] void FailOnFlag(std::string text) {
  text.erase(0, text.find(": ") + 2);
  const size_t equals = text.find(" = ");
  throw Error(text.substr(0, equals) + ": '" + text.substr(equals + 3) +
              "' given, true or false wanted; alone it means true");
}

std::string ValueText(const Target& target) {
  if (auto* text = std::get_if<std::string*>(&target)) return **text;
  if (auto* flag = std::get_if<bool*>(&target)) return **flag ? "true" : "false";
  return Join(*std::get<Words*>(target), " ");
}

// Keys that come twice: CLI11 would make one list of both values.
void RefuseRepeatedKeys(const std::string& path, const std::string& toml) {
  std::set<std::string> seen;
  for (const std::string& line : Split(toml, '\n')) {
    const size_t begin = line.find_first_not_of(" \t");
    const size_t equals = line.find('=');
    if (begin == std::string::npos || equals == std::string::npos || line[begin] == '#') continue;
    std::string key = Underscored(line.substr(begin, equals - begin));
    key.erase(key.find_last_not_of(" \t") + 1);
    if (!seen.insert(key).second) throw Error(path + ": key '" + key + "' is given twice");
  }
}

// CLI11 would make a list as long as the depth of a section, for each of its depths.
void RefuseSections(const std::string& bytes, const std::string& path) {
  std::istringstream text(bytes);
  for (std::string line; std::getline(text, line);) {
    CLI::detail::trim(line);
    if (line.size() > 1 && line.front() == '[' && line.back() == ']')
      throw Error(path + ": section " + line + ": keys stand without sections");
  }
}

std::vector<CLI::ConfigItem> ParseToml(std::istream& text, const std::string& path) try {
  return CLI::ConfigTOML().from_config(text);
} catch (const std::exception& e) {
  throw Error(path + ": cannot be read as TOML: " + e.what());
}

}  // namespace

struct Args::Impl {
  CLI::App app;
  std::string command;
  std::string group = "Options";
  std::map<std::string, Target> targets;
  std::map<std::string, CLI::Option*> options;
  std::map<std::string, std::string> applied;  // name -> file
  std::set<std::string> not_chosen;            // of the applied
  std::vector<std::pair<std::string, std::string*>> positionals;
  bool json = false;
  bool quiet = false;

  void Add(const std::string& name, Target target, CLI::Option* option) {
    option->group(group);
    targets[name] = target;
    options[name] = option;
  }

  void RefuseExtras() const {
    for (const std::string& word : app.remaining()) {
      if (word.rfind('-', 0) != 0) throw Error("unexpected argument '" + word + "'" + SeeHelp());
      const std::string name = word.substr(0, word.find('='));
      Words known;
      for (const auto& option : options) known.push_back(FlagName(option.first));
      throw Error("unknown option " + name + Hint(name, known) + SeeHelp());
    }
  }

  // Most often of a shell variable that is not set.
  void RefuseEmpty() const {
    for (const auto& [label, value] : positionals) {
      if (value->empty() && app.get_option(label)->count() > 0)
        throw Error(label + " is '', a name is wanted" + SeeHelp());
    }
    for (const auto& [name, option] : options) {
      if (option->count() > 0 && ValueText(targets.at(name)).empty())
        throw Error(FlagName(name) + " needs a value, '' given" + SeeHelp());
    }
  }

  std::string Help() const {
    std::string text = app.help();  // which leaves two lines between groups
    for (size_t at; (at = text.find("\n\n\n")) != std::string::npos;) text.erase(at, 1);
    return text;
  }

  std::string SeeHelp() const { return "; see gopnet " + command + " --help"; }
};

Args::Args(const std::string& command, const std::string& summary, const std::string& example)
    : impl_(std::make_unique<Impl>()) {
  impl_->command = command;
  impl_->app.name("gopnet " + command);
  impl_->app.description("gopnet " + command + ": " + summary + "\n");
  impl_->app.footer("Example:\n  " + example);
  impl_->app.set_help_flag();  // declared last, in Parse
  impl_->app.allow_extras();
  impl_->app.get_formatter()->column_width(kNameWidth);
}

Args::~Args() = default;

void Args::Group(const std::string& title) { impl_->group = title; }

void Args::Positional(const std::string& label, std::string* value, const std::string& doc,
                      bool required) {
  auto* option = impl_->app.add_option(label, *value, Wrapped(doc, kDocWidth));
  option->required(required)->option_text(" ");
  impl_->positionals.emplace_back(label, value);
}

void Args::Option(const std::string& name, std::string* value, const std::string& label,
                  const std::string& doc) {
  auto* option = impl_->app.add_option(FlagName(name), *value, Wrapped(doc, kDocWidth));
  impl_->Add(name, value, option->option_text(label)->take_last());
}

void Args::Switch(const std::string& name, std::string* value, const std::string& doc) {
  auto* option = impl_->app.add_option(FlagName(name), *value, Wrapped(doc, kDocWidth));
  impl_->Add(name, value, option->option_text("[BOOL]")->expected(0, 1)->default_str("true"));
  option->take_last();
}

void Args::Flag(const std::string& name, bool* value, const std::string& doc) {
  impl_->Add(name, value, impl_->app.add_flag(FlagName(name), *value, Wrapped(doc, kDocWidth)));
}

void Args::Repeated(const std::string& name, Words* values, const std::string& label,
                    const std::string& doc) {
  auto* option = impl_->app.add_option(FlagName(name), *values, Wrapped(doc, kDocWidth));
  impl_->Add(name, values, option->option_text(label)->allow_extra_args(false));
}

bool Args::Parse(const Words& words) {
  Group("General");
  Flag("json", &impl_->json, "One JSON object on stdout, nothing else there.");
  Flag("quiet", &impl_->quiet, "Only the result: no progress, no notes.");
  impl_->app.set_help_flag("-h,--help", "This help.")->group("General");
  Words reversed;  // as CLI11 wants them
  for (const std::string& word : words) reversed.insert(reversed.begin(), WithDashes(word));
  try {
    impl_->app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    return Print(impl_->Help()), false;
  } catch (const CLI::ArgumentMismatch& e) {
    const std::string text = e.what();
    throw Error(text.substr(0, text.find(':')) + " needs a value" + impl_->SeeHelp());
  } catch (const CLI::ConversionError& e) {  // everything else is text
    FailOnFlag(e.what());
  } catch (const CLI::ParseError& e) {
    impl_->RefuseExtras();
    throw Error(e.what() + impl_->SeeHelp());
  }
  impl_->RefuseExtras();
  impl_->RefuseEmpty();
  return true;
}

void Args::Apply(const Settings& settings, const std::string& source, bool chosen) {
  for (const auto& [key, value] : settings) {
    const std::string name = Underscored(key);
    if (!Known(name)) throw Error(source + ": unknown key '" + key + "'" + Hint(name, Names()));
    if (impl_->options.at(name)->count() > 0) continue;
    const Target& target = impl_->targets.at(name);
    if (auto* text = std::get_if<std::string*>(&target)) **text = value;
    if (auto* flag = std::get_if<bool*>(&target)) **flag = ParseBool(value, source + ": " + key);
    if (auto* list = std::get_if<Words*>(&target)) **list = {value};
    impl_->applied[name] = source;
    if (!chosen) impl_->not_chosen.insert(name);
  }
}

bool Args::Has(const std::string& name) const {
  return OnCommandLine(name) || impl_->applied.count(name) > 0;
}

bool Args::OnCommandLine(const std::string& name) const {
  return Known(name) && impl_->options.at(name)->count() > 0;
}

bool Args::Chosen(const std::string& name) const {
  return Has(name) && impl_->not_chosen.count(name) == 0;
}

std::string Args::AsGiven(const std::string& name) const {
  const std::string value = ValueText(impl_->targets.at(name));
  const auto file = impl_->applied.find(name);
  if (file != impl_->applied.end()) return file->second + ": " + name + " = " + value;
  return FlagName(name) + " " + value;
}

bool Args::Known(const std::string& name) const { return impl_->options.count(name) > 0; }

Words Args::Names() const {
  Words names;
  for (const auto& option : impl_->options) names.push_back(option.first);
  return names;
}

bool Args::json() const { return impl_->json; }
bool Args::quiet() const { return impl_->quiet; }

std::string Underscored(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

Settings ReadToml(const std::string& path) {
  const std::string bytes = ReadText(path);
  const auto count = [&](char c) { return std::count(bytes.begin(), bytes.end(), c); };
  if (count('[') != count(']')) throw Error(path + ": a list is not closed");
  RefuseRepeatedKeys(path, bytes);
  RefuseSections(bytes, path);
  std::istringstream text(bytes);
  Settings settings;
  for (const CLI::ConfigItem& item : ParseToml(text, path)) {
    if (!item.parents.empty())
      throw Error(path + ": " + item.name + ": a key with a dot; keys stand without sections");
    const std::string value = Join(item.inputs, ",");
    // CLI11 takes these as they come: a # in a string, tables
    if (value.find_first_of("\"[]{}") != std::string::npos) {
      throw Error(path + ": " + item.name + ": cannot read the value " + value);
    }
    settings.emplace_back(item.name, value);
  }
  return settings;
}

}  // namespace gopnet::cli
