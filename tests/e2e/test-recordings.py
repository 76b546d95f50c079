#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs that were recorded once are the same bytes for ever: every record of
tests/recordings, and so every count, cycle and answer that these have."""
import lzma
import pathlib
import sys

import bench
from bench import WORK, pmuctl, same

RECORDINGS = pathlib.Path(__file__).resolve().parent.parent / "recordings"
sys.path.insert(0, str(RECORDINGS))
import rows  # noqa: E402 - found by the line above


def unpacked(name):
    path = WORK / name
    path.write_bytes(lzma.decompress(
        (RECORDINGS / f"{name}.xz").read_bytes()))
    return path


def replays(row):
    def test():
        image = unpacked(f"{row.guest}.elf")
        before, again = unpacked(f"{row.name}.trace"), WORK / "again.trace"
        pmuctl(*rows.words(row, again), "--replay", before, image,
               code=tuple(range(128)))  # the trace has how it ended
        pmuctl("trace", "diff", before, again)  # names the first record
        same(before.read_bytes() == again.read_bytes(), True, "bytes differ")
    return test


def test_every_file_belongs_to_a_row():
    files = {f"{r.guest}.elf.xz" for r in rows.ROWS}
    files |= {f"{r.name}.trace.xz" for r in rows.ROWS}
    same({p.name for p in RECORDINGS.glob("*.xz")}, files)


for each in rows.ROWS:
    globals()["test_" + each.name.replace("-", "_")] = replays(each)

if __name__ == "__main__":
    bench.main(globals())
