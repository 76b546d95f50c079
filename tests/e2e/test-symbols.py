#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Names where addresses go, and where a machine stands once it stops."""
import re
import sys

import bench
from bench import ISAS, holds, same

def paused(d, isa, *args):
    """A machine that stands before its first instruction."""
    name = d.create(f"overflow-{isa}", *bench.isa_options(isa, *args))
    d.pmuctl("machine", "start", "--paused", name)
    return name


def place(done):
    """The line about the hart."""
    return next(l for l in done.text().splitlines() if l.startswith("hart"))


def pc_of(line):
    return int(re.match(r"hart 0 \S+ (0x[0-9a-f]+)", line)[1], 16)


def test_a_breakpoint_has_a_name():
    with bench.daemon() as d:
        for isa in ISAS:
            m = paused(d, isa)
            d.pmuctl("machine", "break", m, "sieve")
            d.pmuctl("machine", "resume", m)
            line = place(d.pmuctl("machine", "wait", m))
            holds(re.match(r"hart 0 [SU] 0x\w+ sieve\+0x0 work\.c:\d+: \S",
                           line), line)
            words = d.pmuctl("mem", "read", "-m", m, "--virtual", "sieve",
                             "4").text().split()
            same(int(words[0], 16), pc_of(line), words)


def test_until_takes_a_name_and_an_offset():
    with bench.daemon() as d:
        for isa in ISAS:
            m = paused(d, isa)
            start = pc_of(place(d.pmuctl("machine", "until", m, "--pc",
                                         "sieve")))
            line = place(d.pmuctl("machine", "step", m))
            offset = pc_of(line) - start
            holds(f" sieve+{offset:#x} " in line, line)
            again = paused(d, isa)
            line = place(d.pmuctl("machine", "until", again, "--pc",
                                  f"sieve+{offset:#x}"))
            same(pc_of(line), start + offset, line)


def test_what_stands_still_says_where_and_what_runs_does_not():
    with bench.daemon() as d:
        m = paused(d, "rv64")
        for line in (place(d.pmuctl("machine", "show", m)),
                     place(d.pmuctl("machine", "step", m)),
                     place(d.pmuctl("machine", "step", "-c", "9", m))):
            holds(line.startswith("hart 0 S 0x"), line)
            holds("start.S:" in line, line)
        m = paused(d, "rv64")
        holds("hart 0" not in d.pmuctl("-j", "machine", "show", m).text())
        holds("hart 0" not in d.pmuctl("machine", "resume", m).text())


def test_a_name_that_nobody_has_is_not_found():
    with bench.daemon() as d:
        m = paused(d, "rv64")
        for args in (["machine", "break", m, "nosuch"],
                     ["machine", "until", m, "--pc", "nosuch+4"],
                     ["mem", "read", "-m", m, "nosuch", "4"],
                     ["mem", "write", "-m", m, "nosuch", "00"]):
            done = d.pmuctl(*args, code=4)
            holds("symbol 'nosuch'" in done.err.decode(), done)
        for word in ("12x", "main+", "main+x", "+4", ""):
            done = d.pmuctl("machine", "break", m, word, code=2)
            holds("is not a number, NAME or NAME+OFFSET" in done.err.decode(), done)


def test_symbols_may_be_given_to_any_machine():
    with bench.daemon() as d:
        elf = bench.GUESTS["overflow-rv64"]
        flat = bench.WORK / "flat"
        flat.write_bytes(bytes.fromhex("6f000000"))  # j .
        m = d.pmuctl("machine", "create").text().strip()
        d.pmuctl("machine", "load", "--flat", "0x80200000", m, flat)
        d.pmuctl("machine", "start", m)
        done = d.pmuctl("machine", "break", m, "sieve", code=4)
        holds("no ELF file" in done.err.decode(), done)
        d.pmuctl("machine", "symbols", m, elf)
        d.pmuctl("machine", "break", m, "sieve")
        d.pmuctl("machine", "pause", m)
        holds(" _start+0x0 start.S:" in place(d.pmuctl("machine", "show", m)))
        done = d.pmuctl("machine", "symbols", m, flat, code=2)
        holds("symbols: no ELF file" in done.err.decode(), done)


def test_what_is_asked_changes_nothing_that_is_recorded():
    def run(asks):
        with bench.daemon() as d:
            m = paused(d, "rv64")
            d.pmuctl("machine", "until", m, "--insn", "20000")
            for args in asks:
                d.pmuctl(*args, m)
            d.pmuctl("machine", "resume", m)
            d.pmuctl("machine", "wait", m)
            path = bench.WORK / "asked.trace"
            d.pmuctl("trace", "save", "-m", m, path)
            return path.read_bytes()
    holds(run([]) == run([["machine", "show"]] * 3))


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
