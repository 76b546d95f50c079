# SPDX-License-Identifier: BSD-2-Clause
"""What was measured, the middle of it, and the tables that say so.

A figure is kept under the name of who was measured and of the work. An aim is
compared with what was measured in the same run, and said to be met or missed.
"""
import statistics
import sys


class Aim:
    """At most, or at least, so much."""

    def __init__(self, limit, least=False):
        self.limit = limit
        self.least = least

    def verdict(self, figure):
        """Return the aim and whether @figure meets it."""
        met = figure >= self.limit if self.least else figure <= self.limit
        return (f"{'>=' if self.least else '<='} {self.limit:g}: "
                f"{'met' if met else 'missed'}")


class Rows:
    """The figures of one run of bench/run."""

    def __init__(self, runs, benches, qemus):
        self.runs = runs
        self.benches = benches  # pmud first, then another commit of it
        self.qemus = qemus
        self.main = benches[0]
        self.times = {}

    def able(self, option):
        """Return the builds whose run has @option, and print who has not."""
        for bench in self.benches:
            if not bench.can(option):
                print(f"\n{bench.name} has no {option}: not here.")
        return [b for b in self.benches if b.can(option)]

    def note(self, who, work, figure):
        """Keep a figure."""
        self.times.setdefault((who, work), []).append(figure)

    def median(self, who, work):
        """Return the middle of the figures kept."""
        return statistics.median(self.times[who, work])

    def less(self, who, work, nothing):
        """Return what @work takes without what @nothing takes, None: just
        @work. The middle of what the turns took, each less its own, the
        last of @nothing: a host that gets slower makes both so."""
        if not nothing:
            return self.median(who, work)
        took = self.times[who, work]
        return statistics.median(
            a - b for a, b in zip(took, self.times[who, nothing][-len(took):],
                                  strict=True))

    def alternate(self, works, who, measure):
        """Let each of @who do each work, in turn, RUNS times."""
        for _ in range(self.runs):
            for work in works:
                for peer in who:
                    measure(peer, work)

    def others(self, who):
        """Return the builds among @who that are not this tree's."""
        return [b for b in who if b in self.benches[1:]]

    def ratios(self, work, nothing, who):
        """Return a cell for each other build among @who: how fast this one
        is, of its speed."""
        own = self.less("pmud", work, nothing)
        return [f"{self.less(b.name, work, nothing) / own:.2f}"
                for b in self.others(who)]

    def ratio_heads(self, who):
        """Return the titles of ratios()."""
        return [f"of {b.name}" for b in self.others(who)]


def table(title, head, cells):
    """Print a table; each row is its cells."""
    print(f"\n## {title}\n\n| {' | '.join(head)} |")
    print("|" + "---|" * len(head))
    for row in cells:
        print(f"| {' | '.join(row)} |")
    sys.stdout.flush()
