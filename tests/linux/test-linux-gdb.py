#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""A debugger in OpenSBI and in Linux, from the first instruction on.

The kernel's functions are those that a machine finds in the kernel's memory;
OpenSBI's are of its ELF file, where Debian's has any: that of 1.1 still has.
"""
import functools
import pathlib
import re
import sys

import linux
from linux import FAST, WORK, holds, payload, same

import debugger  # found by linux
from bench import daemon, pmuctl

FIRMWARE = pathlib.Path("/usr/lib/riscv64-linux-gnu/opensbi/generic/"
                        "fw_dynamic.elf")
FENCE = "sbi_tlb_local_fence_i"  # what one hart has another do
RAM, NEXT, KERNEL = 0x80000000, 0x80200000, 0xffffffff80000000
M, S = 3, 1
ECALL_S, SOFTWARE = 9, 1 << 63 | 3  # of mcause
BANNER, STATE = "linux_banner", "system_state"  # of the kernel's data
HARTS = 2
STEPS = 4
# how its banner goes on, and instructions: the first program runs
VERSION, BOOTED = {"trixie": ("6.12.", 400_000_000),
                   "sid": ("7.", 1_000_000_000)}[linux.SUITE]


def options():
    return ["--bios", FIRMWARE, "--kernel", payload("kernel"), "--initrd",
            payload("tiny"), "--harts", HARTS, "--append", f"quiet {FAST}",
            "--max-insns", BOOTED]


@functools.lru_cache(maxsize=None)
def named():
    """A file with the kernel's functions, for the debugger."""
    with daemon() as d:
        m = d.pmuctl("machine", "create", "--mode", "m").text().strip()
        d.pmuctl("machine", "load", m, "--bios", FIRMWARE, "--kernel",
                 payload("kernel"), "--initrd", payload("tiny"))
        d.pmuctl("machine", "start", m, "--paused")
        d.pmuctl("machine", "until", m, "--insn", BOOTED // 4)
        d.pmuctl("machine", "wait", m, code=0)
        rows = [line.split() for line in
                d.pmuctl("machine", "kallsyms", m).text().splitlines()]
    return debugger.functions(
        WORK / "kernel.elf", KERNEL,
        [(int(row[0], 16), row[2]) for row in rows
         if (row[1] in "tT" and row[2].isidentifier()) or
         row[2] in (BANNER, STATE)])


def look(name):
    """Commands that tell of the hart that has stopped."""
    return (debugger.tell(name, debugger.evaluate(
                ["pc", "priv", "satp", "mtvec", "mcause", "mepc"])),
            debugger.tell(f"{name}-frame", "str(gdb.selected_frame().name())"),
            debugger.tell(f"{name}-caller", "gdb.execute("
                          "'info symbol $mepc', to_string=True)"))


def stepped():
    """Commands that go on by single instructions, and tell where they were."""
    for n in range(STEPS):
        yield from ("stepi", debugger.tell(f"step-{n}", debugger.evaluate(
            ["pc", "minstret"])))


@functools.lru_cache(maxsize=None)
def session():
    """The whole of it: a stop at each place on the way, then to the end."""
    return debugger.gdb(
        debugger.stub(*options(), "--record", "all", "--trace",
                      WORK / "watched.trace"),
        f"add-symbol-file {named()}", *look("reset"),
        f"tbreak *{NEXT}", "continue", *look("kernel"),
        "tbreak *start_kernel", "continue", *look("start"), "backtrace",
        "tbreak *$mtvec", "continue", *look("call"),
        "tbreak *kernel_init", "continue", *look("init"),
        f"x/s &{BANNER}", *stepped(),
        f"watch *(int *)&{STATE}", "continue", *look("state"), "delete",
        f"tbreak *{FENCE}", "continue", *look("fence"), "info threads",
        "continue", symbols=FIRMWARE)


def stopped(name):
    return debugger.values(session(), name)


def frame(name):
    return stopped(f"{name}-frame")


def test_firmware_stands_before_its_first_instruction():
    at = stopped("reset")
    same((at["pc"], at["priv"], at["mtvec"]), (RAM, M, 0), session())


def test_the_kernel_begins_below_the_firmware():
    at = stopped("kernel")
    same((at["pc"], at["priv"], at["satp"]), (NEXT, S, 0), session())
    holds(RAM <= at["mtvec"] < NEXT, session())


def test_the_kernel_stops_by_the_name_of_a_function():
    for name, function in (("start", "start_kernel"),
                           ("init", "kernel_init")):
        same((frame(name), stopped(name)["priv"]), (function, S), session())
        holds(stopped(name)["satp"], "no translation")
    holds("in _start_kernel ()" in session().text(), session())


def test_memory_of_the_kernel_is_read_by_name():
    holds(f"<{BANNER}>:\t\"Linux version {VERSION}" in session().text(),
          session())


def test_single_steps_go_from_one_instruction_to_the_next():
    at = [stopped("init"), *(stopped(f"step-{n}") for n in range(STEPS))]
    for before, after in zip(at, at[1:]):
        # how a function begins
        holds(after["pc"] - before["pc"] in (2, 4), at)
    counted = [step["minstret"] for step in at[1:]]
    same(counted, list(range(counted[0], counted[0] + STEPS)))


def test_a_watchpoint_stops_behind_the_store_of_the_kernel():
    text = session().text()
    found = re.search(rf"hit Hardware watchpoint \d+: \*\(int \*\)&{STATE}\n\n"
                      r"Old value = (\d)\nNew value = (\d)\n", text, re.M)
    holds(found, text)
    # it begins with booting, scheduling; whose thread is first is no matter
    same(int(found[2]), int(found[1]) + 1, text)
    holds(frame("state") in ("rest_init", "kernel_init"), text)
    same(stopped("state")["priv"], S)


def test_a_call_of_the_kernel_stops_in_the_firmware():
    at = stopped("call")
    same((at["pc"], at["priv"], at["mcause"]),
         (at["mtvec"] & ~3, M, ECALL_S), session())
    holds(stopped("call-caller").startswith("__sbi_ecall + "), session())


def test_the_firmware_stops_by_the_name_of_a_function():
    same(frame("fence"), FENCE, session())
    at = stopped("fence")
    same(at["priv"], M, session())
    holds(at["mcause"] in (ECALL_S, SOFTWARE), session())
    holds(at["mcause"] == SOFTWARE or
          stopped("fence-caller").startswith("__sbi_ecall + "), session())


def test_both_have_the_run_that_is_not_looked_at():
    plain = WORK / "plain.trace"
    pmuctl("run", *options(), "--record", "all", "--trace", plain, code=124)
    holds("exited with code 0174" in session().text(), session())
    holds(plain.read_bytes() == (WORK / "watched.trace").read_bytes(),
          pmuctl("trace", "diff", plain, WORK / "watched.trace",
                 code=(0, 1)))


if __name__ == "__main__":
    if not FIRMWARE.exists():
        linux.cannot_run("no OpenSBI: the package opensbi is not installed")
    payload("tiny")
    tests = dict(globals())
    if FENCE.encode() not in FIRMWARE.read_bytes():
        print("# its OpenSBI has no names")
        del tests[test_the_firmware_stops_by_the_name_of_a_function.__name__]
    sys.exit(linux.bench.main(tests))
