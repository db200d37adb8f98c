// gopnet slurm-script: writes a batch file for Slurm. Its job trains until shortly before the time
// limit, stops (exit code 3), requeues itself and goes on, until the model is there.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>

#include "cli/commands.h"
#include "cli/json.h"
#include "gopnet/error.h"
#include "gopnet/files.h"
#include "gopnet/safe_text.h"
#include "gopnet/train.h"

namespace gopnet::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kLongestWarning = 65535;  // seconds; what Slurm takes

struct BatchJob {
  std::string nodes = "1", tasks = "1", cpus, time, mem;
  std::string partition, account, name = "gopnet";
  std::string warn = "120", out;
};

// The commands of the job, as gopnet gets them.
struct Work {
  Words begin;      // the first time
  Words go_on;      // once there is a run
  std::string run;  // its folder
};

// What follows the variables. The reasons, all seen with Slurm 22.05:
// - srun hands SIGUSR1 on to its tasks, but kills them when it gets SIGTERM itself.
// - bash keeps the code of the step, should a signal come between its end and `wait`.
// - Slurm requeues a job that was cancelled if it is asked to, so its state decides: one that runs,
//   or whose time is over. Of a node that is lost it requeues the job by itself.
// - srun does not take --cpus-per-task from sbatch.
constexpr char kBody[] = R"script(
cd -- "$folder" || exit 2
attempts=$run.slurm-$SLURM_JOB_ID  # how many starts in a row have brought nothing

# How far the run is: what its journals hold besides starts, and the states of finished stages.
progress() {
  {
    find "$run" -name journal.jsonl -exec grep -hvE '"event":"(start|resume)"' {} +
    find "$run" -path '*/state/*.bin' ! -name candidates.bin -printf '%p %s %T@\n'
  } 2>/dev/null | sort | cksum | tr ' ' -
}

signalled=
step=
stop() {
  signalled=yes
  if [[ -n $step ]]; then kill -USR1 "$step" 2>/dev/null; fi
}
trap stop USR1 TERM  # Slurm sends USR1 before the time limit; gopnet then stops with exit code 3

before=$(progress)
tries=0
if [[ -e $attempts ]]; then
  read -r tries last <"$attempts"
  if [[ $last == "$before" ]]; then tries=$((tries + 1)); else tries=0; fi
fi
mkdir -p -- "$(dirname -- "$run")" && echo "$tries $before" >"$attempts"

words=("${begin[@]}")
if [[ -e $run/config.json || -e $run/compare.json ]]; then words=("${go_on[@]}"); fi
code=3
if [[ -z $signalled ]]; then
  srun --mpi=pmix ${SLURM_CPUS_PER_TASK:+--cpus-per-task="$SLURM_CPUS_PER_TASK"} "$gopnet" "${words[@]}" &
  step=$!
  while :; do  # a signal ends wait, but not the step
    signalled=
    wait "$step"
    code=$?
    if [[ -z $signalled ]]; then break; fi
  done
  step=
fi
if ((code > 2)) && [[ -e $run/model.safetensors && -e $run/metrics.json ]]; then  # the others have finished without the lost task
  echo "the run is finished, in spite of exit code $code" >&2
  code=0
fi

# 0: done; 1 and 2: it would fail again; 3: stopped, can go on; others: a task or a node was lost
if ((code > 2)); then
  state=$(squeue --noheader --jobs="$SLURM_JOB_ID" --format='%T %r')
  if [[ $state != RUNNING* && $state != *TimeLimit ]]; then
    echo "not requeued: the job is ${state:-unknown}; sbatch the same file to go on" >&2
  elif ((tries > 0)) && [[ $(progress) == "$before" ]]; then
    echo "not requeued: two starts in a row have brought nothing" >&2
  elif scontrol requeue "$SLURM_JOB_ID"; then
    echo "requeued after exit code $code" >&2
    exit "$code"
  fi
fi
rm -f -- "$attempts"
exit "$code"
)script";

void Declare(Args& args, BatchJob& job) {
  args.Group("Job (more: edit the file, or give them to sbatch)");
  args.Option("nodes", &job.nodes, "N", "Nodes. Default: 1.");
  args.Option("ntasks_per_node", &job.tasks, "N",
              "Processes on each node, which share the search. Default: 1.");
  args.Option("cpus_per_task", &job.cpus, "N",
              "Cores of each process, which uses them all. Default: that of Slurm, most often 1.");
  args.Option("time", &job.time, "TIME",
              "Time limit, after which the job is requeued: minutes, H:M:S, D-H, D-H:M:S. Default: "
              "that of the partition.");
  args.Option("partition", &job.partition, "NAME", "Partition.");
  args.Option("account", &job.account, "NAME", "Account.");
  args.Option("mem", &job.mem, "SIZE", "Memory on each node, such as 8G.");
  args.Option("job_name", &job.name, "NAME", "Name of the job. Default: gopnet.");
  args.Option("warn", &job.warn, "SECONDS",
              "How long before the time limit the run is stopped. It needs some seconds to write "
              "what it has; Slurm may be a minute early. Default: 120.");
  args.Group("Output");
  args.Option("out", &job.out, "FILE", "A new file. Default: stdout.");
}

// A name that may stand in a #SBATCH line.
void CheckDirective(const std::string& flag, const std::string& text) {
  if (text.empty() || (text[0] != '-' && ShellQuoted(text) == text)) return;
  Fail("{}: '{}' given, a name without blanks and quotes is wanted", flag, text);
}

void CheckMemory(const std::string& text) {
  if (text.empty()) return;
  int ignored = 0;
  const bool unit = std::strchr("KMGTkmgt", text.back()) != nullptr;
  if (!ParseCount(unit ? text.substr(0, text.size() - 1) : text, &ignored))
    Fail("--mem: '{}' given, a size such as 500M or 8G is wanted", text);
}

// Of "90" (minutes), "M:S", "H:M:S", "D-H", "D-H:M", "D-H:M:S"; -1 for anything else.
double SecondsOf(const std::string& text) {
  const size_t dash = text.find('-');
  const bool days = dash != std::string::npos;
  std::vector<int> numbers;
  for (const std::string& part : Split(days ? text.substr(dash + 1) : text, ':')) {
    numbers.emplace_back();
    if (!ParseCount(part, &numbers.back())) return -1;
  }
  int day = 0;
  if (numbers.size() > 3 || (days && !ParseCount(text.substr(0, dash), &day))) return -1;
  // The unit of the first number: hours after days and of three, minutes otherwise.
  double unit = days || numbers.size() == 3 ? 3600 : 60;
  double seconds = 86400.0 * day;
  for (const int number : numbers) seconds += unit * number, unit /= 60;
  return seconds;
}

void Check(const BatchJob& job) {
  constexpr int kMany = 1000000;
  Count("--nodes", job.nodes, 1, kMany);
  Count("--ntasks-per-node", job.tasks, 1, kMany);
  if (!job.cpus.empty()) Count("--cpus-per-task", job.cpus, 1, kMany);
  const int warn = Count("--warn", job.warn, 1, kLongestWarning);
  const double seconds = job.time.empty() ? 0 : SecondsOf(job.time);
  if (!job.time.empty() && seconds <= 0)
    Fail("--time: '{}' given, a time of Slurm is wanted: 90 (minutes), 24:00:00, 2-12:00:00",
         job.time);
  if (!job.time.empty() && seconds <= warn)
    Fail("--warn: {} seconds given, which leaves nothing of --time {}", job.warn, job.time);
  CheckDirective("--partition", job.partition);
  CheckDirective("--account", job.account);
  CheckDirective("--job-name", job.name);
  CheckMemory(job.mem);
}

// The options of `train` that `resume` knows as well.
Words Shared(const Words& words) {
  Words shared;
  for (size_t i = 0; i < words.size(); ++i) {
    const size_t equals = words[i].find('=');
    const std::string name = Underscored(words[i].substr(0, equals));
    const bool flag = Contains({"__json", "__quiet"}, name);
    if (!flag && !Contains({"__threads", "__time_limit", "__checkpoint_every"}, name)) continue;
    shared.push_back(words[i]);
    if (!flag && equals == std::string::npos && i + 1 < words.size()) shared.push_back(words[++i]);
  }
  return shared;
}

bool NamesFolder(const Words& words) {
  return std::ranges::any_of(
      words, [](const std::string& word) { return word == "--out" || word.starts_with("--out="); });
}

// A folder that does not exist yet may be chosen for two files, of which the second would find the
// run of the first.
std::string Token() {
  constexpr uint64_t kLetters = 0xffffff;
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  return fmt::format("{:06x}",
                     std::hash<std::string>()(fmt::format("{} {}", now, ::getpid())) & kLetters);
}

// Throws Error if the command is one that would be refused. Its run is empty after --help.
Work WorkOf(const Words& words) {
  const std::string name = words.empty() ? "" : words[0];
  const Words rest(words.begin() + (words.empty() ? 0 : 1), words.end());
  const Command* command = FindCommand(name);
  if (command == nullptr || !command->trains()) {
    Fail("{} given after --, one of {} is wanted", name.empty() ? "no command" : "'" + name + "'",
         Join(CommandNames(true)));
  }
  Work work{words, words, command->check(rest)};
  if (work.run.empty()) return work;
  if (name != "resume" && !NamesFolder(rest)) {
    work.run += "-" + Token();
    work.begin.insert(work.begin.end(), {"--out", work.run});
  }
  if (work.run[0] == '-') work.run = "./" + work.run;  // or programs would see an option
  work.go_on = work.begin;                             // the same comparison again goes on
  if (name == "train") {
    work.go_on = {"resume", work.run};
    for (const std::string& word : Shared(rest)) work.go_on.push_back(word);
  }
  return work;
}

std::string Directives(const BatchJob& job) {
  std::string text;
  const auto add = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) text += fmt::format("#SBATCH --{}={}\n", name, value);
  };
  add("job-name", job.name);
  add("nodes", job.nodes);
  add("ntasks-per-node", job.tasks);
  add("cpus-per-task", job.cpus);
  add("time", job.time);
  add("mem", job.mem);
  add("partition", job.partition);
  add("account", job.account);
  return text + "#SBATCH --requeue\n#SBATCH --open-mode=append\n#SBATCH --signal=B:USR1@" +
         job.warn + "\n";
}

std::string List(const Words& words) { return "(" + Join(Mapped(words, ShellQuoted), " ") + ")"; }

std::string Script(const BatchJob& job, const Work& work) {
  const std::string head = fmt::format(
      R"(#!/bin/bash
# Trains, stops before the time limit, requeues itself and goes on. Submit it with sbatch.
# Written by gopnet slurm-script {}.
{}
gopnet={}
folder={}  # of the paths below
run={}
begin={}
go_on={}
)",
      Version(), Directives(job), ShellQuoted(fs::read_symlink("/proc/self/exe").string()),
      ShellQuoted(fs::current_path().string()), ShellQuoted(work.run), List(work.begin),
      List(work.go_on));
  return head + kBody;
}

}  // namespace

void RunSlurmScript(const Words& words) {
  Args args("slurm-script",
            "gopnet slurm-script --nodes 2 --time 24:00:00 --out job.sbatch -- train --train "
            "data.npy --out runs/big");
  BatchJob job;
  Declare(args, job);
  const auto dashes = std::find(words.begin(), words.end(), "--");
  if (!args.Parse(Words(words.begin(), dashes))) return;
  Check(job);
  if (dashes == words.end())
    throw Error("no -- given, after which the command of the job stands: -- train --train ...");
  const Work work = WorkOf(Words(dashes + 1, words.end()));
  if (work.run.empty()) return;
  const std::string script = Script(job, work);
  if (!job.out.empty()) WriteFileAtomically(job.out, script, /*replace=*/false);
  if (args.json()) {
    Json json = {{"script", script}, {"run", PathAsText(work.run)}};
    if (!job.out.empty()) json["file"] = PathAsText(job.out);
    return PrintJson(json, 2);
  }
  if (job.out.empty()) return PrintData(script);
  if (args.quiet()) return PrintData(job.out + "\n");
  Print(fmt::format("wrote {}; submit it with: sbatch {}\n", Printable(job.out),
                    ShellQuoted(job.out)));
}

}  // namespace gopnet::cli
