#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Callers in a process of Linux, frame for frame as a debugger has them.

A program and its shared library, compiled without frame pointers, are stepped
through by gdb while each instruction is sampled: at each of them stands what
gdb finds, and what `trace unwind --sysroot` finds by the files' .eh_frame.
"""
import collections
import functools
import json
import re
import shutil
import signal
import subprocess
import sys

import linux
from linux import WORK, holds, same

import debugger  # found by linux
from bench import LONG, pmuctl

HERE = linux.PAYLOAD.parent / "callers"
FLAGS = ["-O2", "-Wall", "-Wextra", "-Werror", "-fomit-frame-pointer",
         "-fasynchronous-unwind-tables", "-nostdlib"]
# nobody else has code there
ORIGIN = 0x5a5a0000
LOADER = "lib/ld-linux-riscv64-lp64d.so.1"
PROGRAM, LIBRARY = "usr/bin/callers", "lib/libcallers.so"
MANY = 250  # instructions, at least
# Chains that must be among them; who was called by a jump has its caller's caller.
FROM = ("calls_back", "begin", "_start")
WANTED = {
    FROM, FROM[1:],
    ("leaf", "own", *FROM),
    (*6 * ("recurses",), *FROM),
    ("leaf", *5 * ("recurses",), *FROM),
    ("jumps", *FROM), ("leaf", "jumps", *FROM),
    ("moves", *FROM), ("leaf", "moves", *FROM),
}
STEPS = """
import gdb, json, re
U, MOST = 0, 2000
gdb.execute("set backtrace past-entry on")
for _ in range(MOST):
    if int(gdb.parse_and_eval("(unsigned long)$priv")) != U:
        gdb.execute("tbreak *$sepc", to_string=True)
        gdb.execute("continue", to_string=True)
        continue
    frame, found = gdb.newest_frame(), []
    if frame.name() == "end":
        break
    while frame and frame.is_valid():
        if frame.type() not in (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME):
            found.append((frame.pc(), frame.name()))
        frame = frame.older()
    insns = re.search(r"(\\d+) instructions", gdb.execute(
        "monitor state", to_string=True))[1]
    print("frames=" + json.dumps([int(insns), found]))
    gdb.execute("stepi", to_string=True)
"""


@functools.lru_cache(maxsize=None)
def sysroot():
    """Return a folder that has the files where the guest has them."""
    root = WORK / "callers"
    for file in (PROGRAM, LIBRARY):
        (root / file).parent.mkdir(parents=True)
    gcc = ["riscv64-linux-gnu-gcc", *FLAGS]
    subprocess.run([*gcc, "-fPIC", "-shared", "-Wl,-soname,libcallers.so",
                    "-Wl,-Bsymbolic", HERE / "shared.c", "-o", root / LIBRARY], check=True)
    subprocess.run([*gcc, "-no-pie", f"-Wl,-Ttext-segment={ORIGIN:#x},-z,now",
                    HERE / "main.c", root / LIBRARY, "-o", root / PROGRAM],
                   check=True)
    shutil.copy(f"/usr/riscv64-linux-gnu/{LOADER}", root / LOADER)
    return root


def said(file, tool, pattern):
    """Return the numbers that a tool of binutils has where the pattern is."""
    done = subprocess.run([f"riscv64-linux-gnu-{tool[0]}", *tool[1:],
                           sysroot() / file], check=True, capture_output=True,
                          text=True)
    found = re.search(pattern, done.stdout, re.M)
    holds(found, done.stdout)
    return [int(n, 16) for n in found.groups()]


def address(file, name):
    return said(file, ["nm"], rf"^(\w+) \w {name}$")[0]


def bias(d, m):
    """Where the library is: the program's table of addresses has `leaf`."""
    slot, = said(PROGRAM, ["readelf", "-rW"], r"^(\w+) .* leaf \+ 0$")
    out = WORK / "slot"
    d.pmuctl("mem", "read", "-m", m, "--virtual", slot, 8, "--output",
             out)
    return int.from_bytes(out.read_bytes(), "little") - address(LIBRARY, "leaf")


def without_tables(base):
    """Return ranges of code: the linker's for calls of the library, and ours.
    """
    stubs = said(PROGRAM, ["readelf", "-SW"],
                 r" \.plt +\S+ +(\w+) +\w+ +(\w+)")
    at, size = said(LIBRARY, ["nm", "-S"], r"^(\w+) (\w+) T without_table$")
    return [range(start, start + n) for start, n in (stubs, (base + at, size))]


def stepped(d, m, base):
    """Step the machine to the end of the work; yield what gdb says."""
    script = WORK / "steps.py"
    script.write_text(STEPS)
    done = debugger.gdb(
        debugger.stub("-m", m), f"add-symbol-file {sysroot() / LIBRARY} "
        f"-o {base:#x}", "monitor on-detach pause", f"source {script}",
        symbols=sysroot() / PROGRAM, env=d.env())
    for line in done.text().splitlines():
        if line.startswith("frames="):
            yield json.loads(line.split("=", 1)[1])


@functools.lru_cache(maxsize=None)
def session():
    """gdb's frames of each instruction by its number, and two traces.

    One has the callers that the machine knows, the other stacks alone. And where
    there is code that no table tells of.
    """
    traces = {WORK / "callers-trace": ["-g"], WORK / "stacks": ["--stack", "2K"]}
    with linux.held("callers\n", options=("--record", "process"), files=[
            f"{sysroot() / file}:/{file}"
            for file in (PROGRAM, LIBRARY, LOADER)]) as (d, m):
        d.pmuctl("machine", "until", m, "--pc",
                 f"{address(PROGRAM, 'begin'):#x}")
        records = [d.start("record", "-m", m, "-e", "instructions:u", "-c", 1,
                           *options, "-o", trace, stderr=subprocess.PIPE)
                   for trace, options in traces.items()]
        for record in records:
            holds(b"sampling from cycle" in record.stderr.readline())
        base = bias(d, m)
        frames = dict(stepped(d, m, base))
        for record in records:
            record.send_signal(signal.SIGINT)
            same(record.wait(timeout=LONG), 0)
            record.stderr.close()
    holds(len(frames) > MANY, len(frames))
    return frames, *traces, without_tables(base)


def compared(trace):
    """Yield samples with gdb's frames of the same instruction.

    It has retired in the sample and comes in gdb, which guesses where it stands
    in what no table tells of.
    """
    frames = session()[0]
    found = [r for r in linux.records(trace, "sample")
             if r["insn"] - 1 in frames]
    same(len(found), len(frames))
    for r in found:
        theirs = frames[r["insn"] - 1]
        if theirs[0][1] != "without_table":
            yield r, theirs


@functools.lru_cache(maxsize=None)
def unwound():
    path = WORK / "unwound"
    pmuctl("trace", "unwind", "--sysroot", sysroot(), session()[2], path)
    return path


def callers(r):
    return [int(c) for c in r["sample"].get("callers", [])]


def same_frames(r, theirs):
    """As many frames as the sample has are gdb's."""
    same([int(r["sample"]["lastPc"]), *callers(r)],
         [pc for pc, _ in theirs][:1 + len(callers(r))], (r, theirs))


def has_tables(r, names):
    """Has each frame of the sample a table?

    What the unwinder begins with is what comes, where the instruction went.
    """
    return "without_table" not in names and \
        not any(r["pc"] in code for code in session()[3])


def test_each_frame_by_the_files_tables_is_one_of_gdb():
    whole = collections.Counter()
    for r, theirs in compared(unwound()):
        same_frames(r, theirs)
        names = [name for _, name in theirs]
        end = r["sample"]["chainEnd"]
        if not has_tables(r, names):  # and nobody guesses
            same(end, "CHAIN_END_NO_TABLE", (r, theirs))
            continue
        same(end, "CHAIN_END_BOTTOM", (r, theirs))
        same(len(callers(r)), len(theirs) - 1, (r, theirs))
        whole[tuple(names)] += 1
    print(f"# {whole.total()} chains to the bottom")
    holds(whole.total() > MANY, whole)
    same(set(whole) & WANTED, WANTED)


def named(text):
    return re.sub(r"\+0x\w+|\+0", "", text)


def test_each_frame_has_the_name_that_gdb_has():
    frames = {tuple(pc for pc, _ in theirs): [name for _, name in theirs]
              for theirs in session()[0].values()}
    lines = pmuctl("script", "--sysroot", sysroot(), unwound()).text()
    rows = [line.split() for line in lines.splitlines() if " from " in line]
    found = {(named(row[4]), *named(row[row.index("from") + 1]).split(","))
             for row in rows}
    same(found & WANTED, WANTED)
    # a chain that ends early has the first of them
    theirs = {tuple(names)[:n] for names in frames.values()
              for n in range(len(names) + 1)}
    # the linker's code for calls has none
    same({f for f in found if "-" not in f} - theirs, set())


def test_each_caller_without_tables_is_one_of_gdb():
    whole, n = 0, 0
    for r, theirs in compared(session()[1]):
        same_frames(r, theirs)
        end, n = r["sample"]["chainEnd"], n + 1
        # the first function's frame is none, for it has no caller
        holds(end in ("CHAIN_END_NO_RETURN", "CHAIN_END_BAD_FRAME"),
              (r, theirs))
        same(end == "CHAIN_END_BAD_FRAME", len(callers(r)) == len(theirs) - 1,
             (r, theirs))
        whole += end == "CHAIN_END_BAD_FRAME"
    print(f"# {whole} of {n} to the first function")
    holds(whole > n * 97 // 100, (whole, n))


if __name__ == "__main__":
    linux.payload("tiny")
    sys.exit(linux.bench.main(dict(globals())))
