#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""LRU caches hit and miss as cachegrind's own simulator does.

What the cores of guests fetch, load and store is recorded (record-accesses.c)
and shown to cg_sim.c of valgrind's source package, compiled here
(cachegrind-feed.c): of each level the same hits and misses. Arguments: the
recorder, the folder of the source tree, guests.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import asserted  # noqa: E402 - found by the line above

RECORDER, SOURCE = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
GUESTS = sys.argv[3:]
SIMULATOR = SOURCE / ".deps/cachegrind"
INSNS = 100_000
# Of I1, D1 and LL: bytes, ways, bytes of a line.
SHAPES = [
    ((1024, 1, 64), (1024, 1, 64), (16384, 1, 64)),
    ((2048, 2, 32), (4096, 4, 16), (32768, 8, 64)),
    ((512, 16, 32), (2048, 64, 32), (8192, 4, 32)),
    ((4096, 4, 64), (512, 2, 128), (4096, 2, 128)),
    ((256, 2, 16), (256, 1, 16), (1024, 2, 256)),
]


def run(*command, **more):
    done = subprocess.run([*map(str, command)], text=True, check=False,
                          capture_output=True, **more)
    if done.returncode:
        sys.exit(f"{command}: {done.stdout[-2000:]}{done.stderr}")
    return done.stdout


def setting(name, shape):
    size, ways, line = shape
    return f"{name}={size}:{line}:{ways}:lru"


def recorded(file, guest, shape):
    """Of each core what it was shown, and what its models counted."""
    names = ("l1i", "l1d", "llc")
    run(RECORDER, file, guest, f"max-insns={INSNS} max-cycles={2 * INSNS} "
        "uarch-watch=on " + " ".join(map(setting, names, shape)))
    shown, counts = {}, {}
    for line in file.read_text().splitlines():
        core, kind, *rest = line.split(" ")
        if kind == "=":
            counts.setdefault(core, []).append(" ".join(rest))
        else:
            shown.setdefault(core, []).append(f"{kind} {' '.join(rest)}\n")
    return [("".join(shown[core]), counts[core]) for core in counts]


def simulated(program, shape, shown):
    return run(program, *(",".join(map(str, s)) for s in shape),
               input=shown).splitlines()


def has_all(counts):
    """Are there hits and misses of all kinds?"""
    n = {name: int(value) for name, value in map(str.split, counts)}
    return min(n.values()) > 0 and n["D1-loads"] > n["D1-load-misses"] and \
        n["D1-stores"] > n["D1-store-misses"]


def without_simulator():
    why = "no .deps/cachegrind/cg_sim.c: run scripts/setup-cachegrind, which " \
        "fetches it from the archive (valgrind's source package)"
    if os.environ.get("CI") not in (None, "", "false"):
        print(f"Bail out! with CI set nothing is skipped: {why}")
        return 1
    print(f"1..0 # SKIP {why}")
    return 0


def main():
    if not (SIMULATOR / "cg_sim.c").exists():
        return without_simulator()
    results = asserted.Results()
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder, "cachegrind-feed")
        run("cc", "-O2", "-I", SIMULATOR, "-o", program,
            SOURCE / "tests/machine/cachegrind-feed.c")
        for guest in GUESTS:
            for shape in SHAPES:
                cores = recorded(pathlib.Path(folder, "accesses"), guest,
                                 shape)
                theirs = [simulated(program, shape, s) for s, _ in cores]
                ours = [counts for _, counts in cores]
                good = bool(ours) and ours == theirs and \
                    all(map(has_all, ours))
                results.add(good, f"{pathlib.Path(guest).stem} {shape}",
                            [] if good else [f"ours {ours}",
                                             f"cachegrind's {theirs}"])
    return results.done()


sys.exit(main())
