// gopnet slurm-script: writes a batch file for Slurm. Its job trains until shortly before the time
// limit, stops (exit code 3), requeues itself and continues, until the model is complete.
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

constexpr int kMaxWarning = 65535;  // seconds; the limit of Slurm

struct BatchJob {
  std::string nodes = "1", tasks = "1", cpus, time, mem;
  std::string partition, account, name = "gopnet";
  std::string warn = "120", out;
};

// The arguments of gopnet in the job.
struct Work {
  Words start;      // for the first start
  Words restart;    // once the run exists
  std::string run;  // its folder
};

// The script after the variables. It depends on these properties of Slurm 22.05 and bash:
// - srun passes SIGUSR1 on to its tasks, but kills them if it receives SIGTERM itself.
// - bash keeps the exit code of the step if a signal arrives between its end and `wait`.
// - Slurm would also requeue a cancelled job. So the script requeues only a job that is running or
//   has reached its time limit. After the loss of a node, Slurm requeues the job itself.
// - srun does not inherit --cpus-per-task from sbatch.
constexpr char kBody[] = R"script(
cd -- "$folder" || exit 2
attempts=$run.slurm-$SLURM_JOB_ID  # counts the starts in a row without progress

# A checksum of the run's progress: its journals without starts, and the states of finished stages.
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
trap stop USR1 TERM  # Slurm sends USR1 before the time limit; gopnet stops with exit code 3

before=$(progress)
tries=0
if [[ -e $attempts ]]; then
  read -r tries last <"$attempts"
  if [[ $last == "$before" ]]; then tries=$((tries + 1)); else tries=0; fi
fi
mkdir -p -- "$(dirname -- "$run")" && echo "$tries $before" >"$attempts"

words=("${start[@]}")
if [[ -e $run/config.json || -e $run/compare.json ]]; then words=("${restart[@]}"); fi
code=3
if [[ -z $signalled ]]; then
  srun --mpi=pmix ${SLURM_CPUS_PER_TASK:+--cpus-per-task="$SLURM_CPUS_PER_TASK"} "$gopnet" "${words[@]}" &
  step=$!
  while :; do  # a signal ends `wait`, but not the step
    signalled=
    wait "$step"
    code=$?
    if [[ -z $signalled ]]; then break; fi
  done
  step=
fi
if ((code > 2)) && [[ -e $run/model.safetensors && -e $run/metrics.json ]]; then  # the other tasks finished without the lost one
  echo "the run is finished despite exit code $code" >&2
  code=0
fi

# 0: done; 1 and 2: would fail again; 3: stopped, can continue; others: lost a task or a node
if ((code > 2)); then
  state=$(squeue --noheader --jobs="$SLURM_JOB_ID" --format='%T %r')
  if [[ $state != RUNNING* && $state != *TimeLimit ]]; then
    echo "not requeued: the job is ${state:-unknown}; submit the same file again to continue" >&2
  elif ((tries > 0)) && [[ $(progress) == "$before" ]]; then
    echo "not requeued: two starts in a row made no progress" >&2
  elif scontrol requeue "$SLURM_JOB_ID"; then
    echo "requeued after exit code $code" >&2
    exit "$code"
  fi
fi
rm -f -- "$attempts"
exit "$code"
)script";

void Declare(Args& args, BatchJob& job) {
  args.Group("Job (for other options, edit the file or pass them to sbatch)");
  args.Option("nodes", &job.nodes, "N", "Number of nodes. Default: 1.");
  args.Option("ntasks_per_node", &job.tasks, "N",
              "Processes per node; they share the search. Default: 1.");
  args.Option("cpus_per_task", &job.cpus, "N",
              "Cores per process; it uses all of them. Slurm sets the default, usually 1.");
  args.Option("time", &job.time, "TIME",
              "Time limit, after which the job is requeued: minutes, H:M:S, D-H, D-H:M:S. The "
              "partition sets the default.");
  args.Option("partition", &job.partition, "NAME", "Partition to submit to.");
  args.Option("account", &job.account, "NAME", "Account to charge.");
  args.Option("mem", &job.mem, "SIZE", "Memory per node, e.g. 8G.");
  args.Option("job_name", &job.name, "NAME", "Name of the job. Default: gopnet.");
  args.Option("warn", &job.warn, "SECONDS",
              "Stop the run this long before the time limit. It needs a few seconds to write its "
              "state, and Slurm may signal a minute early. Default: 120.");
  args.Group("Output");
  args.Option("out", &job.out, "FILE", "New file to write. Default: stdout.");
}

// Throws Error unless the text can stand in a #SBATCH line.
void CheckDirective(const std::string& flag, const std::string& text) {
  if (text.empty() || (text[0] != '-' && ShellQuoted(text) == text)) return;
  Fail("{}: must be a name without blanks and quotes; got '{}'", flag, text);
}

void CheckMemory(const std::string& text) {
  if (text.empty()) return;
  int ignored = 0;
  const bool unit = std::strchr("KMGTkmgt", text.back()) != nullptr;
  if (!ParseCount(unit ? text.substr(0, text.size() - 1) : text, &ignored))
    Fail("--mem: must be a size such as 500M or 8G; got '{}'", text);
}

// The seconds of "90" (minutes), "M:S", "H:M:S", "D-H", "D-H:M", "D-H:M:S"; -1 for anything else.
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
  // The first number counts hours after days or if there are three numbers, otherwise minutes.
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
  const int warn = Count("--warn", job.warn, 1, kMaxWarning);
  const double seconds = job.time.empty() ? 0 : SecondsOf(job.time);
  if (!job.time.empty() && seconds <= 0)
    Fail("--time: must be a time of Slurm, e.g. 90 (minutes), 24:00:00, 2-12:00:00; got '{}'",
         job.time);
  if (!job.time.empty() && seconds <= warn)
    Fail("--warn: must be less than --time {}; got {} seconds", job.time, job.warn);
  CheckDirective("--partition", job.partition);
  CheckDirective("--account", job.account);
  CheckDirective("--job-name", job.name);
  CheckMemory(job.mem);
}

// The options of `train` that `resume` has as well.
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

// Makes the name of a run folder unique. Otherwise two batch files could choose the same folder
// before it exists, and the second job would find the run of the first.
std::string Token() {
  constexpr uint64_t kLetters = 0xffffff;
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  return fmt::format("{:06x}",
                     std::hash<std::string>()(fmt::format("{} {}", now, ::getpid())) & kLetters);
}

// Throws Error if gopnet would refuse the command. The run is empty after --help.
Work WorkOf(const Words& words) {
  const std::string name = words.empty() ? "" : words[0];
  const Words rest(words.begin() + (words.empty() ? 0 : 1), words.end());
  const Command* command = FindCommand(name);
  if (command == nullptr || !command->trains()) {
    Fail("--: must be followed by one of {}; got {}", Join(CommandNames(true)),
         name.empty() ? "nothing" : "'" + name + "'");
  }
  Work work{words, words, command->check(rest)};
  if (work.run.empty()) return work;
  if (name != "resume" && !NamesFolder(rest)) {
    work.run += "-" + Token();
    work.start.insert(work.start.end(), {"--out", work.run});
  }
  if (work.run[0] == '-') work.run = "./" + work.run;  // otherwise it would look like an option
  work.restart = work.start;                           // a repeated compare continues by itself
  if (name == "train") {
    work.restart = {"resume", work.run};
    for (const std::string& word : Shared(rest)) work.restart.push_back(word);
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
# Trains, stops before the time limit, requeues itself and continues. Submit it with sbatch.
# Written by gopnet slurm-script {}.
{}
gopnet={}
folder={}  # the paths below are relative to it
run={}
start={}
restart={}
)",
      Version(), Directives(job), ShellQuoted(fs::read_symlink("/proc/self/exe").string()),
      ShellQuoted(fs::current_path().string()), ShellQuoted(work.run), List(work.start),
      List(work.restart));
  return head + kBody;
}

}  // namespace

void RunSlurmScript(const Words& words) {
  Args args("slurm-script",
            "gopnet slurm-script --nodes 2 --time 24:00:00 --out job.sbatch -- train --train "
            "data.npy");
  BatchJob job;
  Declare(args, job);
  const auto dashes = std::find(words.begin(), words.end(), "--");
  if (!args.Parse(Words(words.begin(), dashes))) return;
  Check(job);
  if (dashes == words.end())
    throw Error("-- is missing; write the command of the job after it: -- train --train ...");
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
