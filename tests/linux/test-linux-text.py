#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The kernel's own code, which it writes anew: alternatives, and static keys.

What lies in memory is compared with the Image, and with itself while an event is
open: then the scheduler jumps to where perf counts (jump labels).
"""
import functools
import pathlib
import struct
import sys

import linux
from linux import WORK, holds, payload, same

RAM_KERNEL = 0x80200000
BOOTED = 100_000_000  # instructions: the kernel has found its own symbols
NOP, JUMP, OPCODE_AND_RD = 0x13, 0x6f, 0xfff
# the second where an event is open, the last where its key was given up
SCRIPT = "pmutest test around; sleep 3"
STOPS = {"opens": "__riscv_sys_perf_event_open", "counts": "perf_ioctl",
         "ends": "kernel_power_off"}


def read(d, m, address, size):
    out = WORK / "text"
    d.pmuctl("mem", "read", "-m", m, hex(address), size, "-o", out)
    return out.read_bytes()


@functools.lru_cache(maxsize=None)
def texts():
    """Return the text at each stop, by name; "image" and "start" are wholes."""
    image = pathlib.Path(payload("kernel")).read_bytes()
    with linux.held(SCRIPT) as (d, m):
        start = read(d, m, RAM_KERNEL, len(image))
        d.pmuctl("machine", "until", m, "--insn", BOOTED)
        symbols = {row[2]: int(row[0], 16) for row in map(
            str.split,
            d.pmuctl("machine", "kallsyms", m).text().splitlines())}
        first, end = (symbols[n] - symbols["_start"]
                      for n in ("_stext", "_etext"))
        found = {"image": image[first:end], "start": start[first:end]}
        for name, function in STOPS.items():
            d.pmuctl("machine", "until", m, "--pc", function)
            found[name] = read(d, m, RAM_KERNEL + first, end - first)
    return found


def words(one, other):
    """Return the pairs of words that differ, by their place."""
    return {at: (a, b) for at, ((a,), (b,)) in enumerate(zip(
        struct.iter_unpack("<I", one), struct.iter_unpack("<I", other)))
            if a != b}


def differ(one, other):
    return words(texts()[one], texts()[other])


def switches(changed):
    """Return how many of the words become jumps; none is anything else."""
    for pair in changed.values():
        same(sorted(NOP if w == NOP else w & OPCODE_AND_RD for w in pair),
             [NOP, JUMP], changed)
    return sum(after != NOP for _, after in changed.values())


def test_what_is_loaded_is_the_image():
    same(differ("image", "start"), {})


def test_alternatives_are_written_over_it():
    changed = differ("image", "opens")
    print(f"# {len(changed)} words of {len(texts()['image']) // 4}")
    # not all of them are keys'
    holds(any(NOP not in pair for pair in changed.values()), "no alternative")
    holds(len(changed) < len(texts()["image"]) // 4 // 10, "not the Image")


def test_an_event_that_is_open_switches_code_on():
    changed = differ("opens", "counts")
    holds(changed, "nothing is written")
    holds(switches(changed), changed)


def test_behind_its_end_the_code_is_as_it_was():
    changed = differ("counts", "ends")
    holds(changed, "nothing is written")
    switches(changed)
    opened = differ("opens", "counts")
    same({at: (b, a) for at, (a, b) in opened.items()},
         {at: changed.get(at) for at in opened})


if __name__ == "__main__":
    payload("tiny")
    sys.exit(linux.bench.main(globals()))
