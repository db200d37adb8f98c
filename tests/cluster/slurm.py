"""A private Slurm for tests: Debian's munged, slurmctld and slurmd on loopback, in a temporary
folder. It needs root, but neither systemd nor cgroups. It does not interfere with an installed
Slurm, since it has its own configuration, key and ports."""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

DAEMONS = ["munged", "slurmctld", "slurmd"]
CLIENTS = ["munge", "srun", "sbatch", "scancel", "scontrol", "squeue"]
LIMIT = 30  # timeout of a start or a command, in seconds
SBIN = f"{os.environ['PATH']}:/usr/sbin:/sbin"

# A requeued job also waits for cred_expire before it starts again. task/none and linuxproc
# need no cgroups; config_overrides lets a node claim CPUs that the machine lacks.
CONFIG = """
ClusterName=gopnet
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire={requeue_seconds}
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmdLogFile={folder}/slurmd.%n.log
PlugStackConfig={folder}/plugstack.conf
TmpFS={folder}/tmp.%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,batch_sched_delay=0,sched_min_interval=0
SlurmdParameters=config_overrides
ReturnToService=2
KillWait={kill_wait}
OverTimeLimit=0
MpiDefault=none
PartitionName=tests Default=YES Nodes=ALL MaxTime=60 State=UP
"""


def missing():
    """The reason why Slurm cannot start here; empty if it can."""
    absent = [name for name in DAEMONS + CLIENTS if not shutil.which(name, path=SBIN)]
    if absent:
        return f"Slurm is not installed (no {', '.join(absent)}): tools/setup test installs it"
    if os.geteuid() != 0:
        return "starting Slurm needs root"
    try:
        socket.getaddrinfo(socket.gethostname(), None)
    except OSError as error:
        return f"the name of this host, {socket.gethostname()}, does not resolve: {error}"
    return ""


def free_ports(count):
    """Return free ports. All sockets stay open until the end, so that the ports differ."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Failure(Exception):
    """Slurm does not start, or a command fails."""


class Cluster:
    """A cluster with nodes node1, node2, ... on this machine. `with` starts and stops it."""

    def __init__(self, nodes=1, cpus=4, requeue_seconds=5, kill_wait=10):
        self.names = [f"node{i + 1}" for i in range(nodes)]
        self.cpus, self.requeue_seconds, self.kill_wait = cpus, requeue_seconds, kill_wait
        self.daemons = {}
        self.folder = self.env = None

    def __enter__(self):
        # Not in pytest's folder, because munged requires a folder that everybody may enter.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gopnet-slurm-"))
        try:
            self._configure()
            self._start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def run(self, *words, seconds=LIMIT, check=True, **options):
        """Run a command to its end, with stdout and stderr as text."""
        options.setdefault("cwd", self.folder)
        env = {**self.env, **options.pop("env", {})}
        try:
            done = subprocess.run([*map(str, words)], env=env, capture_output=True, text=True,
                                  stdin=subprocess.DEVNULL, timeout=seconds, check=False, **options)
        except subprocess.TimeoutExpired as e:
            raise Failure(f"{words}: still running after {seconds} s\n{e.stdout}\n{e.stderr}\n"
                          f"{self.logs()}") from None
        if check and done.returncode != 0:
            raise Failure(f"{words}: exit code {done.returncode}\n{done.stdout}{done.stderr}\n"
                          f"{self.logs()}")
        return done

    def submit(self, script, *options, **run):
        """Submit a script and return the number of the job."""
        return int(self.run("sbatch", "--parsable", *options, script, **run).stdout.split(";")[0])

    def job(self, number):
        """The output of `scontrol show job` as a dictionary."""
        words = self.run("scontrol", "--oneliner", "show", "job", number).stdout.split()
        return dict(word.split("=", 1) for word in words if "=" in word)

    def wait_for(self, condition, what, seconds=LIMIT):
        """Wait until `condition` returns a true value, and return it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = condition()
            if found:
                return found
            time.sleep(0.1)
        raise Failure(f"timeout after {seconds} s: {what}\n{self.logs()}")

    def logs(self, lines=25):
        """The last lines of the logs of the daemons."""
        text = ""
        for path in sorted(self.folder.glob("*.log")):
            tail = path.read_text(errors="replace").splitlines()[-lines:]
            text += f"--- {path.name}\n" + "\n".join(tail) + "\n"
        return text

    def stop(self):
        """Stop all daemons and jobs and remove the folder. May be called at any time, and repeatedly."""
        for daemon in reversed(self.daemons.values()):
            daemon.kill()
            daemon.wait()
        self.daemons.clear()
        end = time.monotonic() + LIMIT
        while self._kill_rest() and time.monotonic() < end:
            time.sleep(0.05)
        shutil.rmtree(self.folder, ignore_errors=True)

    def processes(self):
        """All processes of this cluster: slurmstepd, batch shells, srun, tasks. They inherit the path of
        the configuration, which is unique."""
        mark = f"SLURM_CONF={self.folder}/slurm.conf".encode()
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and mark in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
            except OSError:
                pass  # it has ended
        return found

    def _kill_rest(self):
        found = self.processes()
        for process in found:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        return found

    def _configure(self):
        self.folder.chmod(0o755)
        self.env = {**{k: v for k, v in os.environ.items() if not k.startswith("SLURM_")},
                    "PATH": SBIN, "SLURM_CONF": f"{self.folder}/slurm.conf",
                    "OMPI_MCA_btl_tcp_if_include": "lo", "PMIX_MCA_ptl_tcp_if_include": "lo"}
        host = socket.gethostname().split(".")[0]
        ports = free_ports(1 + len(self.names))
        config = CONFIG.format(host=host, folder=self.folder, controller_port=ports[0],
                               requeue_seconds=self.requeue_seconds, kill_wait=self.kill_wait)
        for name, port in zip(self.names, ports[1:]):
            config += (f"NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} "
                       f"CPUs={self.cpus} RealMemory=1000 State=UNKNOWN\n")
            (self.folder / f"spool.{name}").mkdir()
            (self.folder / f"tmp.{name}").mkdir()  # PMIx creates folders of the same name there
        (self.folder / "state").mkdir()
        (self.folder / "slurm.conf").write_text(config)
        (self.folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")
        (self.folder / "plugstack.conf").write_text("")
        key = self.folder / "munge.key"
        key.touch(mode=0o600)
        key.write_bytes(os.urandom(128))

    def _start(self):
        self.start_daemon("munged", "munged", "--foreground", f"--key-file={self.folder}/munge.key",
                          f"--socket={self.folder}/munge.socket",
                          f"--pid-file={self.folder}/munged.pid",
                          f"--seed-file={self.folder}/munged.seed", "--num-threads=2")
        self.wait_for(lambda: self._accepts("munge", "-S", self.folder / "munge.socket", "-n"),
                      "munged answers")
        self.start_daemon("slurmctld", "slurmctld", "-D", "-f", self.env["SLURM_CONF"])
        for name in self.names:
            self.start_daemon(name, "slurmd", "-D", "-N", name, "-f", self.env["SLURM_CONF"])
        self.wait_for(self._idle, "every node is idle")

    def start_daemon(self, name, *words):
        """Start a daemon that ends if this process is killed."""
        with (self.folder / f"{name}.log").open("ab") as log:
            self.daemons[name] = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", *map(str, words)], env=self.env, stdout=log,
                stderr=log, stdin=subprocess.DEVNULL, cwd=self.folder, start_new_session=True)

    def _accepts(self, *words):
        for name, daemon in self.daemons.items():
            if daemon.poll() is not None:
                raise Failure(f"{name} ended with exit code {daemon.returncode}\n{self.logs()}")
        return self.run(*words, check=False).returncode == 0

    def _idle(self):
        if not self._accepts("scontrol", "ping"):
            return False
        states = self.run("sinfo", "--noheader", "--Node", "--format=%T", check=False).stdout
        return states.split() == ["idle"] * len(self.names)
