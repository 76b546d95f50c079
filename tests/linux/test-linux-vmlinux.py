#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The kernel's own vmlinux, 300 MB with debug information, as a user has it.

What it names is what System.map and the kernel's memory name, its lines are
those that binutils finds, and the debugger stops by it.
"""
import functools
import json
import re
import subprocess
import sys

import linux
from linux import FAST, PMUCTL, WORK, holds, payload, same

import debugger  # found by linux

PERIOD = 100003
BOOTED = 100_000_000  # instructions: kallsyms can be read
MANY = 1000  # samples with a line, at least


@functools.lru_cache(maxsize=None)
def trace():
    return linux.boot("echo\npmutest loop 1000", record=(
        "-e", "instructions", "-c", PERIOD)).trace


@functools.lru_cache(maxsize=None)
def kallsyms():
    """Return a file of what a machine finds in the kernel's memory."""
    path = WORK / "kallsyms"
    with linux.held("true") as (d, m):
        d.pmuctl("machine", "until", m, "--insn", BOOTED)
        d.pmuctl("machine", "wait", m, code=0)
        d.pmuctl("machine", "kallsyms", m, "--output", path)
    return path


@functools.lru_cache(maxsize=None)
def named(file):
    """Return the samples, named by a file."""
    done = subprocess.run([PMUCTL, "script", "-j", "--symbols", file, trace()],
                          check=True, capture_output=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def functions(file):
    return [(int(r["sample"]["lastPc"]), r.get("function"), r.get("offset"))
            for r in named(file)]


def lines():
    """Return {address: (file, line)} of the kernel's samples with a line."""
    return {int(r["sample"]["lastPc"]): (r["file"], r["line"])
            for r in named(payload("vmlinux")) if r.get("line")}


def test_functions_are_those_of_system_map_and_of_the_kernel_s_memory():
    mine = functions(payload("vmlinux"))
    holds(len({name for _, name, _ in mine}) > 100, mine[:9])
    same(functions(payload("system-map")), mine)
    # it has none of code that it has thrown away
    found = functions(kallsyms())
    known = [i for i, (_, name, _) in enumerate(found) if name]
    holds(2 * len(known) > len(mine), found[:9])
    same([found[i] for i in known], [mine[i] for i in known])


def test_lines_are_those_that_binutils_finds():
    mine = lines()
    holds(len(mine) > MANY, len(mine))
    done = subprocess.run(
        ["riscv64-linux-gnu-addr2line", "-s", "-e", payload("vmlinux"),
         *map(hex, mine)], check=True, capture_output=True, text=True)
    found = [re.match(r"(.*):(\d+)", line) for line in done.stdout.splitlines()]
    same(len(found), len(mine))
    # it has none for a function's first instructions, the nops of ftrace
    holds(100 * found.count(None) < len(mine), found.count(None))
    both = [(hex(pc), ours, (m[1], int(m[2])))
            for (pc, ours), m in zip(mine.items(), found) if m]
    same([row for row in both if row[1][1] != row[2][1]], [])
    # one of 3,500, in btf.h, it has in btf.c; llvm-symbolizer has ours
    others = [row for row in both if row[1] != row[2]]
    holds(1000 * len(others) < len(both), others)


def test_what_happened_in_a_line_is_found_by_it():
    (file, line), = [max(lines().values(), key=list(lines().values()).count)]
    done = subprocess.run(
        [PMUCTL, "trace", "show", "-j", "-k", "sample", "--line",
         f"{file}:{line}", "--symbols", payload("vmlinux"), trace()],
        check=True, capture_output=True)
    shown = [json.loads(r) for r in done.stdout.splitlines()]
    same([(r["file"], r["line"]) for r in shown], [(file, line)] * len(shown))
    same(len(shown), sum((r.get("file"), r.get("line")) == (file, line)
                         for r in named(payload("vmlinux"))))


def test_the_debugger_stops_by_it():
    done = debugger.gdb(
        debugger.stub("--kernel", payload("kernel"), "--initrd",
                      payload("tiny"), "--append", f"quiet {FAST}",
                      "--max-insns", 4 * BOOTED),
        "tbreak kernel_init", "continue", "backtrace",
        debugger.tell("version", "gdb.parse_and_eval("
                      "'init_uts_ns.name.release').string()"),
        "kill", symbols=payload("vmlinux"))
    holds(re.search(r"^#0 .* kernel_init \(.*\n#1 .* ret_from_fork \(\) at "
                    r"arch/riscv/kernel/entry.S:\d+$", done.text(), re.M), done)
    same(debugger.values(done, "version").split(".")[:2], ["6", "12"])


if __name__ == "__main__":
    linux.payload("vmlinux")
    sys.exit(linux.bench.main(globals()))
