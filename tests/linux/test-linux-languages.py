#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Programs of Go, Rust and C++: counted and sampled in Linux by perf, named
from outside; and of Rust and C++ without an operating system, as static PIEs.

The compilers are Debian's (tests/linux/programs). Without an archive to have
them from, all is skipped.
"""
import functools
import json
import re
import shutil
import subprocess
import sys

import linux
from linux import PMUCTL, WORK, boot, holds, same

from bench import pmuctl  # found by linux

PERIOD = 10007
ROUNDS = 40
PRIMES = 1229  # below 10000
# What it is called: in the file, and as its author wrote it.
WORKS = {
    "go": (r"main\.\(\*Sieve\)\.Count", "main.(*Sieve).Count"),
    "rust": (r"_ZN.*Sieve\$u20\$as.*5count17h\w+E",
             "<work::work::Sieve as work::work::Count>::count"),
    "cc": (r"_ZN4work5sieveIcE5countEi", "work::sieve<char>::count"),
}
BARE = {"rust": "bare::work::rounds", "cc": "work::rounds"}
GUEST = "".join(f"""
echo == run {name}
work-{name} {ROUNDS}
echo == stat {name}
perf stat -x, -e instructions:u,branches:u work-{name} {ROUNDS} 2>&1
echo == record {name}
perf record -q -o /tmp/{name} -e instructions:u -c {PERIOD} work-{name} {ROUNDS}
perf script -i /tmp/{name} -F ip,sym
""" for name in WORKS)


@functools.lru_cache(maxsize=None)
def programs(*options):
    """Return {language: path}; what there cannot be skips all."""
    names = [name for name in WORKS if not options or name in BARE]
    done = subprocess.run(
        [linux.PAYLOAD.parent / "programs", *options, *names], check=False,
        capture_output=True, text=True)
    if done.returncode:
        why = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        linux.cannot_run(f"tests/linux/programs: {why}")
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    for name, (_, version) in zip(names, lines):
        print(f"# {name}: {version}")
    return {name: path for name, (path, _) in zip(names, lines)}


@functools.lru_cache(maxsize=None)
def sysroot():
    """Return a folder that has the programs where the guest has them."""
    folder = WORK / "languages"
    (folder / "usr/bin").mkdir(parents=True)
    for name, path in programs().items():
        shutil.copy(path, folder / "usr/bin" / f"work-{name}")
    return folder


@functools.lru_cache(maxsize=None)
def guest():
    added = [word for name, path in programs().items()
             for word in ("--add", f"{path}:/usr/bin/work-{name}")]
    return boot(GUEST, what="slim", options=added,
                record=("-e", "instructions:u", "-c", PERIOD))


def report(trace, *options):
    """Return {function: samples} of a report."""
    done = subprocess.run([PMUCTL, "report", "-j", *options, trace],
                          check=True, capture_output=True)
    return {f["function"]: int(f["samples"])
            for f in json.loads(done.stdout)["functions"]}


def counted(name):
    return dict(linux.counts(guest().section(f"stat {name}")))


def test_they_run():
    for name in WORKS:
        same(guest().section(f"run {name}"), f"primes {PRIMES}\n")
        holds(f"primes {PRIMES}\n" in guest().section(f"stat {name}"))


def test_perf_counts_them():
    for name in WORKS:
        found = counted(name)
        print(f"# {name}: {found}")
        # each round sets and looks at more than 30000 flags
        holds(found["instructions:u"] > ROUNDS * 3 * 30000, found)
        holds(found["instructions:u"] > found["branches:u"] >
              ROUNDS * 30000, found)


def test_perf_samples_their_functions():
    for name, (symbol, written) in WORKS.items():
        found = re.findall(r"^ *[0-9a-f]+ (.+)$",
                           guest().section(f"record {name}"), re.M)
        work = sum(bool(re.match(symbol, f)) or f.startswith(written)
                   for f in found)
        want = counted(name)["instructions:u"] / PERIOD
        print(f"# {name}: {work} of {len(found)} samples")
        holds(abs(len(found) - want) <= 3 + want / 50, (name, want, found))
        holds(work > 0.8 * len(found), (name, found))


def test_outside_has_the_same_functions_by_their_own_names():
    for name, (symbol, written) in WORKS.items():
        found = report(guest().trace, "--sysroot", sysroot(), "--filter",
                       f"comm == work-{name}")
        all_of = sum(found.values())
        work = sum(n for f, n in found.items()
                   if f == written or re.fullmatch(symbol, f))
        # perf counted one run of three
        want = 3 * counted(name)["instructions:u"] / PERIOD
        print(f"# {name}: {work} of {all_of} samples")
        holds(abs(all_of - want) <= 9 + want / 50, (name, want, found))
        holds(work > 0.8 * all_of, (name, found))
        text = pmuctl("report", "--sysroot", sysroot(), "--filter",
                      f"comm == work-{name}", guest().trace).text()
        holds(written.replace(" ", "\\_") in text or written in text, text)


def test_bare_ones_are_moved_and_named():
    for name, written in BARE.items():
        for mode in "ms":
            trace = WORK / f"bare-{name}-{mode}"
            done = pmuctl("record", "-e", "instructions", "-c", PERIOD, "-o",
                          trace, "--", "run", "--mode", mode,
                          programs("--bare")[name])
            same(done.text(), "once 22 often 43690\n")
            text = pmuctl("report", "--symbols", programs("--bare")[name],
                          trace).text()
            holds(written in text, text)


if __name__ == "__main__":
    programs(), programs("--bare"), linux.payload("slim")
    sys.exit(linux.bench.main(globals()))
