# SPDX-License-Identifier: BSD-2-Clause
"""Calls, records, callbacks and starts: seconds of the clock, but for starts.

How long a call takes hangs on how fast a sleeping process wakes: so there is
also a busy host, whose cores do something else at the least priority.
"""
import contextlib
import os
import re
import subprocess
import sys

from peers import run
from table import Aim, table

# what a program prints: name, the figure's unit, and its aim on a busy host
FIGURE = re.compile(r"(p50|p99) ([\d.]+) us|([\d.]+) (?:per|a) second")
AIMS = {("pmud", "p50 us"): Aim(12), ("machine", "p50 us"): Aim(25)}
PROGRAMS = {"bench-rpc": "ecall", "bench-ebb": "endless"}
# From the end of one callback to the beginning of the next: what an overflow
# takes to its callback, and the client's way back.
EBB_AIMS = {("frozen, by a ring", "p50 us"): Aim(15),
            ("frozen, by a ring", "per second"): Aim(50000, True),
            ("running on, by a ring", "per second"): Aim(200000, True)}
START = "`pmuctl run`, private pmud, one instruction"


@contextlib.contextmanager
def busy_cores():
    """All cores busy, at the least priority."""
    spin = ("import os\nos.nice(19)\n"
            "while True: pass")
    running = [subprocess.Popen([sys.executable, "-c", spin])
               for _ in range(os.cpu_count())]
    try:
        yield
    finally:
        for child in running:
            child.kill()
            child.wait()


def figures(line):
    """Return what a line of a program names, and its figures by unit."""
    what = re.split(r" p50 |: | \d", line)[0]
    found = {}
    for p, micros, rate in FIGURE.findall(line):
        found[f"{p} us" if p else "per second"] = float(micros or rate)
    return what, found


def ask(rows, bench, host):
    """Let each program run once with a build."""
    for program, guest in PROGRAMS.items():
        if not bench.has(f"bench/rpc/{program}"):
            continue
        with bench.pmud() as (path, _):
            _, output = run([bench.build / "bench/rpc" / program,
                             f"unix://{path}", rows.main.image(guest)])
        for line in output.splitlines():
            what, found = figures(line)
            for unit, figure in found.items():
                rows.note(bench.name, (program, host, what, unit), figure)


def aim_of(work):
    """Return the aim of a figure, None: there is none."""
    program, host, what, unit = work
    if program == "bench-rpc":
        return AIMS.get((what, unit)) if host == "busy" else None
    return EBB_AIMS.get((what, unit)) if host == "idle" else None


def ratio(rows, other, work):
    """Return how fast pmud is, of the @other one's speed."""
    if (other, work) not in rows.times:
        return "-"
    share = rows.median("pmud", work) / rows.median(other, work)
    return f"{share if work[-1] == 'per second' else 1 / share:.2f}"


def clients(rows):
    """Calls, records, callbacks and a start."""
    for _ in range(rows.runs):
        for bench in rows.benches:
            ask(rows, bench, "idle")
            for _ in range(5):
                spent, _ = bench.guest(rows.main.image("empty"), "-q",
                                       "--max-insns", "1", codes=(124,))
                rows.note(bench.name, ("run", "idle", START, "ms of CPU"),
                          spent * 1e3)
        with busy_cores():
            for bench in rows.benches:
                ask(rows, bench, "busy")
    cells = []
    for who, work in list(rows.times):
        if who != "pmud" or not isinstance(work, tuple) or len(work) != 4:
            continue
        aim, own = aim_of(work), rows.median(who, work)
        cells.append([work[0], work[1], work[2], work[3],
                      *(f"{rows.median(b.name, work):.1f}"
                        if (b.name, work) in rows.times else "-"
                        for b in rows.benches),
                      aim.verdict(own) if aim else "",
                      *(ratio(rows, b.name, work) for b in rows.benches[1:])])
    table("Clients", ["program", "host", "what", "unit",
                      *(b.name for b in rows.benches), "aim",
                      *rows.ratio_heads(rows.benches)], cells)
