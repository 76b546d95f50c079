# SPDX-License-Identifier: BSD-2-Clause
"""Whom bench/run measures: builds of the bench, and QEMU with OpenSBI.

What a peer is told to run, the seconds of CPU that it took with everything it
started, and that nobody is missing: a peer that is not there fails the run.
"""
import contextlib
import functools
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import threading
import time

TOP = pathlib.Path(__file__).resolve().parent.parent
LIMIT = 600  # seconds: for what would hang otherwise


class Missing(Exception):
    """What is not there, and how to get it."""


def first_line(command, env=None):
    """Return the first line that a command prints."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True,
                          check=True, env=env)
    return done.stdout.splitlines()[0].strip()


def run(command, env=None, codes=(0,)):
    """Run it; return its CPU seconds, with its children's, and its output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run([str(word) for word in command], env=env,
                              stdin=subprocess.DEVNULL, check=False,
                              stdout=subprocess.PIPE, timeout=LIMIT,
                              stderr=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        sys.exit(f"{command}: no end after {LIMIT} s")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in codes:
        sys.exit(f"{command}: exit {done.returncode}")
    spent = (after.ru_utime - before.ru_utime +
             after.ru_stime - before.ru_stime)
    return spent, done.stdout.decode(errors="replace").replace("\r", "")


def _exists(path):
    for _ in range(1000):
        if path.exists():
            return
        time.sleep(0.01)
    raise Missing(f"{path}: pmud did not begin")


class Bench:
    """A build of ours."""

    def __init__(self, name, build):
        self.name = name
        self.build = pathlib.Path(build).resolve()
        self.pmuctl = self.build / "cli/pmuctl"
        self.env = dict(os.environ, PMUD_ADDRESS="private")
        if not self.pmuctl.exists():
            raise Missing(f"{self.pmuctl}: build it first")

    def version(self):
        """Return what --version says."""
        return first_line([self.pmuctl, "--version"])

    def has(self, program):
        """Is there this program of the bench?"""
        return (self.build / program).exists()

    @functools.lru_cache(maxsize=None)
    def can(self, option, *command):
        """Does `pmuctl run`, or another @command, have the option?"""
        _, text = run([self.pmuctl, *(command or ("run",)), "--help"],
                      self.env, (0, 2))
        return option in text

    @functools.lru_cache(maxsize=None)
    def knows_setting(self, key):
        """Is there this key of --set?"""
        _, text = run([self.pmuctl, "list", "settings"], self.env, (0, 2))
        return any(line.startswith(key) for line in text.splitlines())

    def image(self, work):
        """Return the path of a guest of bench/guest."""
        return self.build / f"bench/guest/bench-{work}.elf"

    def guest(self, image, *options, codes=(0,)):
        """Run a bare guest."""
        return run([self.pmuctl, "run", *options, image], self.env, codes)

    def linux(self, kernel, initrd, append, *options):
        """Run Linux to its end."""
        return run([self.pmuctl, "run", "--batch", "--kernel", kernel,
                    "--initrd", initrd, "--append", append, *options],
                   self.env)

    def instructions(self, image):
        """Return how many a guest executes."""
        _, output = run([self.pmuctl, "stat", "-x,", "-o", "/dev/stdout",
                         "-e", "instructions", "--", "run", image], self.env)
        return int(output.splitlines()[-1].split(",")[0])

    def sampled(self, image, period):
        """Return what a guest takes that an observer samples."""
        with tempfile.NamedTemporaryFile() as out:
            return run([self.pmuctl, "record", "-q", "-e", "instructions",
                        "-c", period, "-o", out.name, "--", "run", image],
                       self.env)[0]

    @contextlib.contextmanager
    def pmud(self):
        """A pmud of its own; yields its socket, and a pmuctl() that returns
        what it printed."""
        with tempfile.TemporaryDirectory() as work:
            path = pathlib.Path(work) / "pmud.sock"
            env = dict(self.env, PMUD_ADDRESS=str(path))
            with subprocess.Popen([self.build / "daemon/pmud", "--socket",
                                   path, "--state-dir", work]) as daemon:
                _exists(path)
                yield path, lambda *words: run([self.pmuctl, *words],
                                               env)[1].strip()
                daemon.terminate()

    def session(self, image, *steps):
        """Run a guest in a machine of a pmud, each of @steps, words of
        pmuctl that end with the machine's name, done before it starts;
        return CPU seconds of all, and what the machine is at the end."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with self.pmud() as (_, pmuctl):
            name = pmuctl("machine", "create")
            pmuctl("machine", "load", name, image)
            for command, rest in steps:
                pmuctl(*command, name, *rest)
            pmuctl("machine", "start", name)
            pmuctl("machine", "wait", name)
            shown = json.loads(pmuctl("--json", "machine", "show", name))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (after.ru_utime - before.ru_utime +
                after.ru_stime - before.ru_stime), shown

    def pieces(self, image):
        """Return how much of a guest the engine's pieces took."""
        return self.session(image)[1]["engine"]


class Qemu:
    """A QEMU with its OpenSBI; @icount: it counts instructions."""

    def __init__(self, name, command, env, icount):
        self.name = name
        self.command = command
        self.env = env
        self.icount = ["-icount", "shift=0,sleep=off"] if icount else []

    def version(self):
        """Return what --version says."""
        return first_line([self.command[0], "--version"], self.env)

    def _start(self, *more):
        return run([*self.command, "-M", "virt", "-cpu",
                    "rv64,sscofpmf=true", "-display", "none", "-serial",
                    "stdio", "-no-reboot", *self.icount, *more], self.env)

    def guest(self, image):
        """Run a bare guest."""
        return self._start("-kernel", image)

    def firmware(self):
        """Return the OpenSBI that is QEMU's own."""
        if "-bios" in self.command:
            return self.command[self.command.index("-bios") + 1]
        return "/usr/lib/riscv64-linux-gnu/opensbi/generic/fw_dynamic.bin"

    def linux(self, kernel, initrd, append, *options):
        """Run Linux to its end; of @options those of `pmuctl run` that QEMU
        has by other names."""
        names = {"--harts": "-smp"}
        return self._start("-m", "512M", *(names.get(o, o) for o in options),
                           "-kernel", kernel, "-initrd", initrd, "-append",
                           f"console=ttyS0 {append}")


def _installed():
    if "version 7.2" not in first_line(["qemu-system-riscv64", "--version"]):
        raise Missing("qemu-system-riscv64 7.2, Debian 12's, is not installed")
    return ["qemu-system-riscv64"], dict(os.environ)


def _unpacked(prefix):
    if not (prefix / "usr/bin/qemu-system-riscv64").exists():
        raise Missing(f"no QEMU in {prefix}: scripts/setup-qemu")
    libraries = {str(p.parent) for p in prefix.glob("usr/lib/**/lib*.so*")}
    modules = next(prefix.glob("usr/lib/*/qemu"))
    firmware = next(prefix.glob(
        "usr/lib/riscv64-linux-gnu/opensbi/generic/fw_dynamic.bin"))
    return ([str(prefix / "usr/bin/qemu-system-riscv64"), "-L",
             str(prefix / "usr/share/qemu"), "-bios", str(firmware)],
            dict(os.environ, LD_LIBRARY_PATH=":".join(sorted(libraries)),
                 QEMU_MODULE_DIR=str(modules)))


def qemus():
    """Return both QEMUs, each with and without -icount."""
    peers = []
    for name, (command, env) in (
            ("QEMU 7.2", _installed()),
            ("QEMU 10", _unpacked(TOP / ".deps/qemu"))):
        peers.append(Qemu(f"{name} icount", command, env, True))
        peers.append(Qemu(name, command, env, False))
    return peers


PROGRAMS = ["cli/pmuctl", "daemon/pmud", "daemon/machine/pmud-machine",
            "bench/rpc/bench-rpc", "bench/rpc/bench-ebb",
            "bench/engine/bench-engine"]


def build_programs(build):
    """Build of PROGRAMS those that this tree has."""
    targets = subprocess.run(["ninja", "-C", build, "-t", "targets", "all"],
                             check=True, stdout=subprocess.PIPE,
                             text=True).stdout
    there = {line.partition(":")[0] for line in targets.splitlines()}
    subprocess.run(["ninja", "-C", build,
                    *(p for p in PROGRAMS if p in there)], check=True,
                   stdout=subprocess.DEVNULL)


def build_against(commit, folder):
    """Build @commit in a private tree below @folder; return the build."""
    name = first_line(["git", "-C", TOP, "rev-parse", "--short=10",
                       f"{commit}^{{commit}}"])
    tree = (pathlib.Path(folder) / f"against-{name}").resolve()
    if not tree.exists():
        tree.mkdir(parents=True)
        with tempfile.TemporaryFile() as archive:
            subprocess.run(["git", "-C", TOP, "archive", name], check=True,
                           stdout=archive)
            archive.seek(0)
            subprocess.run(["tar", "-x", "-C", tree], stdin=archive,
                           check=True)
        if (TOP / ".deps").exists():
            (tree / ".deps").symlink_to((TOP / ".deps").resolve())
    if not (tree / "build/build.ninja").exists():
        subprocess.run(["meson", "setup", "build"], cwd=tree, check=True,
                       stdout=subprocess.DEVNULL)
    build_programs(tree / "build")
    return Bench(name, tree / "build")


def _descendants(pid):
    found = []
    children = pathlib.Path(f"/proc/{pid}/task/{pid}/children")
    for child in children.read_text().split():
        found += [int(child), *_descendants(int(child))]
    return found


def _machine_memory(pid, ram):
    """kB of the machine's process below @pid, without its @ram."""
    for child in _descendants(pid):
        if pathlib.Path(f"/proc/{child}/comm").read_text().strip() != \
                "pmud-machine":
            continue
        total = size = 0
        for line in pathlib.Path(f"/proc/{child}/smaps").read_text() \
                .splitlines():
            word, _, rest = line.partition(":")
            if word == "Size":
                size = int(rest.split()[0])
            elif word == "Rss" and size < ram // 1024:
                total += int(rest.split()[0])
        return total
    raise Missing("no process pmud-machine: where is the machine?")


def memory(bench, kernel, initrd, append, mark):
    """MB that a machine takes beyond its RAM when Linux prints @mark."""
    ram = 128 << 20
    command = [bench.pmuctl, "run", "--batch", "--memory", "128M", "--kernel",
               kernel, "--initrd", initrd, "--append", append]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, env=bench.env,
                          stderr=subprocess.DEVNULL) as child:
        watchdog = threading.Timer(LIMIT, child.kill)
        watchdog.start()
        try:
            if not any(mark in line for line in child.stdout):
                sys.exit(f"{bench.name}: Linux never printed {mark}")
            return _machine_memory(child.pid, ram) / 1e3
        finally:
            watchdog.cancel()
            child.terminate()


def together(bench, image, n):
    """Seconds that @n machines take at once."""
    begin = time.monotonic()
    running = [subprocess.Popen([bench.pmuctl, "run", image], env=bench.env,
                                stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)
               for _ in range(n)]
    for child in running:
        if child.wait(LIMIT):
            sys.exit(f"{bench.name}: one of {n} machines failed")
    return time.monotonic() - begin
