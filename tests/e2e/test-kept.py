#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""pmud --keep: runs that are there after pmud has ended, by whatever."""
import os
import random
import signal
import subprocess
import sys

import bench
from bench import GUESTS, PMUD, WORK, holds, same
from bench import child

LOOP = ["--record", "trap,sbi,process", "--max-cycles", "150000"]
MIB = 1 << 20
TIMES = 5  # kills at points of dice


class Kept(bench.Daemon):
    """A pmud that keeps its runs, over and over in the same folder."""

    def __init__(self, name):
        super().__init__(WORK / name, None)
        self.runtime.mkdir()
        self.runs = self.runtime / "runs"
        self.runs.mkdir()
        self.said = b""

    def begin(self, *options, keep=("--keep",)):
        socket = self.runtime / "pmud.sock"
        socket.unlink(missing_ok=True)
        self.process = child.start(
            [PMUD, "--socket", str(socket), "-d", str(self.runs), *keep,
             *options], env=self.env(), stderr=subprocess.PIPE)
        while not socket.exists():
            same(self.process.poll(), None, "pmud ended")
            os.sched_yield()
        return self

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        self.said = self.process.communicate(timeout=bench.LONG)[1]
        same(self.process.returncode, 0 if number == signal.SIGTERM
             else -number, self.said)

    def listed(self):
        done = self.pmuctl("-j", "machine", "list").json()
        return {m["id"]: m for m in done["machines"]}

    def save(self, machine):
        path = self.runtime / "saved.trace"
        done = self.pmuctl("trace", "save", "-m", machine, path)
        return path.read_bytes(), done

    def run(self, guest, *options):
        m = self.create(guest, *options)
        self.pmuctl("machine", "start", m)
        return m

    def stored(self, machine):
        return self.pmuctl("-j", "trace", "show", "-m", machine).out


def whole_loop():
    """The trace of a guest in a trap loop, all of it."""
    path = WORK / "loop.trace"
    if not path.exists():
        bench.pmuctl("run", *LOOP, "--trace", path, GUESTS["traps-rv64"],
                     code=124)
    return path.read_bytes()


def behind_header(trace):
    """The records of a trace; the header, field 1 of it, comes first."""
    length, shift, at = 0, 0, 1
    while True:
        length |= (trace[at] & 0x7f) << shift
        shift, at = shift + 7, at + 1
        if trace[at - 1] < 0x80:
            return trace[at + length:]


def test_runs_are_there_after_pmud_was_killed():
    d = Kept("killed").begin()
    ended = d.run("overflow-rv64", "--record", "trap,sbi,process")
    d.pmuctl("machine", "wait", ended)
    trace, _ = d.save(ended)
    waits = d.run("echo-rv64", "--mode", "m")
    d.pmuctl("machine", "input", waits, stdin=b"a")
    while b"consoleOutput" not in d.stored(waits):
        os.sched_yield()
    d.create("overflow-rv64")  # never started: nothing to keep
    d.end(signal.SIGKILL)
    d.begin()
    found = d.listed()
    same({i: found[i]["state"] for i in found},
         {ended: "MACHINE_STATE_ENDED", waits: "MACHINE_STATE_CRASHED"})
    same(found[waits]["detail"], "pmud ended while it ran")
    same(d.save(ended)[0], trace)
    _, done = d.save(waits)
    holds(d.pmuctl("machine", "console", waits).out.startswith(b"a"))
    holds(b'"input"' in d.stored(waits), done)
    d.pmuctl("stat", "-m", ended, code=1)
    d.pmuctl("machine", "delete", ended)
    d.end()
    same([p.name for p in d.runs.iterdir()], [waits])
    d.begin()
    same(list(d.listed()), [waits])
    holds(d.create("overflow-rv64") not in (ended, waits))
    d.end()


def test_without_keep_a_killed_pmud_leaves_nothing():
    """Nor does it leave files that nobody would take away."""
    d = Kept("unkept").begin(keep=())
    d.pmuctl("machine", "wait", d.run("overflow-rv64"))
    same(len(d.listed()), 1)
    d.end(signal.SIGKILL)
    same(list(d.runs.iterdir()), [])
    for keep in ((), ("--keep",)):
        same(d.begin(keep=keep).listed(), {})
        d.end()


def test_what_a_killed_pmud_had_taken_is_there():
    whole, dice = whole_loop(), random.Random("kept")
    d = Kept("prefix")
    for _ in range(TIMES):
        d.begin()
        m = d.run("traps-rv64", *LOOP)
        least, seen = dice.randrange(15000), 0
        while seen <= least and d.show(m)["state"].endswith("RUNNING"):
            seen = d.stored(m).count(b"\n")
        d.end(signal.SIGKILL)
        d.begin()
        trace, done = d.save(m)
        holds(whole.startswith(trace), f"{len(trace)} of {len(whole)} bytes")
        same(d.stored(m).count(b"\n") >= seen, True, done)
        d.pmuctl("machine", "delete", m)
        d.end()
    same(list(d.runs.iterdir()), [])


def test_a_run_is_kept_whose_own_client_was_behind():
    """What had not come into the FILE of its --trace."""
    whole, d = whole_loop(), Kept("behind").begin()
    path = d.runtime / "behind.trace"
    run = d.start("run", *LOOP, "--trace", path, GUESTS["traps-rv64"],
                  stderr=subprocess.PIPE)
    part = path.with_name(f"{path.name}.part-{run.pid}")
    while not (part.exists() and part.stat().st_size):
        same(run.poll(), None, "the run ended")
        os.sched_yield()
    os.kill(run.pid, signal.SIGSTOP)
    stored, m = 0, list(d.listed())[0]
    while stored < len(whole) / 2:
        file = d.runs / m / "trace"
        stored = file.stat().st_size if file.exists() else 0
        os.sched_yield()
    d.end(signal.SIGKILL)
    os.kill(run.pid, signal.SIGCONT)
    said = run.communicate(timeout=bench.LONG)[1].decode()
    same(run.returncode, 123, said)
    holds(f"(--keep) has all that it had stored when it is back: pmuctl "
          f"trace save -m {m} FILE" in said, said)
    data = path.read_bytes()
    holds(whole.startswith(data) and len(data) < stored, (len(data), stored))
    d.begin()
    trace, done = d.save(m)
    holds(whole.startswith(trace), f"{len(trace)} of {len(whole)} bytes")
    holds(len(trace) >= stored, (len(trace), stored, done))
    d.pmuctl("machine", "delete", m)
    d.end()


def test_a_rotated_run_is_kept_with_its_inputs():
    whole = whole_loop()
    for number in (signal.SIGTERM, signal.SIGKILL):
        d = Kept(f"rotated-{number}").begin()
        m = d.create("traps-rv64", *LOOP, "--when-full", "rotate",
                     "--trace-bytes", "1MiB")
        d.pmuctl("machine", "start", m, "--paused")
        d.pmuctl("csr", "write", "-m", m, "mscratch", "1")
        d.pmuctl("machine", "resume", m)
        d.pmuctl("machine", "wait", m, code=124)
        trace, done = d.save(m)
        holds(b"are not stored any more" in done.err, done)
        d.end(number)
        d.begin()
        same(d.save(m)[0], trace)
        # at most 1 MiB and a header, of 2 MiB
        holds(len(trace) < len(whole) * 3 / 4, len(trace))
        d.end()


def test_a_run_that_rotates_is_kept_by_a_killed_pmud():
    """All that came behind what was dropped, wherever it is killed."""
    options = ["--record", "trap,sbi,process", "--max-cycles", "1500000"]
    path, dice = WORK / "long-loop.trace", random.Random("rotates")
    bench.pmuctl("run", *options, "--trace", path, GUESTS["traps-rv64"],
                 code=124)
    whole, d = behind_header(path.read_bytes()), Kept("rotates")
    for _ in range(TIMES):
        d.begin()
        m = d.run("traps-rv64", *options, "--when-full", "rotate",
                  "--trace-bytes", "1MiB")
        file, seen = d.runs / m / "trace", 0
        least = MIB + dice.randrange(MIB)
        while seen <= least and d.show(m)["state"].endswith("RUNNING"):
            seen = file.stat().st_size if file.exists() else 0
        d.end(signal.SIGKILL)
        d.begin()
        trace, done = d.save(m)
        holds(b"are not stored any more" in done.err, done)
        # inputs are kept from the beginning on, all else is in one piece
        kept = behind_header(trace)
        kept = kept[len(os.path.commonprefix((whole, kept))):]
        at = whole.find(kept)
        holds(at > 0 and at + len(kept) >= seen, (at, len(kept), seen))
        d.pmuctl("machine", "delete", m)
        d.end()


def test_a_run_that_was_held_goes_on_as_if_it_had_not_been():
    """For want of room, until there is some."""
    whole = whole_loop()
    d = Kept("held").begin("--store", "4MiB", "--store-per-user", "3MiB")
    first = d.run("traps-rv64", *LOOP)
    d.pmuctl("machine", "wait", first, code=124)
    second = d.run("traps-rv64", *LOOP)
    while not d.show(second)["held"]:
        holds(not d.show(second)["state"].endswith("ENDED"), "never held")
    d.pmuctl("machine", "delete", first)
    d.pmuctl("machine", "wait", second, code=124)
    same(d.save(second)[0], whole)
    d.pmuctl("machine", "delete", second)
    d.end()


def test_what_is_kept_counts_for_its_owner():
    d = Kept("counts").begin()
    m = d.run("overflow-rv64")
    d.pmuctl("machine", "wait", m)
    d.end()
    d.begin("--machines-per-user", "1")
    done = d.pmuctl("machine", "create", code=(1, 6))
    holds(b"--machines-per-user" in done.err, done)
    d.pmuctl("machine", "delete", m)
    d.pmuctl("machine", "create")
    d.end()
    d.begin()
    m = d.run("traps-rv64", *LOOP)
    d.pmuctl("machine", "wait", m, code=124)
    d.end()
    d.begin("--store", "1MiB", "--store-per-user", "1MiB")
    m = d.run("overflow-rv64")
    while not d.show(m)["held"]:
        os.sched_yield()
    d.end()


def test_one_pmud_keeps_runs_in_a_folder():
    d = Kept("one").begin()
    other = subprocess.run(
        [PMUD, "--socket", d.runtime / "other.sock", "-d", d.runs, "--keep"],
        capture_output=True, timeout=bench.LONG, check=False, env=d.env())
    same(other.returncode, 1, other)
    holds(b"another pmud keeps its runs there" in other.stderr, other)
    d.end()
    alone = subprocess.run([PMUD, "--socket", d.runtime / "s", "--keep"],
                           capture_output=True, timeout=bench.LONG,
                           check=False, env=d.env())
    same(alone.returncode, 2, alone)
    holds(b"--keep needs --state-dir" in alone.stderr, alone)


def test_a_run_that_cannot_be_read_is_named_and_left_alone():
    d = Kept("bad").begin()
    for _ in range(4):
        d.pmuctl("machine", "wait", d.run("overflow-rv64"))
    d.end()
    names = sorted(p.name for p in d.runs.iterdir())
    about = [d.runs / n / "about" for n in names]
    about[0].write_bytes(about[0].read_bytes()[:-1])
    about[1].write_bytes(about[1].read_bytes() + b"\x08\x07")
    (d.runs / names[2] / "trace").unlink()
    (d.runs / "other").mkdir()
    d.begin()
    same(list(d.listed()), names[3:])
    new = d.run("overflow-rv64")
    d.pmuctl("machine", "wait", new)
    holds(new not in names, new)
    d.pmuctl("machine", "delete", new)
    d.end()
    for name in names[:3]:
        holds(f"the run {name} cannot be read: ".encode() in d.said, d.said)
    same(sorted(p.name for p in d.runs.iterdir()), sorted([*names, "other"]))


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
