// Only this file includes CLI11, which takes seconds to compile.
#include "cli/args.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <variant>

#include "cli/commands.h"
#include "cli/console.h"
#include "gopnet/error.h"
#include "gopnet/params.h"

namespace gopnet::cli {
namespace {

using Target = std::variant<std::string*, bool*, Words*>;
constexpr size_t kNameWidth = 30;  // columns of the option names in --help
constexpr size_t kDocWidth = 68;

std::string FlagName(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

// --a_b=c_d -> --a-b=c_d
std::string WithDashes(const std::string& word) {
  const size_t end = std::min(word.find('='), word.size());
  return word.starts_with("--") ? FlagName(word.substr(2, end - 2)) + word.substr(end) : word;
}

bool ParseBool(const std::string& text, const std::string& who) {
  if (text != "true" && text != "false") Fail("{}: must be true or false; got '{}'", who, text);
  return text == "true";
}

// CLI11 reports a bad value of a flag as "Could not convert: --json = maybe".
[[noreturn]] void FailOnFlag(std::string text) {
  text.erase(0, text.find(": ") + 2);
  const size_t equals = text.find(" = ");
  Fail("{}: must be true or false; got '{}' (without a value it means true)",
       text.substr(0, equals), text.substr(equals + 3));
}

// Names that other tools use for our options.
const std::map<std::string, Words> kSynonyms = {
    {"algorithm", {"method"}},
    {"cv", {"cross_validation", "k_folds", "kfold"}},
    {"ensemble", {"n_estimators"}},
    {"epoch_patience", {"early_stopping"}},
    {"epochs", {"max_iter", "n_epochs", "num_epochs", "iterations"}},
    {"ignore", {"ignore_columns", "drop", "drop_columns", "exclude"}},
    {"lr", {"learning_rate", "eta"}},
    {"out", {"output", "output_dir"}},
    {"quiet", {"verbose"}},
    {"seed", {"random_state", "random_seed"}},
    {"separator", {"sep", "delimiter"}},
    {"target", {"label", "label_column", "target_column", "y"}},
    {"test_split", {"test_size"}},
    {"threads", {"n_jobs", "jobs", "workers", "num_threads"}},
    {"time_limit", {"time_budget", "max_time", "timeout"}},
    {"topology", {"hidden_layer_sizes", "hidden", "layers", "units"}},
    {"train", {"data", "input"}},
    {"val_split", {"validation_fraction", "validation_split"}},
    {"weight_decay", {"l2"}}};

std::string ValueText(const Target& target) {
  if (auto* text = std::get_if<std::string*>(&target)) return **text;
  if (auto* flag = std::get_if<bool*>(&target)) return **flag ? "true" : "false";
  return Join(*std::get<Words*>(target), " ");
}

}  // namespace

struct Args::Impl {
  struct Declared {
    Target target;
    CLI::Option* option;
    std::string applied = "";  // where it was set outside of the command line; empty: nowhere
    bool chosen = true;        // false: the user did not choose the applied value
  };

  CLI::App app;
  std::string command;
  std::string group = "Options";
  std::map<std::string, Declared> options;
  std::vector<std::pair<std::string, std::string*>> positionals;
  std::set<std::string> first;  // the options that --help shows; empty: all
  bool json = false;
  bool quiet = false;

  void Add(const std::string& name, Target target, CLI::Option* option) {
    options.insert({name, {target, option->group(group)}});
  }

  bool OnCommandLine(const std::string& name) const {
    const Declared* declared = Find(options, name);
    return declared != nullptr && declared->option->count() > 0;
  }

  // Points to --train if an unexpected word is a file, or - for standard input.
  std::string TrainHint(const std::string& word) const {
    std::error_code no_file;
    const bool rows = word == "-" || std::filesystem::exists(word, no_file);
    const bool has_rows = OnCommandLine("train") || OnCommandLine("config") || OnCommandLine("set");
    return options.count("train") > 0 && rows && !has_rows ? "; use --train " + word : "";
  }

  void RefuseExtras() const {
    for (const std::string& word : app.remaining()) {
      if (word.find_first_not_of('-') == std::string::npos || !word.starts_with('-'))
        Fail("unexpected argument '{}'{}{}", word, TrainHint(word), SeeHelp());
      const std::string name = word.substr(0, word.find('='));
      Words meant = Meant(Underscored(name.substr(name.find_first_not_of('-'))));
      for (std::string& option : meant) option = FlagName(option);
      Fail("unknown option {}{}{}", name, DidYouMean(meant), SeeHelp());
    }
  }

  // The options that the user may have meant, by other tools' names or by similar spelling.
  Words Meant(const std::string& name) const {
    for (const auto& [meant, others] : kSynonyms)
      if (Contains(others, name) && options.count(meant) > 0) return {meant};
    return NearestNames(name, Names());
  }

  // CLI11 takes `--date --out` for the date "--out".
  void RefuseOptionsAsValues() const {
    for (const auto& [name, declared] : options) {
      if (declared.option->count() == 0) continue;
      for (const std::string& value : declared.option->results())
        if (IsOption(value))
          Fail("{} needs a value; got the option {}{}", FlagName(name), value, SeeHelp());
    }
  }

  bool IsOption(const std::string& word) const {
    if (word == "-o" || word == "-h" || word == "--help") return true;
    const std::string name = word.substr(0, word.find('='));
    return name.starts_with("--") && options.contains(Underscored(name.substr(2)));
  }

  // An empty value usually comes from a shell variable that is not set.
  void RefuseEmpty() const {
    for (const auto& [label, value] : positionals) {
      if (value->empty() && app.get_option(label)->count() > 0)
        Fail("{} must not be empty{}", label, SeeHelp());
    }
    for (const auto& [name, declared] : options) {
      if (declared.option->count() > 0 && ValueText(declared.target).empty())
        Fail("{} needs a value; got ''{}", FlagName(name), SeeHelp());
    }
  }

  std::string Help(bool all) {
    for (const auto& [name, declared] : options)
      if (!all && !first.empty() && first.count(name) == 0) declared.option->group("");  // hides it
    std::string text = app.help();  // has two blank lines between groups
    for (size_t at; (at = text.find("\n\n\n")) != std::string::npos;) text.erase(at, 1);
    return text;
  }

  Words Names() const {
    return Mapped(options, [](const auto& option) { return option.first; });
  }

  std::string SeeHelp() const { return "; see gopnet " + command + " --help"; }
};

Args::Args(const std::string& command, const std::string& example, const std::string& summary)
    : impl_(std::make_unique<Impl>()) {
  impl_->command = command;
  impl_->app.name("gopnet " + command);
  impl_->app.description("gopnet " + command + ": " +
                         (summary.empty() ? FindCommand(command)->summary : summary) + "\n");
  impl_->app.footer("Example:\n  " + example);
  impl_->app.set_help_flag();  // declared last, in Parse
  impl_->app.allow_extras();
  impl_->app.get_formatter()->label("Positionals", "Arguments");
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
  const std::string flags = name == "out" ? "-o,--out" : FlagName(name);
  auto* option = impl_->app.add_option(flags, *value, Wrapped(doc, kDocWidth));
  if (label[0] == '[') option->expected(0, 1)->default_str("true");
  if (label.find("COLUMNS") != std::string::npos)
    option->join(',');
  else
    option->take_last();
  impl_->Add(name, value, option->option_text(label));
}

void Args::Flag(const std::string& name, bool* value, const std::string& doc) {
  impl_->Add(name, value, impl_->app.add_flag(FlagName(name), *value, Wrapped(doc, kDocWidth)));
}

void Args::Repeated(const std::string& name, Words* values, const std::string& label,
                    const std::string& doc) {
  auto* option = impl_->app.add_option(FlagName(name), *values, Wrapped(doc, kDocWidth));
  impl_->Add(name, values, option->option_text(label)->allow_extra_args(false));
}

void Args::ShowFirst(const Words& names) {
  impl_->first = {names.begin(), names.end()};
  impl_->first.insert({"json", "quiet", "help_all"});
}

bool Args::Parse(const Words& words) {
  bool all = false;
  Group("General");
  if (!impl_->first.empty())
    Flag("help_all", &all, "Show all options, including those of each algorithm.");
  Flag("json", &impl_->json, "Print one JSON object on stdout and nothing else.");
  Flag("quiet", &impl_->quiet, "Print only the result: no progress, no notes.");
  impl_->app.set_help_flag("-h,--help", "Show this help.")->group("General");
  Words reversed;  // the order that CLI11 expects
  for (const std::string& word : words) reversed.insert(reversed.begin(), WithDashes(word));
  try {
    impl_->app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    return Print(impl_->Help(all)), false;
  } catch (const CLI::ArgumentMismatch& e) {
    const std::string text = e.what();
    Fail("{} needs a value{}", text.substr(0, text.find(':')), impl_->SeeHelp());
  } catch (const CLI::ConversionError& e) {  // flags only: all other values are text
    FailOnFlag(e.what());
  } catch (const CLI::ParseError& e) {
    impl_->RefuseOptionsAsValues();
    impl_->RefuseExtras();
    throw Error(e.what() + impl_->SeeHelp());
  }
  if (all) return Print(impl_->Help(all)), false;
  impl_->RefuseOptionsAsValues();
  impl_->RefuseExtras();
  impl_->RefuseEmpty();
  return true;
}

void Args::Apply(const Settings& settings, const std::string& source, bool chosen) {
  for (const auto& [key, value] : settings) {
    const std::string name = Underscored(key);
    if (!Known(name)) Fail("{}: unknown key '{}'{}", source, key, Hint(name, impl_->Names()));
    if (OnCommandLine(name)) continue;
    auto& declared = impl_->options.at(name);
    if (auto* text = std::get_if<std::string*>(&declared.target)) **text = value;
    if (auto* flag = std::get_if<bool*>(&declared.target))
      **flag = ParseBool(value, source + ": " + key);
    if (auto* list = std::get_if<Words*>(&declared.target)) **list = {value};
    declared.applied = source == "--set" ? fmt::format("--set {}={}", key, value)
                                         : fmt::format("{}: {} = {}", source, name, value);
    declared.chosen = chosen;
  }
}

bool Args::Has(const std::string& name) const {
  return OnCommandLine(name) || (Known(name) && !impl_->options.at(name).applied.empty());
}

bool Args::OnCommandLine(const std::string& name) const { return impl_->OnCommandLine(name); }

bool Args::Chosen(const std::string& name) const {
  return Has(name) && impl_->options.at(name).chosen;
}

std::string Args::AsGiven(const std::string& name) const {
  const auto& declared = impl_->options.at(name);
  if (!declared.applied.empty()) return declared.applied;
  return FlagName(name) + " " + ValueText(declared.target);
}

bool Args::Known(const std::string& name) const { return impl_->options.count(name) > 0; }

bool Args::json() const { return impl_->json; }
bool Args::quiet() const { return impl_->quiet; }

std::string Underscored(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace gopnet::cli
