#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""A static PIE: where it goes, that its words are moved, and that it has names.
"""
import re
import subprocess
import sys

import bench
from bench import GUESTS, ISAS, WORK, daemon, holds, pmuctl, same
from debugger import evaluate, gdb, stub, tell, values

M_MODE, BEHIND = 0x80000000, 0x80200000
OPENSBI = "/usr/lib/riscv64-linux-gnu/opensbi/generic/fw_dynamic.elf"
SAYS = re.compile(r"at 0x0*(\w+) double add double 0x0*16\n")


def guest(isa):
    return GUESTS[f"pie-{isa}"]


def linked(isa):
    """What the file says: addresses by name."""
    lines = subprocess.run(["riscv64-unknown-elf-nm", guest(isa)], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    return {name: int(address, 16) for address, _, name in
            (line.split() for line in lines if line[0] != " ")}


def stripped(isa):
    path = WORK / f"stripped-{isa}.elf"
    subprocess.run(["riscv64-unknown-elf-strip", "-o", path, guest(isa)],
                   check=True)
    return path


def test_it_runs_where_a_flat_image_would():
    for isa in ISAS:
        for mode, base in (("m", M_MODE), ("s", BEHIND)):
            done = pmuctl("run", "--mode", mode, guest(isa))
            found = SAYS.fullmatch(done.text())
            holds(found, done)
            same(int(found[1], 16), base + linked(isa)["_start"], done)
            for line in (f"position independent: {base:#x} is added",
                         f"segment 1 of image 1: {base:#x}-",
                         f"execution begins at 0x{found[1]}, in segment 1"):
                holds(line in done.err.decode(), done)


def test_firmware_keeps_its_place():
    done = pmuctl("run", "--bios", OPENSBI, guest("rv64"))
    found = SAYS.search(done.text())
    holds(found, done)
    same(int(found[1], 16), BEHIND + linked("rv64")["_start"], done)
    holds(f"segment 1 of image 2: {BEHIND:#x}-" in done.err.decode(), done)


def test_a_second_one_is_refused_by_what_is_there():
    with daemon() as d:
        m = d.create("pie-rv64")
        done = d.pmuctl("machine", "load", m, guest("rv64"), code=2)
        holds("segment 1 of image 2" in done.err.decode() and
              "overlaps segment 1 of image 1" in done.err.decode(), done)
        same(int(d.show(m)["imageBias"]), BEHIND)


def test_a_trace_names_its_functions_and_lines():
    for isa in ISAS:
        for mode in "ms":
            path = WORK / f"{isa}{mode}.trace"
            pmuctl("record", "-e", "instructions", "-c", "100", "-o", path,
                   "--", "run", "--mode", mode, guest(isa))
            first = pmuctl("-j", "report", "--symbols", guest(isa),
                           path).json()["functions"][0]
            same(first["function"], "spin")
            holds(first["percent"] > 95, first)
            found = pmuctl("-j", "annotate", "--symbols", guest(isa), path,
                           "--function", "spin").json()["functions"]
            holds(any("pie.c" in str(i) for i in found[0]["instructions"]),
                  found)


def test_callers_are_found_by_its_tables():
    for isa in ISAS:
        path, callers = WORK / f"{isa}.stack", WORK / f"{isa}.callers"
        pmuctl("record", "-e", "instructions", "-c", "1000", "--stack", "1K",
               "-o", path, "--", "run", guest(isa))
        pmuctl("trace", "unwind", "--symbols", guest(isa), path, callers)
        done = pmuctl("trace", "export", "--format", "folded", "--symbols",
                      guest(isa), callers)
        holds(re.search(r"_start;moved;spin \d+$", done.text(), re.M), done)


def test_names_of_the_file_that_was_stripped_are_moved_with_it():
    path, image = WORK / "stripped.trace", stripped("rv64")
    pmuctl("record", "-e", "instructions", "-c", "100", "-o", path, "--",
           "run", image)
    first = pmuctl("-j", "report", "--force", "--symbols", guest("rv64"),
                   path).json()["functions"][0]
    same(first["function"], "spin")
    with daemon() as d:
        m = d.pmuctl("machine", "create").text().strip()
        d.pmuctl("machine", "load", m, image)
        d.pmuctl("machine", "symbols", m, guest("rv64"))
        d.pmuctl("machine", "break", m, "spin")
        d.pmuctl("machine", "start", m)
        holds(" spin+0x0 pie.c:" in d.pmuctl("machine", "wait", m).text())


def test_names_are_places_of_it():
    for isa in ISAS:
        with daemon() as d:
            m = d.create(f"pie-{isa}", *bench.isa_options(isa))
            d.pmuctl("machine", "break", m, "spin")
            d.pmuctl("machine", "start", m)
            line = d.pmuctl("machine", "wait", m).text()
            at = BEHIND + linked(isa)["spin"]
            holds(re.search(rf"hart 0 S 0x0*{at:x} spin\+0x0 pie\.c:\d+",
                            line), line)


def test_a_run_is_explained_where_a_name_is():
    for isa in ISAS:
        found = []
        for point in ("spin", f"pc:{M_MODE + linked(isa)['spin']:#x}"):
            done = pmuctl("run", "--mode", "m", "--explain", "0:0", "--at",
                          point, guest(isa))
            found += re.findall(rf"at {point}, cycle (\d+):",
                                done.err.decode())
        same(len(found), 2, done)
        same(found[0], found[1])


def test_a_replay_is_the_same():
    one, two = WORK / "one.trace", WORK / "two.trace"
    pmuctl("run", "--trace", one, guest("rv64"))
    done = pmuctl("run", "--replay", one, "--trace", two, guest("rv64"))
    holds(one.read_bytes() == two.read_bytes(), "the traces differ")
    holds("may be another" not in done.err.decode(), done)


def test_a_debugger_moves_its_symbols():
    for isa in ISAS:
        done = gdb(stub("--mode", "m", *bench.isa_options(isa), guest(isa)),
                   "break spin", "continue",
                   tell("in", "str(gdb.selected_frame().name())"),
                   tell("pc", evaluate(["pc"])), "up",
                   tell("of", "str(gdb.selected_frame().name())"),
                   "print spun", "delete", "continue", symbols=guest(isa))
        same(values(done, "in"), "spin", done)
        start = values(done, "pc")["pc"] - M_MODE - linked(isa)["spin"]
        holds(0 <= start < 16, done)
        same(values(done, "of"), "moved", done)
        holds("$1 = 0" in done.text(), done)
        holds("exited normally" in done.text(), done)


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
