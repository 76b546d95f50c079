#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Callers by unwind tables, and without: what pmuctl finds, gdb finds, too."""
import json
import os
import subprocess
import sys

import bench
from bench import GUESTS, WORK, daemon, holds, pmuctl, same
from debugger import GDB, stub

# Every instruction of these many is compared: prologues, calls and returns.
COUNT = 1000
SCRIPT = """
gdb.execute("set backtrace past-main on")
gdb.execute("set backtrace past-entry on")
for i in range({count}):
    frame, found = gdb.newest_frame(), []
    while frame and frame.is_valid():
        if frame.type() not in (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME):
            found.append(hex(frame.pc()))
        frame = frame.older()
    print("frames", *found)
    gdb.execute("stepi", to_string=True)
"""


def records(path, *args):
    done = pmuctl("-j", "trace", "show", "-k", "sample", path, *args)
    return [json.loads(line) for line in done.text().splitlines()]


def record(name, guest, *args, isa="rv64", run=()):
    path = WORK / name
    pmuctl("record", *args, "-o", path, "--", "run", *bench.isa_options(isa),
           *run, GUESTS[f"{guest}-{isa}"], code=(0, 124))
    return path


def unwound(path, elf):
    to = path.with_suffix(".unwound")
    pmuctl("trace", "unwind", "--symbols", elf, path, to)
    return records(to)


def frames_of_gdb(isa, guest, function):
    """Of instructions in and behind @function: pcs, the innermost first.

    And the number of the first of them. Frames that gdb adds, of functions that
    were inlined or have gone by a jump, are none of the stack.
    """
    script = WORK / "frames.py"
    script.write_text("import gdb\n" + SCRIPT.format(count=COUNT))
    with daemon() as d:
        m = d.create(guest, *bench.isa_options(isa))
        d.pmuctl("machine", "start", m, "--paused")
        d.pmuctl("machine", "until", m, "--pc", function)
        first = int(d.show(m)["insn"])
        done = subprocess.run(
            [GDB, "-nx", "-batch", "-ex", "set pagination off",
             "-ex", f"target remote {stub('-m', m)}", "-x", str(script),
             GUESTS[guest]],
            env=d.env(), capture_output=True, timeout=600, check=False,
            stdin=subprocess.DEVNULL)
    found = [[int(pc, 16) for pc in line.split()[1:]]
             for line in done.stdout.decode().splitlines()
             if line.startswith("frames ")]
    same(len(found), COUNT, done.stderr.decode()[-2000:])
    return first, found


def sampled_with_gdb(isa, name, function, *args):
    """Samples of the same instructions as gdb's frames: pairs of the two."""
    guest = f"{name}-{isa}"
    first, of_gdb = frames_of_gdb(isa, guest, function)
    path = record(f"{guest}.trace", name, "-e", "instructions", "-c", 1, *args,
                  isa=isa, run=["--max-insns", first + COUNT])
    ours = unwound(path, GUESTS[guest]) if "--stack" in args else records(path)
    same(len(ours[first:]), COUNT)
    pairs, steps, ecalls = [], iter(of_gdb), 0
    for r in ours[first:]:
        theirs = next(steps, None)
        if theirs and theirs[0] != int(r["sample"]["lastPc"]):
            theirs, ecalls = next(steps, None), ecalls + 1  # retires never
        if not theirs:
            break
        same(int(r["sample"]["lastPc"]), theirs[0], len(pairs))
        pairs.append((r, theirs))
    holds(len(pairs) > COUNT - 100 and ecalls < 100, (len(pairs), ecalls))
    return pairs


def callers_of(r):
    return [int(c) for c in r["sample"].get("callers", [])]


def compare(isa, name="overflow", function="printf"):
    deep = set()
    for r, theirs in sampled_with_gdb(isa, name, function, "--stack", "8K"):
        end, callers = r["sample"]["chainEnd"], callers_of(r)
        same(callers, theirs[1:][:len(callers)], (r, theirs))
        holds(end in ("CHAIN_END_NO_TABLE", "CHAIN_END_BOTTOM"), r)
        if end == "CHAIN_END_BOTTOM":
            same(len(callers), len(theirs) - 1, (r, theirs))
        deep.add(len(callers))
    return deep  # in printf, what it calls and what that calls


def test_every_frame_is_one_of_gdb():
    holds(max(compare("rv64")) >= 4)


def test_every_frame_is_one_of_gdb_on_rv32():
    holds(max(compare("rv32")) >= 4)


def has_tables(guest, section):
    return f" {section} " in subprocess.run(
        ["riscv64-unknown-elf-readelf", "-SW", GUESTS[guest]], check=True,
        capture_output=True).stdout.decode()


def test_every_frame_by_eh_frame_is_one_of_gdb():
    for isa in ("rv64", "rv32"):
        holds(has_tables(f"frames-eh-{isa}", ".eh_frame"))
        holds(not has_tables(f"frames-eh-{isa}", ".debug_frame"))
        holds(max(compare(isa, "frames-eh", "main")) >= 4)


def compare_without_tables(isa, name, function):
    """A chain is gdb's, or shorter and says so."""
    whole = 0
    pairs = sampled_with_gdb(isa, name, function, "-g")
    for r, theirs in pairs:
        end, callers = r["sample"]["chainEnd"], callers_of(r)
        same(callers, theirs[1:][:len(callers)], (r, theirs))
        holds(end in ("CHAIN_END_NO_RETURN", "CHAIN_END_BOTTOM"), r)
        same(end == "CHAIN_END_BOTTOM", len(callers) == len(theirs) - 1,
             (r, theirs))
        whole += end == "CHAIN_END_BOTTOM"
    holds(whole > len(pairs) * 97 // 100, (whole, len(pairs)))


def test_every_caller_without_tables_is_one_of_gdb():
    compare_without_tables("rv64", "frames-fp", "main")
    compare_without_tables("rv64", "overflow", "printf")


def test_every_caller_without_tables_is_one_of_gdb_on_rv32():
    compare_without_tables("rv32", "frames-fp", "main")


def test_chains_of_a_whole_run_are_those_of_its_tables():
    for name in ("frames-fp", "overflow"):
        path = record(f"both-{name}.trace", name, "-e", "cycles", "-c", 97,
                      "-g", "--stack", "8K")
        mine = records(path)
        tables = unwound(path, GUESTS[f"{name}-rv64"])
        same(len(mine), len(tables))
        beyond = set()
        for a, b in zip(mine, tables):
            callers, theirs = callers_of(a), callers_of(b)
            n = min(len(callers), len(theirs))
            same(callers[:n], theirs[:n], (a, b))
            if a["sample"]["chainEnd"] != "CHAIN_END_NO_RETURN":
                same(a["sample"]["chainEnd"], "CHAIN_END_BOTTOM")
                holds(len(callers) >= len(theirs), (a, b))
            # assembly has no tables: in a trap, what it interrupted
            beyond.add(len(callers) > len(theirs))
        holds(name != "overflow" or True in beyond)


def test_a_chain_ends_marked_where_the_copy_does():
    guest = GUESTS["overflow-rv64"]
    args = ["-e", "instructions", "-c", 997]
    whole = unwound(record("whole.trace", "overflow", *args, "--stack", "4K"),
                    guest)
    short = unwound(record("short.trace", "overflow", *args, "--stack", "64"),
                    guest)
    same(len(short), len(whole))
    ends = set()
    for a, b in zip(whole, short):
        mine, all_of = (r["sample"].get("callers", []) for r in (b, a))
        same(mine, all_of[:len(mine)])
        if len(mine) < len(all_of):
            same(b["sample"]["chainEnd"], "CHAIN_END_STACK_END")
        ends.add(b["sample"]["chainEnd"])
        holds(not b["sample"].get("registers"), b)
    holds("CHAIN_END_STACK_END" in ends, ends)
    without = records(WORK / "whole.trace")
    holds(all("callers" not in r["sample"] or not r["sample"]["callers"]
              for r in without))


def test_the_rest_of_the_trace_stays():
    path = record("rest.trace", "overflow", "-e", "cycles", "-c", 5003,
                  "--stack", "1K")
    to = WORK / "rest.unwound"
    pmuctl("trace", "unwind", "--symbols", GUESTS["overflow-rv64"], path, to)
    holds(os.path.getsize(to) < os.path.getsize(path))
    kinds = "overflow,console,hart,stop"
    same(pmuctl("-j", "trace", "show", "-k", kinds, to).out,
         pmuctl("-j", "trace", "show", "-k", kinds, path).out)
    plain = record("plain.trace", "overflow", "-e", "cycles", "-c", 5003)
    places = [[(r["cycle"], r["pc"], r["sample"]["lastPc"])
               for r in records(p)] for p in (plain, to)]
    same(places[0], places[1], "a copy of the stack moves nothing")


def test_what_cannot_be_unwound_is_named():
    path = record("no.trace", "overflow", "-e", "cycles", "-c", 100003)
    elf = GUESTS["overflow-rv64"]
    to = WORK / "no.unwound"
    done = pmuctl("trace", "unwind", "--symbols", elf, path, to)
    holds("no sample has a copy of the stack" in done.err.decode(), done)
    for args, code, message in (
            ([path, to], 2, "needs --symbols"),
            (["--symbols", elf, path, path], 2, ""),
            (["--symbols", elf, path], 2, "missing argument: FILE FILE"),
            (["--symbols", GUESTS["overflow-rv32"], path, to], 2,
             "is not what ran"),
            (["--symbols", elf, WORK / "none", to], 4, "none")):
        done = pmuctl("trace", "unwind", *args, code=code)
        holds(message in done.err.decode(), done)
    done = pmuctl("record", "-e", "cycles", "-c", 1, "--stack", "64K1", "--",
                  "run", elf, code=2)
    holds("is not a size" in done.err.decode(), done)
    done = pmuctl("record", "-e", "cycles", "-c", 1, "--stack", "65KiB", "--",
                  "run", elf, code=2)
    holds("must be at most 64KiB" in done.err.decode(), done)


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
