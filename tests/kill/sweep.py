"""Makes call number n of the program fail, for n = 1, 2, ...: allocations, mmaps of files, writes,
reads, opens, renames, fsyncs and thread starts of a small train, resume, compare, predict and
evaluate. After every failure the exit code must be 0, 1, 2 or 3, with one line on stderr unless it
is 0, and `verify` must find no damage. After `resume` (or the same command, if no run was started)
the files must equal those of a run without failures. tools/fault_sweep runs the whole sweep,
test_sweep.py a few calls."""

import argparse
import collections
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).with_name("nth.c")
ROWS = "a,b,c,y\n" + "".join(f"{i % 7},{i % 5},{i * i % 11},{'ab'[i * i % 3 % 2]}\n"
                             for i in range(60))
TRAIN = ["train", "--train", "rows.csv", "--algorithm", "popfast", "--ensemble", "1", "--topology",
         "4,4", "--epochs", "3", "--finetune-epochs", "2", "--nodal", "multiplication", "--pool",
         "sum,maximum", "--activation", "tanh", "--threads", "2"]
COMPARE = ["compare", "--train", "rows.csv", "--algorithms", "s-elm,bls", "--runs", "1",
           "--max-layers", "1", "--block-size", "4", "--max-blocks", "2", "--threads", "2"]
CALLS = ["malloc", "mmap", "write", "read", "open", "rename", "fsync", "thread"]


def build(folder):
    """Compile nth.so into the folder."""
    library = pathlib.Path(folder) / "nth.so"
    compiler = next(filter(None, map(shutil.which, ["cc", "gcc", "clang"])))
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl"], check=True,
                   timeout=120)
    return library


class Lab:
    def __init__(self, program, folder):
        self.program, self.folder = pathlib.Path(program).resolve(), pathlib.Path(folder)
        self.nth = build(folder)
        (self.folder / "rows.csv").write_text(ROWS)
        self.plain(*TRAIN, "--out", "good")
        self.plain(*COMPARE, "--out", "good-compare")
        self.plain("predict", "good", "rows.csv", "--proba", "--out", "good.csv")
        self.good = self.sums("good")
        self.good_comparison = self.sums("good-compare")
        self.stop_half_way(self.count("write", *TRAIN, "--out", "counted") // 2)

    def stop_half_way(self, at):
        """Make a run that a full disk stopped at write `at`, or at the last write before its model existed."""
        while at > 0:
            self.call(*TRAIN, "--out", "half", call="write", at=at)
            if not self.sums("half") and (self.folder / "half" / "config.json").exists():
                return
            self.clean("half")
            at -= 1
        raise AssertionError("no failing write left a run that can be resumed")

    def call(self, *words, call="", at=0, count=None):
        env = {**os.environ, "LD_PRELOAD": str(self.nth), "GOPNET_NTH_CALL": call,
               "GOPNET_NTH_AT": str(at), "GOPNET_SPILL_BYTES": "500"}  # puts rows into files, too
        if count:
            env["GOPNET_NTH_COUNT"] = str(count)
        return subprocess.run([self.program, *words, "--quiet"], cwd=self.folder, env=env,
                              capture_output=True, text=True, timeout=600)

    def plain(self, *words):
        done = self.call(*words)
        assert done.returncode == 0, done.stderr
        return done

    def count(self, call, *words):
        """Number of these calls in a command without failures."""
        file = self.folder / "count"
        self.call(*words, call=call, count=file)
        shutil.rmtree(self.folder / words[-1], ignore_errors=True)
        return int(file.read_text())

    def sums(self, out):
        """Checksums of the models below a folder."""
        folder = self.folder / out
        return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
                for path in sorted(folder.rglob("model.safetensors"))}

    def clean(self, out):
        for path in self.folder.glob(out + "*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def complain(done, what):
    """Return the problem with an exit code or message, or an empty string."""
    lines = done.stderr.splitlines()
    if done.returncode not in (0, 1, 2, 3):
        return f"{what}: exit code {done.returncode}: {done.stderr}"
    if done.returncode and (len(lines) != 1 or not lines[0].startswith("gopnet")):
        return f"{what}: exit code {done.returncode} and {len(lines)} lines: {done.stderr}"
    return ""


def finish(lab, out, command):
    """Complete the command after a failure."""
    begun = any((lab.folder / out / name).exists() for name in ("config.json", "compare.json"))
    return lab.call(*(["resume", out] if begun else [*command, "--out", out]))


def train(lab, call, at):
    done = lab.call(*TRAIN, "--out", "run", call=call, at=at)
    return done, finish(lab, "run", TRAIN), lab.sums("run") == lab.good


def resume(lab, call, at):
    shutil.copytree(lab.folder / "half", lab.folder / "run")
    done = lab.call("resume", "run", "--threads", "2", call=call, at=at)
    return done, finish(lab, "run", TRAIN), lab.sums("run") == lab.good


def compare(lab, call, at):
    done = lab.call(*COMPARE, "--out", "run", call=call, at=at)
    return done, finish(lab, "run", COMPARE), lab.sums("run") == lab.good_comparison


def predict(lab, call, at):
    words = ["predict", "good", "rows.csv", "--proba", "--out", "run.csv", "--force"]
    done = lab.call(*words, call=call, at=at)
    wrote, good = lab.folder / "run.csv", (lab.folder / "good.csv").read_bytes()
    whole = not wrote.exists() or wrote.read_bytes() == good
    return done, lab.call(*words), whole and wrote.read_bytes() == good


def evaluate(lab, call, at):
    words = ["evaluate", "good", "rows.csv", "--json"]
    return lab.call(*words, call=call, at=at), lab.call(*words), True


COMMANDS = {"train": train, "resume": resume, "compare": compare, "predict": predict,
            "evaluate": evaluate}


def total(lab, name, call):
    """Number of calls of the command, plus a margin, since it varies with the schedule of the threads."""
    file = lab.folder / "count"
    lab.clean("run")
    if name == "resume":
        shutil.copytree(lab.folder / "half", lab.folder / "run")
    words = {"train": [*TRAIN, "--out", "run"], "resume": ["resume", "run", "--threads", "2"],
             "compare": [*COMPARE, "--out", "run"],
             "predict": ["predict", "good", "rows.csv", "--proba", "--out", "run.csv"],
             "evaluate": ["evaluate", "good", "rows.csv", "--json"]}[name]
    lab.call(*words, call=call, count=file)
    return int(file.read_text())


def play(lab, name, call, at):
    """Play one failure. Return the problem and the exit code."""
    lab.clean("run")
    done, after, same = COMMANDS[name](lab, call, at)
    if (lab.folder / "run").exists():
        verified = lab.call("verify", "run")
        after = after if verified.returncode == 0 else verified
    what = f"{name}, {call} {at}"
    wrong = complain(done, what)
    if not wrong and after.returncode != 0:
        wrong = f"{what}: exit code {done.returncode} ({done.stderr.strip()}), and then " \
                f"{after.returncode}: {after.stderr}"
    if not wrong and not same:
        wrong = f"{what}: other bytes"
    return wrong, done.returncode


def points(count, most):
    """At most `most` numbers from 1 to count, evenly spaced."""
    if count <= most:
        return range(1, count + 1)
    return sorted({1 + i * (count - 1) // (most - 1) for i in range(most)})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default="build/release/cli/gopnet")
    parser.add_argument("--most", type=int, default=10**9, help="points of each kind; default: all")
    parser.add_argument("--calls", default=",".join(CALLS))
    parser.add_argument("--commands", default=",".join(COMMANDS))
    parser.add_argument("--offset", type=int, default=0, help="added to every point")
    options = parser.parse_args()
    failures = []
    with tempfile.TemporaryDirectory(prefix="fault_sweep_") as folder:
        lab = Lab(options.program, folder)
        for name in options.commands.split(","):
            for call in options.calls.split(","):
                count, codes = total(lab, name, call), collections.Counter()
                for at in points(count, options.most):
                    wrong, code = play(lab, name, call, at + options.offset)
                    codes[code] += 1
                    if wrong:
                        failures.append(wrong)
                        print(wrong, flush=True)
                print(f"{name}, {call}: {sum(codes.values())} of {count} calls failed; exit codes "
                      f"{dict(sorted(codes.items()))}", flush=True)
    print(f"{len(failures)} problems")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
