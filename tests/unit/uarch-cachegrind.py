#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""LRU caches miss where cachegrind's simulator says they do.

The same accesses are made under valgrind --tool=cachegrind and shown to a
model. Equal but for what the function's own entry and exit add: a few accesses
behind and before all others.
"""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import asserted  # noqa: E402 - found by the line above

PATTERN, VALGRIND = sys.argv[1:3]
# bytes, ways, bytes of a line
SHAPES = [(4096, 1, 32), (16384, 2, 64), (32768, 8, 64), (65536, 4, 128),
          (2048, 64, 32)]
OWN = 4  # accesses of the function itself


def cachegrind(shape, folder):
    """Return reads, misses, writes, misses of the function pattern()."""
    out = pathlib.Path(folder) / "out"
    size, ways, line = shape
    done = subprocess.run(
        [VALGRIND, "--tool=cachegrind", "--cache-sim=yes",
         f"--D1={size},{ways},{line}", "--I1=32768,8,64",
         "--LL=8388608,16,128", f"--cachegrind-out-file={out}",
         PATTERN, "run"], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    events, totals, inside = [], {}, False
    for words in map(str.split, out.read_text().splitlines()):
        if words[:1] == ["events:"]:
            events = words[1:]
        elif words and words[0].startswith("fn="):
            inside = words[0] == "fn=pattern"
        elif inside and words and words[0].isdigit():
            for name, n in zip(events, words[1:]):
                totals[name] = totals.get(name, 0) + int(n)
    return [totals.get(n, 0) for n in ("Dr", "D1mr", "Dw", "D1mw")]


def model(shape):
    """Return the same of the model."""
    done = subprocess.run([PATTERN, "model", *map(str, shape)],
                          capture_output=True, text=True, check=True)
    return list(map(int, done.stdout.split()))


def main():
    results = asserted.Results()
    for shape in SHAPES:
        with tempfile.TemporaryDirectory() as folder:
            theirs, ours = cachegrind(shape, folder), model(shape)
        extra = [a - b for a, b in zip(theirs, ours)]
        good = all(0 <= n <= OWN for n in extra) and min(ours) > 0
        results.add(good, f"{shape} cachegrind {theirs} model {ours}")
    return results.done()


sys.exit(main())
