# SPDX-License-Identifier: BSD-2-Clause
"""Guests without a kernel: loops, traps, counters, models, and the engine."""
import re
import sys

from peers import run
from table import Aim, table

# How often each guest of bench/guest does its work.
ROUNDS = {"empty": 0, "compute": 2000000, "memory": 1000000,
          "branch": 1000000, "csr": 2000000, "ecall": 1000000}
# name: aims of the speed of bare Unicorn, and of the portable engine
LOOPS = {"compute": (0.95, 0.5), "memory": (0.95, 0.9), "branch": (0.55, 0.2)}
# name: what it is, and the aim of its time, of that at the first review
TRAPS = {"csr": ("csrr sscratch", 0.4), "ecall": ("SBI call", 0.5)}
FIRST_REVIEW = "ad9243a"
PORTABLE = ["--set", "engine=portable"]
COUNTING = {"active-0": "no counter active", "active-10": "10 counters",
            "active-20": "20 counters", "active-29": "29 counters",
            "short": "one short of an overflow that does not come"}
FLAT = ["active-10", "active-20", "active-29"]
WATCH = ["--set", "uarch-watch=on"]
L1D = ["--set", "l1d=32KiB:64:4"]
# Who looks at each instruction of the memory loop: the guest, the settings, and
# the aim in MIPS.
MODELS = {
    "no model": ("models", [], None),
    "none, every instruction on its own":
        ("models", ["--set", "step-only=on"], None),
    "L1D alone": ("models", [*L1D, *WATCH], 80),
    "L1D, a counter of its misses":
        ("models-far", L1D, None),
    "L1D, a counter one short of a miss of the code":
        ("models-short", [*L1D, "--set", "l1i=32KiB:64:4"], None),
    "those of `small`": ("models", ["--set", "uarch=small", *WATCH], None),
    "`small`, timing=inorder":
        ("models", ["--set", "uarch=small", "--set", "timing=inorder"], 25),
}


def value(output, word):
    """Return the second word of the last line that begins with @word."""
    return [line for line in output.splitlines()
            if line.startswith(word)][-1].split()[1]


def counted(peer, output):
    """A guest's output; that it had no counters ends it all."""
    if "no counters" in output:
        sys.exit(f"{peer}: no counters")
    return output


def measure_guests(rows, images):
    """Bare guests, the loops also in the portable and in the bare engine."""
    sums = {}

    def once(peer, work, name=None, options=()):
        spent, output = peer.guest(images(work), *options)
        rows.note(name or peer.name, work, spent)
        counted(peer.name, output)
        if work in LOOPS:
            sums.setdefault(work, set()).add(value(output, "sum"))

    def bare(work):
        _, output = run([rows.main.build / "bench/guest/bare",
                         images(work), ROUNDS[work]])
        rows.note("Unicorn", work, float(value(output, "seconds")))
        sums[work].add(value(output, "sum"))

    for _ in range(rows.runs):
        for work in ROUNDS:
            for peer in rows.benches + rows.qemus:
                once(peer, work)
            if work in LOOPS or work == "empty":
                once(rows.main, work, "portable", PORTABLE)
            if work in LOOPS:
                bare(work)
    for work, found in sums.items():
        if len(found) != 1:
            sys.exit(f"{work}: the peers do not agree: {found}")


def print_loops(rows, names):
    """Seconds of each, and shares of bare Unicorn's speed."""
    cells = []
    for work, (aim, portable_aim) in LOOPS.items():
        bare = rows.median("Unicorn", work)
        share = bare / rows.less("pmud", work, "empty")
        portable = bare / rows.less("portable", work, "empty")
        cells.append([
            work, *(f"{rows.less(n, work, 'empty'):.3f}" for n in names),
            f"{rows.less('portable', work, 'empty'):.3f}", f"{bare:.3f}",
            f"{share:.2f}", Aim(aim, True).verdict(share),
            f"{portable:.2f}", Aim(portable_aim, True).verdict(portable),
            *rows.ratios(work, "empty", rows.benches)])
    table("Loops, seconds", [
        "work", *names, "pmud, portable engine", "bare Unicorn", "of Unicorn",
        "aim", "portable, of Unicorn", "aim",
        *rows.ratio_heads(rows.benches)], cells)


def print_traps(rows, names):
    """Nanoseconds of each; the aim is of the first review's figure."""
    first = [b for b in rows.benches[1:] if b.name.startswith(FIRST_REVIEW)]
    cells = []
    for work, (what, aim) in TRAPS.items():
        own = rows.less("pmud", work, "empty")
        cells.append([
            what, *(f"{rows.less(n, work, 'empty') / ROUNDS[work] * 1e9:.0f}"
                    for n in names),
            *rows.ratios(work, "empty", rows.benches),
            *(Aim(aim).verdict(own / rows.less(b.name, work, "empty"))
              for b in first)])
    table("Traps, nanoseconds of one with its share of a loop", [
        "trap", *names, *rows.ratio_heads(rows.benches),
        *(f"time, of {b.name}" for b in first)], cells)


def share(piece):
    """Of what a piece could take; a guest that had none of it has no share."""
    of = int(piece["all"])
    return f"{int(piece['taken']) / of:.2%}" if of else "none"


def print_pieces(rows, images):
    """Which parts of the engine took how much of each guest."""
    cells = []
    for work in [*LOOPS, *TRAPS]:
        for piece in rows.main.pieces(images(work)):
            cells.append([work, piece["name"],
                          "on" if piece["on"] else piece["whyOff"],
                          f"{share(piece)} of {piece['all']} "
                          f"{piece['unit']}"])
    table("The engine's pieces", ["work", "piece", "on", "took"], cells)


def guests(rows):
    """Loops and traps."""
    images = rows.main.image
    names = [p.name for p in rows.benches + rows.qemus]
    measure_guests(rows, images)
    print_loops(rows, names)
    print_traps(rows, names)
    print_pieces(rows, images)


def counting(rows):
    """The compute loop while counters count."""
    def once(peer, work):
        spent, output = peer.guest(rows.main.image(work))
        counted(peer.name, output)
        rows.note(peer.name, work, spent)

    def share(name, work):
        return (rows.less(name, work, "empty") /
                rows.less(name, "active-0", "empty"))

    rows.alternate(["empty", *COUNTING], rows.benches, once)
    table("Counting, time of the compute loop by that without a counter",
          ["counters", *(b.name for b in rows.benches), "aim",
           *rows.ratio_heads(rows.benches)],
          [[what, *(f"{share(b.name, work):.3f}" for b in rows.benches),
            Aim(1.02).verdict(share("pmud", work)) if work in FLAT else
            Aim(1.25).verdict(share("pmud", work)) if work == "short" else "",
            *rows.ratios(work, "empty", rows.benches)]
           for work, what in COUNTING.items()])


def models(rows):
    """The memory loop, of which models of a core are told."""
    who = rows.able("--set")

    def once(peer, work):
        image, options, _ = MODELS.get(work, ("empty", [], None))
        spent, output = peer.guest(rows.main.image(image), *options)
        counted(peer.name, output)
        rows.note(peer.name, work, spent)

    who = [b for b in who if b.knows_setting("l1d")]
    rows.alternate(["empty", *MODELS], who, once)
    work = rows.main.instructions(rows.main.image("models")) - \
        rows.main.instructions(rows.main.image("empty"))

    def speed(name, model):
        return work / rows.less(name, model, "empty") / 1e6

    def cell(name, model):
        share = speed(name, model) / speed(name, "no model")
        return f"{speed(name, model):.0f} ({share:.3f})"

    table("Models, MIPS of a memory loop (of the speed without)",
          ["models", *(b.name for b in who), "aim", *rows.ratio_heads(who)],
          [[m, *(cell(b.name, m) for b in who),
            Aim(aim, True).verdict(speed("pmud", m)) if aim else "",
            *rows.ratios(m, "empty", who)]
           for m, (_, _, aim) in MODELS.items()])


def latency(rows):
    """Interrupts from hart to hart, in guest time: the same in every run."""
    found = []
    for bench in rows.benches:
        _, output = bench.guest(rows.main.image("latency"), "--harts", "4",
                                "--set", "time-hz=1G")
        found += [[bench.name, *line.replace("median", "").replace(
            "worst", "").split()] for line in output.splitlines()
            if " worst " in line]
    if not found:
        sys.exit("latency: the guest printed nothing")
    table("Interrupts between 4 harts, guest ns until the other sees it",
          ["build", "the other harts are", "median", "worst"], found)


def engine(rows):
    """The engine alone: loops, exits, limits, without libpmu."""
    line = re.compile(r"(\S.*?)  +([\d.]+) (MIPS|ns per \w+)")

    def once(bench, name, options=()):
        _, output = run([bench.build / "bench/engine/bench-engine", *options])
        for what, figure, unit in line.findall(output):
            rows.note(name, (what, unit), float(figure))

    who = [b for b in rows.benches if b.has("bench/engine/bench-engine")]
    for _ in range(rows.runs):
        for bench in who:
            once(bench, bench.name)
        once(rows.main, "portable", ["portable"])
    names = [b.name for b in who] + ["portable"]
    works = [w for n, w in rows.times
             if n == "pmud" and isinstance(w, tuple)]
    table("The engine alone", ["work", "unit", *names, *rows.ratio_heads(who)],
          [[what, unit, *(f"{rows.median(n, (what, unit)):.1f}"
                          if (n, (what, unit)) in rows.times else "-"
                          for n in names),
            *(f"{faster(rows, b.name, (what, unit)):.2f}"
              if (b.name, (what, unit)) in rows.times else "-"
              for b in rows.others(who))] for what, unit in works])


def faster(rows, other, work):
    """Return how fast pmud is, of the @other one's speed."""
    share = rows.median("pmud", work) / rows.median(other, work)
    return share if work[1] == "MIPS" else 1 / share
