#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Device trees by pmuctl dt, and machines whose harts differ."""
import pathlib
import re
import subprocess
import sys

import bench
from bench import GUESTS, WORK, holds, pmuctl, same

EXAMPLE = pathlib.Path(bench.SOURCE, "tests/unit/pmu-example.dts")

BAD = """/dts-v1/;
/ {
    pmu {
        compatible = "riscv,pmu";
        riscv,event-to-mhpmcounters =
            <0x3 0x5 0xf8>, <0x4 0x6 0xf0>, <0x9 0x8 0xf0>;
        riscv,event-to-mhpmevent = <0x20000 0x0 0x1>, <0x3 0x0 0x3>;
        riscv,raw-event-to-mhpmcounters =
            <0x0 0x2 0xffffffff 0xffffffff 0xf8>,
            <0x0 0x2 0xffffffff 0xffffffff 0xf0>;
        riscv,colour = "red";
    };
};
"""

# property, row, rule, a part of what the reference does
BAD_FAULTS = [
    ("riscv,colour", 0, "C105", "does not read it"),
    ("riscv,event-to-mhpmcounters", 2, "C101", "drops this row"),
    ("riscv,event-to-mhpmcounters", 3, "C101", "drops this row"),
    ("riscv,event-to-mhpmevent", 1, "C101", "nothing looks up"),
    ("riscv,raw-event-to-mhpmcounters", 2, "C101", "drops this row"),
]

MIXED = ["--harts", "4", "--set", "hart1-2.hpm-counters=3,4",
         "--set", "hart1-2.hpm-events=cycles:3,branches:4",
         "--set", "hart3.isa=rv64gc_zicntr_zihpm"]

SPIN = bytes.fromhex("6f000000")  # j .

# of a riscv,pmu node: the firmware's alone
TABLES = ("riscv,event-to-mhpmevent", "riscv,event-to-mhpmcounters",
          "riscv,raw-event-to-mhpmcounters")
PLIC = re.compile(r"plic@c000000 {.*?interrupts-extended = <(.*?)>", re.S)
NOBODY, IRQ_S, IRQ_M = 0xffffffff, 9, 11


def source(text):
    path = WORK / "tree.dts"
    path.write_text(text)
    return path


def flattened(path):
    out = WORK / "tree.dtb"
    subprocess.run(["dtc", "-q", "-O", "dtb", "-o", out, path], check=True)
    return out


def faults(path, code):
    return pmuctl("-j", "dt", "check", path, code=code).json()["faults"]


@bench.shows("C101 C105")
def test_every_fault_is_told_with_its_place_its_rule_and_the_reference():
    got = faults(source(BAD), 1)
    for fault, (prop, row, rule, reference) in zip(got, BAD_FAULTS):
        same(fault["path"], "/pmu")
        same(fault["property"], prop)
        same(fault["row"], row)
        same(fault["rule"], rule)
        holds(reference in fault["reference"], fault)
    same(len(got), len(BAD_FAULTS))
    same([f["level"] for f in got], ["warning"] + ["error"] * 4)


def test_text_and_flattened_trees_say_the_same():
    tree = source(BAD)
    same(faults(flattened(tree), 1), faults(tree, 1))
    text = pmuctl("dt", "check", tree, code=1).text()
    for prop, row, rule, reference in BAD_FAULTS:
        place = f"{prop} row {row}:" if row else f"{prop}:"
        holds(place in text and f"[{rule}]" in text and reference in text, text)
    holds(text.endswith(": 4 errors, 1 warning, 0 notes\n"), text)


@bench.shows("C100")
def test_the_documentations_example_is_accepted():
    got = faults(EXAMPLE, 0)
    same([(f["level"], f["rule"]) for f in got], [("warning", "C100")])


@bench.shows("C192")
def test_a_tree_without_a_node_is_told():
    empty = source("/dts-v1/;\n/ {};\n")
    same([f["rule"] for f in faults(empty, 0)], ["C192"])
    done = pmuctl("dt", "show", empty)
    holds(b"no PMU" in done.err, done)


def test_a_node_of_which_nothing_is_left_is_told():
    text = source("/dts-v1/;\n/ { pmu { compatible = \"riscv,pmu\";\n"
                  "riscv,event-to-mhpmcounters = <5 3 0x78>; }; };\n")
    got = rows("--set", "profile=opensbi", text)
    same([(r["event"], r["counters"]) for r in got], [("none", "none")])


def test_what_is_no_tree_is_refused():
    text = source("no tree")
    done = pmuctl("dt", "check", text, code=1)
    holds(b"syntax error" in done.err and b"tree.dts" in done.err, done)
    cut = WORK / "cut.dtb"
    cut.write_bytes(flattened(EXAMPLE).read_bytes()[:100])
    for verb in ("check", "show"):
        done = pmuctl("dt", verb, cut, code=1)
        holds(b"not a valid flattened device tree" in done.err, done)
        same(done.out, b"")
        pmuctl("dt", verb, "/nonexistent", code=4)
    done = pmuctl("dt", "show", source(BAD), code=1)
    holds(b"pmuctl dt check" in done.err, done)


def test_a_warning_is_not_told_as_the_reason_of_the_end():
    done = pmuctl("run", "--max-cycles", "1000", "--dtb", flattened(EXAMPLE),
                  bench.GUESTS["spin-rv64"], code=124)
    holds(b"max-cycles: warning of the device tree: there is no memory" in
          done.err, done)


def test_source_needs_dtc_and_a_flattened_tree_does_not():
    env = bench.environment() | {"PATH": "/nonexistent"}
    done = pmuctl("dt", "check", EXAMPLE, code=1, env=env)
    holds(b"device-tree-compiler" in done.err, done)
    pmuctl("dt", "check", flattened(EXAMPLE), env=env)


def test_names_of_a_tree_do_not_reach_the_terminal_as_they_are():
    tree = flattened(source(BAD)).read_bytes()
    WORK.joinpath("esc.dtb").write_bytes(
        tree.replace(b"riscv,colour", b"\x1b[31mcol\xffour"))
    for args in ((), ("-j",)):
        done = pmuctl(*args, "dt", "check", WORK / "esc.dtb", code=1)
        holds(b"\x1b" not in done.out and b"?[31mcol?our" in done.out, done)


def found_by_the_guest(d, machine):
    """The tree in the machine's memory, where hart 0 is told that it is."""
    out = WORK / "found.dtb"
    d.pmuctl("machine", "start", "--paused", machine)
    at = int(d.pmuctl("-j", "reg", "list", "-m", machine).json()["x"][11])

    def read(size):
        d.pmuctl("mem", "read", "-m", machine, at, size, "-o", out)
        return out.read_bytes()
    return read(int.from_bytes(read(8)[4:], "big"))


@bench.shows("C104")
def test_the_tree_that_is_written_is_the_one_that_the_guest_finds():
    for mode, hidden in (("s", True), ("m", False)):
        options = ["--harts", "2", "--mode", mode]
        out = WORK / "written.dtb"
        with bench.daemon() as d:
            m = d.create("spin-rv64", *options)
            found = found_by_the_guest(d, m)
            for command in (["dt", "show", *options], ["dt", "show", "-m", m],
                            ["machine", "dtb", m]):
                d.pmuctl(*command, "--output", out)
                holds(out.read_bytes() == found, command)
        text = subprocess.run(["dtc", "-q", "-I", "dtb", out], check=True,
                              capture_output=True, text=True).stdout
        same([name in text for name in TABLES], [not hidden] * 3, mode)
        contexts = [int(cell, 0) for cell in PLIC.search(text)[1].split()]
        same(contexts[1::2], [NOBODY if hidden else IRQ_M, IRQ_S] * 2)


def loadable(isa):
    """Options that load firmware, a kernel and its initrd."""
    bios, initrd = WORK / "spin.bin", WORK / "initrd"
    bios.write_bytes(SPIN)
    initrd.write_bytes(b"abcdefgh")
    kernel = ["--kernel", GUESTS[f"kernel-{isa}"], "--initrd", initrd]
    return {"s": [kernel], "m": [["--bios", bios], ["--bios", bios, *kernel]]}


@bench.shows("C104")
def test_the_tree_of_a_kernel_and_of_firmware_is_the_one_that_they_find():
    out = WORK / "loaded.dtb"
    for isa in bench.ISAS:
        options = bench.isa_options(isa, "--append", "a=b then=q")
        rows_of = [(mode, load) for mode, loads in loadable(isa).items()
                   for load in loads]
        for mode, load in rows_of:
            with bench.daemon() as d:
                m = d.pmuctl("machine", "create", "--mode", mode,
                             *options).text().strip()
                d.pmuctl("machine", "load", m, *load)
                d.pmuctl("machine", "dtb", m, "--output", out)
                before = out.read_bytes()
                found = found_by_the_guest(d, m)
                d.pmuctl("machine", "dtb", m, "--output", out)
                holds(before == found, (isa, load))
                holds(out.read_bytes() == found, (isa, load))
            text = subprocess.run(["dtc", "-q", "-I", "dtb", out], check=True,
                                  capture_output=True, text=True).stdout
            holds("a=b then=q" in text, text)
            same("linux,initrd-end" in text, "--initrd" in load, load)


def rows(*args, env=None):
    return pmuctl("-j", "dt", "show", *args, env=env).json()["counters"]


def counters(table, harts, event):
    return [r["counters"] for r in table
            if r["harts"] == harts and r["event"] == event]


@bench.shows("C102")
def test_show_tells_the_counters_of_a_file():
    table = rows(EXAMPLE)
    same(counters(table, "all", "0x1"), ["0"])
    same(counters(table, "all", "0x2"), ["2"])
    same(counters(table, "all", "0x5"), ["3-11"])
    same(counters(table, "all", "0x10003"), ["12-19"])
    same(counters(table, "all", "raw"), ["3-7", "4-11"])


def mixed_table(table):
    same(counters(table, "0", "0x5"), ["3-31"])
    same(counters(table, "1-2", "0x1"), ["0,3"])
    same(counters(table, "1-2", "0x5"), ["4"])
    same(counters(table, "3", "0x5"), ["3-31"])
    same(len(counters(table, "1-2", "raw")), 2)


def test_show_tells_the_counters_of_harts_that_differ():
    mixed_table(rows(*MIXED))
    with bench.daemon() as d:
        name = d.pmuctl("machine", "create", *MIXED).text().strip()
        mixed_table(rows("-m", name, env=d.env()))
    pmuctl("dt", "show", EXAMPLE, "--harts", "2", code=2)
    pmuctl("dt", "show", EXAMPLE, "--set", "cpi=2", code=2)


@bench.shows("C100")
def test_show_tells_what_the_reference_makes_of_a_tree():
    opensbi = ("--set", "profile=opensbi")
    table = rows(source(BAD), *opensbi)
    same(counters(table, "all", "0x3"), ["3-7"])
    same(counters(table, "all", "0x6"), [])
    same(counters(table, "all", "raw"), [])
    # the first node for all harts
    same(counters(rows(*MIXED, *opensbi), "0-3", "0x5"), ["3-31"])
    with bench.daemon() as d:
        name = d.pmuctl("machine", "create", *MIXED, *opensbi).text().strip()
        same(counters(rows("-m", name, env=d.env()), "0-3", "0x5"), ["3-31"])


def test_models_are_offered_by_tree_and_firmware():
    models = ("--set", "l1d=1KiB:64:2")
    same(counters(rows(*models), "0", "0x10001"), ["3-31"])
    same(counters(rows(), "0", "0x10001"), [])
    waits = (*models, "--set", "timing=inorder")
    ticks = ("--set", "ref-hz=24M")
    same(counters(rows(*ticks), "0", "0xa"), ["3-31"])
    same(counters(rows(*ticks), "0", "0x7"), [])
    ask = ("PMU.counter_config_matching", "3", "1", "0")
    with bench.daemon() as d:
        for sets, event, code in ((models, "0x10001", 0), ((), "0x10001", 7),
                                  (models, "0x10009", 7), (models, "3", 7),
                                  (models, "8", 7), (waits, "8", 0),
                                  (waits, "9", 0), (waits, "10", 7),
                                  (waits, "7", 7), (ticks, "10", 0),
                                  (ticks, "7", 7), (waits, "0x10030", 0),
                                  (waits, "0x10031", 7)):
            m = d.create("sbi-rv64", *sets)
            d.pmuctl("machine", "start", "--paused", m)
            done = d.pmuctl("sbi", "call", "-m", m, *ask, event, "0",
                            code=code)
            holds(code == 0 or "can count event" in done.text(), done)


def test_models_are_replayed():
    sets = ["--mode", "m", "--set", "uarch=small", "--set", "l1d=1KiB:64:2"]
    first, again = WORK / "models.trace", WORK / "models-again.trace"
    pmuctl("run", *sets, "--trace", first, GUESTS["models-rv64"])
    pmuctl("run", "--trace", again, "--replay", first, GUESTS["models-rv64"])
    holds(first.read_bytes() == again.read_bytes(), "replay differs")


def test_harts_that_differ_run_and_replay():
    guest = GUESTS["sbi-harts-rv64"]
    sets = [*MIXED, "--set", "hart2.mvendorid=0x77"]
    first, again = WORK / "mixed.trace", WORK / "again.trace"
    pmuctl("run", *sets, "--trace", first, guest)
    pmuctl("run", "--trace", again, "--replay", first, guest)
    holds(first.read_bytes() == again.read_bytes(), "replay differs")
    plain = WORK / "plain.trace"
    pmuctl("run", "--harts", "4", "--trace", plain, guest)
    pmuctl("trace", "diff", first, plain, code=1)


def test_each_hart_is_what_its_settings_say():
    with bench.daemon() as d:
        name = d.create("sbi-harts-rv64", *MIXED)
        d.pmuctl("machine", "start", name, "--paused")
        isa = [h["isa"] for h in
               d.pmuctl("-j", "hart", "list", "-m", name).json()["harts"]]
        same(isa[0], isa[1])
        holds("sscofpmf" in isa[0], isa)
        holds("sscofpmf" not in isa[3] and "zihpm" in isa[3], isa)

        def write(hart, csr):
            """All ones into a CSR; what it then has."""
            done = d.pmuctl("-j", "csr", "write", csr, str(2**64 - 1), "-m",
                            name, "--hart", str(hart))
            return int(done.json()["value"])

        same(write(0, "mhpmcounter5"), 2**64 - 1)
        same(write(1, "mhpmcounter4"), 2**64 - 1)
        same(write(1, "mhpmcounter5"), 0)
        holds(write(0, "mie") >> 13 & 1, "LCOFIE of hart 0")
        holds(not write(3, "mie") >> 13 & 1, "LCOFIE of hart 3")


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
