# SPDX-License-Identifier: BSD-2-Clause
"""Whom bench/run measures: builds of the bench, and QEMU with OpenSBI.

What a peer is told to run, the seconds of CPU that it took with everything it
started, and that nobody is missing: a peer that is not there fails the run.
"""
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

    def guest(self, image, *options):
        """Run a bare guest."""
        return run([self.pmuctl, "run", *options, image], self.env)

    def linux(self, kernel, initrd, append, harts):
        """Run Linux to its end."""
        return run([self.pmuctl, "run", "--batch", "--kernel", kernel,
                    "--initrd", initrd, "--append", append, "--harts",
                    harts], self.env)


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

    def linux(self, kernel, initrd, append, harts):
        """Run Linux to its end."""
        return self._start("-m", "512M", "-smp", harts, "-kernel", kernel,
                           "-initrd", initrd, "-append",
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
    subprocess.run(["ninja", "-C", tree / "build", "cli/pmuctl",
                    "daemon/pmud", "daemon/machine/pmud-machine",
                    "bench/rpc/bench-rpc"], check=True,
                   stdout=subprocess.DEVNULL)
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
