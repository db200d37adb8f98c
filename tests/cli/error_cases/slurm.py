"""Batch files for Slurm."""

from .case import case

SCRIPT = "slurm-script "
TRAIN = " -- train --train train.csv --out new"

SCRIPTS = [
    case("no command", {}, "slurm-script", "--", "train"),
    case("nothing after the dashes", {}, "slurm-script --", "--: ", "train, resume, compare"),
    case("the dashes forgotten", {}, "slurm-script train --train train.csv", "'train'"),
    case("a command that does not train", {}, SCRIPT + "-- predict run test.csv", "'predict'",
         "train, resume, compare"),
    case("a parameter of the command, nearly right", {}, "slurm-script" + TRAIN + " --epocs 3",
         "--epocs", "'--epochs'", "gopnet train --help"),
    case("rows that are not there", {}, SCRIPT + "-- train --train no.csv", "no.csv"),
    case("a run folder that is taken", {}, SCRIPT + "-- train --train train.csv --out run", "run"),
    case("a run that is not there", {}, SCRIPT + "-- resume no", "no: ", "config.json"),
    case("an unknown algorithm to compare", {},
         SCRIPT + "-- compare --train train.csv --algorithms popp", "'popp'"),
    case("no nodes", {}, SCRIPT + "--nodes 0" + TRAIN, "--nodes", "'0'"),
    case("nodes in words", {}, SCRIPT + "--nodes two" + TRAIN, "--nodes", "'two'"),
    case("half a task", {}, SCRIPT + "--ntasks-per-node 0.5" + TRAIN, "--ntasks-per-node", "'0.5'"),
    case("no cores", {}, SCRIPT + "--cpus-per-task 0" + TRAIN, "--cpus-per-task", "'0'"),
    case("a time that is none", {}, SCRIPT + "--time soon" + TRAIN, "--time", "'soon'"),
    case("a time of four parts", {}, SCRIPT + "--time 1:2:3:4" + TRAIN, "--time", "'1:2:3:4'"),
    case("no time", {}, SCRIPT + "--time 0" + TRAIN, "--time", "'0'"),
    case("a time shorter than the warning", {}, SCRIPT + "--time 2" + TRAIN, "--warn", "120",
         "--time 2"),
    case("a warning in words", {}, SCRIPT + "--warn late" + TRAIN, "--warn", "'late'"),
    case("a partition with a blank", {}, SCRIPT + "--partition 'a b'" + TRAIN, "--partition",
         "'a b'"),
    case("a name with a line end", {}, ["slurm-script", "--job-name", "a\n#SBATCH --x", "--",
                                        "train", "--train", "train.csv"], "--job-name"),
    case("an account that is an option", {}, SCRIPT + "--account=--x" + TRAIN, "--account",
         "'--x'"),
    case("a size of memory that is none", {}, SCRIPT + "--mem much" + TRAIN, "--mem", "'much'"),
    case("a file that exists", {}, SCRIPT + "--out train.csv" + TRAIN, "train.csv: ", "exists"),
    case("a file in a folder that is not there", {}, SCRIPT + "--out no/job" + TRAIN, "no/job"),
]
