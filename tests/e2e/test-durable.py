#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Traces that outlive what was killed: what came before is there, and good."""
import contextlib
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time

import bench
from bench import GUESTS, WORK, daemon, holds, pmuctl, same, start

GUEST = GUESTS["overflow-rv64"]
TIMES = 6  # kills of each kind of process, at points of dice
LOOP = ["--record", "all", "--max-cycles", "900000"]
STORED = 3 << 20  # bytes: of LOOP, more than is under way, and not all
RUN = ["run"], b""
DEBUGGED = ["gdb", "--stdio"], b"+$c#63"  # and told to go on
MISSING = "the end of the trace is missing"


def whole():
    """The trace of a run that nobody disturbs, all kinds in it."""
    path = WORK / "whole.trace"
    if not path.exists():
        pmuctl("run", "--record", "all", "--trace", path, GUEST)
    return path


def fields(data):
    """Where the header and each record begin, and where the last one ends."""
    at, found = 0, []
    while at < len(data):
        found.append(at)
        end, length, shift = at + 1, 0, 0
        while data[end] & 0x80:
            length |= (data[end] & 0x7f) << shift
            shift += 7
            end += 1
        at = end + 1 + (length | data[end] << shift)
    return found + [at]


def shown(path):
    return pmuctl("trace", "show", path)


def left(path):
    """The file that a run has left, under whatever name."""
    found = [p for p in path.parent.iterdir() if p.name.startswith(path.name)]
    same(len(found), 1, found)
    return found[0]


def is_good(path, seen):
    """A prefix of the whole trace, with all that was in the file before."""
    data, want = path.read_bytes(), whole().read_bytes()
    holds(want.startswith(data), f"{path} has other bytes")
    holds(len(data) >= seen, f"{seen} bytes were there, now {len(data)}")
    if len(data) == len(want):
        return  # it was over before it was killed
    records = len([end for end in fields(want)[2:] if end <= len(data)])
    done = shown(path)
    holds(MISSING in done.err.decode(), done)
    same(len(done.out.splitlines()), records + 1, done)


def kill_at(path, run, victim, size):
    """Kill a process once the file has so many bytes; how many it had."""
    seen = 0
    while seen < size and run.poll() is None:
        part = path.with_name(f"{path.name}.part-{run.pid}")
        try:
            seen = part.stat().st_size
        except FileNotFoundError:
            pass  # not yet, or it has its name already
        os.sched_yield()
    pid = victim()
    if pid:
        with contextlib.suppress(ProcessLookupError):  # it was faster
            os.kill(pid, signal.SIGKILL)
    run.wait(timeout=bench.LONG)
    return seen


def kill_some(name, victim, d):
    dice = random.Random(name)
    size = whole().stat().st_size
    for n in range(TIMES):
        path = WORK / f"{name}-{n}.trace"
        run = (d.start if d else start)(
            "-q", "run", "--record", "all", "--trace", path, GUEST,
            stdout=subprocess.DEVNULL)
        seen = kill_at(path, run, lambda: victim(run), dice.randrange(size))
        is_good(left(path), seen)


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as f:
            return [int(p) for p in f.read().split()]
    except OSError:
        return []


def test_a_killed_machine_leaves_its_trace():
    with daemon() as d:
        kill_some("machine", lambda _: (children(d.process.pid) or [0])[0], d)


def test_a_killed_pmud_leaves_the_trace():
    kill_some("pmud", lambda run: (children(run.pid) or [0])[0], None)


def test_a_killed_pmuctl_leaves_its_trace():
    kill_some("pmuctl", lambda run: run.pid, None)


def looping():
    """The trace of a guest in a trap loop, more than pmuctl takes at once."""
    path = WORK / "looping.trace"
    if not path.exists():
        pmuctl("run", *LOOP, "--trace", path, GUESTS["traps-rv64"], code=124)
    return path


def unnamed(pid):
    """The longest of the files without a name that a process has open."""
    longest = 0
    for fd in pathlib.Path("/proc", str(pid), "fd").iterdir():
        with contextlib.suppress(OSError):
            if os.readlink(fd).endswith(" (deleted)") and \
                    "/memfd:" not in os.readlink(fd):
                longest = max(longest, fd.stat().st_size)
    return longest


def stored_by(pmud, enough):
    """How many bytes have been stored: enough, or all that there is room for.

    Who looks too early sees too little, and asks for less of the file.
    """
    stored, same_again = 0, 0
    while stored < enough and same_again < 300:
        now = unnamed(pmud)
        same_again = same_again + 1 if now == stored else 0
        stored = now
        time.sleep(0.001)
    return stored


def standing(path, victim, *options, command=RUN):
    """pmuctl stands still, pmud stores what comes, and one of them is killed.

    How long the file was, how much was stored, and how the command ended.
    """
    words, stdin = command
    run = start("-q", *words, *LOOP, *options, "--trace", path,
                GUESTS["traps-rv64"], stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    run.stdin.write(stdin)
    run.stdin.flush()
    part = path.with_name(f"{path.name}.part-{run.pid}")
    while not (part.exists() and part.stat().st_size):
        same(run.poll(), None, "the run ended")
        os.sched_yield()
    os.kill(run.pid, signal.SIGSTOP)
    pmud = children(run.pid)[0]
    stored = stored_by(pmud, STORED)
    had = part.stat().st_size
    os.kill(victim(pmud), signal.SIGKILL)
    os.kill(run.pid, signal.SIGCONT)
    said = run.stderr.read()
    run.communicate(timeout=bench.LONG)  # its stdin was open until now
    return had, stored, bench.Done(run.args, run.returncode, b"", said)


def test_what_a_killed_pmud_had_stored_comes_into_the_file():
    """However far its client was behind, and what has gone of the store."""
    small = ["--trace-bytes", "1MiB"]
    for n, (options, command) in enumerate((([], RUN), (small, RUN),
                                            ([], DEBUGGED))):
        path = WORK / f"behind-{n}.trace"
        had, stored, done = standing(path, lambda pmud: pmud, *options,
                                     command=command)
        data = path.read_bytes()
        holds(had < stored / 2, (had, stored))
        holds(looping().read_bytes().startswith(data),
              f"{path} has other bytes")
        holds(len(data) - fields(data)[1] >= stored,
              (len(data), stored, str(done)))
        holds(b"cannot be read" not in done.err, done)
        same(done.code, 123, done)


def test_what_a_killed_machine_had_told_comes_into_the_file():
    """It waits for room in its ring by then, with more than fits to come."""
    path = WORK / "told.trace"
    _, stored, done = standing(path, lambda pmud: children(pmud)[0],
                               "--trace-bytes", "1MiB")
    data = path.read_bytes()
    holds(looping().read_bytes().startswith(data), f"{path} has other bytes")
    holds(len(data) - fields(data)[1] >= stored, (len(data), stored, str(done)))
    same(done.code, 126, done)


def test_what_is_recorded_is_in_the_file_though_nothing_follows():
    """A guest that waits for its input, and a buffer that is not full."""
    path = WORK / "waits.trace"
    run = start("run", "--mode", "m", "--record", "all", "--trace", path,
                GUESTS["echo-rv64"], stdin=-1, stdout=-1)
    part = path.with_name(f"{path.name}.part-{run.pid}")
    run.stdin.write(b"a")
    run.stdin.flush()
    same(run.stdout.read(1), b"a")
    done = None
    while done is None or b"console" not in done.out:
        same(run.poll(), None, "the run ended")
        if part.exists() and part.stat().st_size:
            done = shown(part)
    holds(MISSING in done.err.decode(), done)
    run.kill()
    run.wait(timeout=bench.LONG)


def test_the_trace_of_a_machine_that_stands_for_a_debugger_is_in_the_file():
    path = WORK / "stands.trace"
    run = start("gdb", "--stdio", "--trace", path, GUESTS["echo-rv64"],
                stdin=-1, stdout=-1)
    part = path.with_name(f"{path.name}.part-{run.pid}")
    while not (part.exists() and part.stat().st_size):
        same(run.poll(), None, "it ended")
        os.sched_yield()
    run.kill()
    run.wait(timeout=bench.LONG)
    holds(MISSING in shown(part).err.decode())


def test_a_trace_without_its_end_is_good_for_everything():
    data = whole().read_bytes()
    ends = fields(data)
    cut, path = ends[len(ends) // 2], WORK / "cut.trace"
    path.write_bytes(data[:cut])
    inside = WORK / "inside.trace"
    inside.write_bytes(data[:cut + 5])
    for file, how in ((path, "without a stop"), (inside, "part of a record")):
        for verb in (["show"], ["summary"], ["export", "--format", "folded"],
                     ["export", "--format", "html"]):
            done = pmuctl("trace", *verb, file)
            said = done.err.decode()
            same(said.count(MISSING), 1, done)
            holds(f"at byte {cut} " in said and how in said, done)
    pmuctl("run", "--replay", inside, "--trace", WORK / "on.trace", "--record",
           "all", GUEST)
    same((WORK / "on.trace").read_bytes(), data)


def looped(d, path, *options):
    """The saved trace of a guest in a trap loop, with one input at its start.
    """
    m = d.create("traps-rv64", "--record", "all", "--max-cycles", "200000",
                 *options)
    d.pmuctl("machine", "start", m, "--paused")
    d.pmuctl("csr", "write", "-m", m, "mscratch", "0x55")
    d.pmuctl("machine", "resume", m)
    d.pmuctl("machine", "wait", m, code=124)
    return d.pmuctl("trace", "save", "-m", m, path)


def test_a_rotated_trace_says_where_it_begins_and_still_replays():
    all_of, rotated = WORK / "all.trace", WORK / "rotated.trace"
    with daemon() as d:
        looped(d, all_of)
        done = looped(d, rotated, "--when-full", "rotate", "--trace-bytes",
                      "1MiB")
        holds(b"are not stored any more" in done.err, done)
        again = WORK / "again.trace"
        d.pmuctl("run", "--replay", rotated, "--trace", again,
                 GUESTS["traps-rv64"], code=124)
    same(again.read_bytes(), all_of.read_bytes())
    done = shown(rotated)
    said = re.search(rb"before number (\d+) only the inputs are there, 1\n",
                     done.err)
    whole_lines = shown(all_of).out.splitlines()
    first = int(said.group(1))
    holds(1 < first < len(whole_lines), first)
    lines = done.out.splitlines()
    holds(b" input " in lines[1], lines[1])
    same(lines[2:], whole_lines[1 + first:])
    exported = pmuctl("trace", "export", "--format", "json", rotated)
    same(exported.code, 0, exported)


def test_the_file_of_a_run_has_all_though_its_store_rotates():
    """--trace-bytes are pmud's: --help and docs/TRACES.md say so."""
    plain, rotating = WORK / "plain.trace", WORK / "rotating.trace"
    run = ["run", "--record", "all", "--max-cycles", "200000"]
    pmuctl(*run, "--trace", plain, GUESTS["traps-rv64"], code=124)
    pmuctl(*run, "--when-full", "rotate", "--trace-bytes", "1MiB", "--trace",
           rotating, GUESTS["traps-rv64"], code=124)
    holds(plain.stat().st_size > 2 << 20, plain.stat())
    same(rotating.read_bytes(), plain.read_bytes())
    help_text = " ".join(pmuctl("run", "--help").text().split())
    holds("FILE of --trace has all records" in help_text, help_text)


def test_a_machine_that_ends_when_full_says_of_what():
    with daemon() as d:
        m = d.create("traps-rv64", "--record", "all", "--max-cycles",
                     "200000", "--when-full", "end", "--trace-bytes", "1MiB")
        d.pmuctl("machine", "start", m)
        done = d.pmuctl("machine", "wait", m, code=126)
        holds(b"its records cannot be stored (--when-full=end): the machine's "
              b"trace has 1 MiB, as many as it may (--trace-bytes)"
              in done.err, done)


def limited(how):
    """A run whose stored trace gets full; it is ended if it waits."""
    path = WORK / f"{how}.trace"
    run = start("run", *LOOP, "--when-full", how, "--trace-bytes", "1MiB",
                "--trace", path, GUESTS["traps-rv64"],
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = b""
    while how == "hold" and b"stands still" not in said:
        line = run.stderr.readline()
        holds(line, said)
        said += line
    if how == "hold":
        run.send_signal(signal.SIGINT)
    said += run.communicate(timeout=bench.LONG)[1]
    data = path.read_bytes()
    holds(looping().read_bytes().startswith(data), said)
    return run.returncode, len(data) - fields(data)[1]


def test_a_limit_of_the_stored_trace_is_one_of_the_file():
    code, length = limited("hold")
    same(code, 130)
    holds(0 < length <= 1 << 20, length)
    code, length = limited("end")
    same(code, 126)
    holds(3 << 18 < length <= 1 << 20, length)  # pieces are 256 KiB at most


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
