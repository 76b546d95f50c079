# SPDX-License-Identifier: BSD-2-Clause
"""What the end-to-end tests share: pmuctl, a pmud, the guests, TAP.

Arguments of every test: PMUCTL PMUD SOURCE_DIR GUEST.elf... A test is a
function test_a_sentence_that_is_true(); it fails by an exception.
"""
import contextlib
import ctypes
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import asserted  # noqa: E402 - found by the line above

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import child  # noqa: E402 - found by the line above

PMUCTL, PMUD, SOURCE = (os.path.abspath(a) for a in sys.argv[1:4])
GUESTS = {pathlib.Path(p).stem: os.path.abspath(p) for p in sys.argv[4:]}
WORK = pathlib.Path(tempfile.mkdtemp())
MARK = f"PMU_E2E={WORK}"  # in the environment of all our processes
LONG = 120  # seconds: for what would hang otherwise
SET_CHILD_SUBREAPER = 36  # of prctl(): orphans come to this process
ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
ISAS = ("rv64", "rv32")


def environment(runtime=None, **more):
    """No daemon but the tests' own is spoken to; all processes are marked."""
    name, value = MARK.split("=", 1)
    address = f"unix://{runtime}/pmud.sock" if runtime else "private"
    return dict(os.environ) | {"PMUD_ADDRESS": address, name: value,
                               "XDG_RUNTIME_DIR": str(runtime or WORK)} | more


class Done:
    """What a command printed and how it ended."""

    def __init__(self, args, code, out, err):
        self.args, self.code, self.out, self.err = args, code, out, err

    def __str__(self):
        return (f"{' '.join(map(str, self.args))}: exit {self.code}\n"
                f"stdout: {self.out[-1500:]!r}\nstderr: {self.err[-1500:]!r}")

    def json(self):
        return json.loads(self.out)

    def text(self):
        return self.out.decode()


def pmuctl(*args, code=0, stdin=b"", env=None):
    """Run to the end; anything but the exit code, or one of them, is an error.
    """
    done = subprocess.run([PMUCTL, *map(str, args)], input=stdin,
                          capture_output=True, timeout=LONG, check=False,
                          env=env or environment())
    result = Done(args, done.returncode, done.stdout, done.stderr)
    if isinstance(code, tuple):
        holds(done.returncode in code, result)
    else:
        same(done.returncode, code, result)
    return result


def start(*args, env=None, **more):
    return child.start([PMUCTL, *map(str, args)],
                       env=env or environment(), **more)


class Skipped(Exception):
    """What a test raises that has nothing to show here, and why."""


def same(got, want, why=""):
    if got != want:
        raise AssertionError(f"{got!r} is not {want!r}\n{why}")


def holds(condition, why=""):
    if not condition:
        raise AssertionError(str(why))


def mine():
    """Ids of all processes that a test has started and that still live.

    A machine has nothing in its environment, so parents are what tells: who
    loses its own becomes a child of this process.
    """
    states, parents = {}, {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            stat = pathlib.Path("/proc", entry, "stat").read_text()
            state, parent = stat.rpartition(")")[2].split()[:2]
            states[int(entry)], parents[int(entry)] = state, int(parent)
    found, new = set(), {os.getpid()}
    while new:
        new = {pid for pid, parent in parents.items() if parent in new}
        found |= new
    return [pid for pid in found if states[pid] != "Z"]


def left_behind():
    """Those that do not end by themselves.

    A machine whose pmud was killed ends, but not before it runs again.
    """
    for _ in range(1000):
        found = mine()
        if not found:
            break
        time.sleep(0.01)
    return found


def processor_time(pids):
    """Seconds that they have used."""
    used = 0
    for pid in pids:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
        used += sum(map(int, stat.rpartition(")")[2].split()[11:13]))
    return used / os.sysconf("SC_CLK_TCK")


class Daemon:
    """A pmud on a socket of its own, and pmuctl speaking to it."""

    def __init__(self, runtime, process):
        self.runtime, self.process = runtime, process

    def env(self):
        return environment(self.runtime)

    def pmuctl(self, *args, **more):
        return pmuctl(*args, env=self.env(), **more)

    def start(self, *args, **more):
        return start(*args, env=self.env(), **more)

    def create(self, guest, *args):
        """A machine that is loaded but not started; its name."""
        name = self.pmuctl("machine", "create", *args).text().strip()
        self.pmuctl("machine", "load", name, GUESTS[guest])
        return name

    def show(self, name):
        return self.pmuctl("-j", "machine", "show", name).json()

    def machine_pids(self):
        path = f"/proc/{self.process.pid}/task/{self.process.pid}/children"
        return [int(p) for p in pathlib.Path(path).read_text().split()]


@contextlib.contextmanager
def daemon():
    runtime = tempfile.mkdtemp(dir=WORK)
    socket = os.path.join(runtime, "pmud.sock")
    process = child.start([PMUD, "--socket", socket, "-d", runtime],
                          env=environment(runtime),
                          stderr=subprocess.DEVNULL)
    try:
        while not os.path.exists(socket):
            same(process.poll(), None, "pmud ended")
            os.sched_yield()
        yield Daemon(runtime, process)
    finally:
        process.terminate()
        same(process.wait(timeout=LONG), 0, "pmud's exit code")


def isa_options(isa, *args):
    return [*args, *(["--set", "xlen=32"] if isa == "rv32" else [])]


def shows(rules):
    """Decorate a test with the rules it shows: names parted by spaces."""
    def mark(function):
        function.rules = rules
        return function
    return mark


def tried(function):
    """Return what went wrong, or TAP's word on why there is nothing to show."""
    try:
        with asserted.demanded():
            function()
    except Skipped as why:
        return "", f" # SKIP {why}"
    except Exception:  # a failed test, whatever it was
        return traceback.format_exc(), ""
    return "", ""


def main(tests):
    """Run test_* of a module's names, or what TESTS_ONLY names; print TAP."""
    only = os.environ.get("TESTS_ONLY", "").split(",")
    found = [(n, f) for n, f in tests.items() if n.startswith("test_") and
             (only == [""] or n in only)]
    failed = 0
    print(f"1..{len(found)}", flush=True)
    for number, (name, function) in enumerate(found, 1):
        problem, skipped = tried(function)
        leftover = left_behind()
        if leftover and not problem:
            problem = f"processes left behind: {leftover}"
        for pid in leftover:
            with contextlib.suppress(OSError):
                os.kill(pid, 9)
        failed += bool(problem)
        if hasattr(function, "rules"):
            print(f"# shows {function.rules}")
        verdict = "not ok" if problem else "ok"
        print(f"{verdict} {number} - {name[5:].replace('_', ' ')}"
              f"{'' if problem else skipped}")
        for line in problem.splitlines():
            print("#", line)
        sys.stdout.flush()
    shutil.rmtree(WORK, ignore_errors=True)
    return 1 if failed else 0
