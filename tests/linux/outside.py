# SPDX-License-Identifier: BSD-2-Clause
"""What counters of a guest did, and what the harts did in the meantime.

A trace says when each counter began and ended to count. The same run once more,
held at each of these cycles, says what every hart had done until then.
"""
import dataclasses
import functools

import linux
from linux import CONFIG_MATCHING, START, STOP, same

from bench import pmuctl  # found by linux

# a hart whose models are fed takes its time
linux.bench.LONG = linux.LONG
UINH, SINH = 1 << 5, 1 << 6  # flags of CONFIG_MATCHING
MODES = {UINH: ("PRIVILEGE_S",), SINH: ("PRIVILEGE_U",),
         0: ("PRIVILEGE_S", "PRIVILEGE_U")}


@dataclasses.dataclass
class Stretch:
    """A counter's way from a start to a stop, by cycles of the machine."""
    hart: int
    event: str
    privileges: tuple
    begin: int
    initial: int  # what it was started at
    end: int = 0


@functools.lru_cache(maxsize=None)
def names():
    """Return {the SBI's number: name} of events of hardware."""
    return {int(e["selector"]): e["name"]
            for e in pmuctl("-j", "list", "events").json()["events"]
            if e["kind"] == "EVENT_KIND_HARDWARE"}


def bits(base, mask):
    return [base + n for n in range(64) if mask >> n & 1]


def stretches(run):
    """Yield those of counters that are started, in order of their ends."""
    chosen, running = {}, {}
    for record in run.calls:
        call, hart = record["sbiCall"], record["hart"]
        fid, args = int(call["fid"]), [int(a) for a in call["args"]]
        if fid == CONFIG_MATCHING and not int(call["error"]):
            chosen[hart, int(call["value"])] = args[3], args[2] & (UINH | SINH)
        for counter in bits(*args[:2]) if fid in (START, STOP) else ():
            event, filtered = chosen.get((hart, counter), (0, 0))
            if event not in names() or filtered not in MODES:
                continue
            if fid == START and not int(call["error"]):
                running[hart, counter] = Stretch(
                    hart, names()[event], MODES[filtered], record["cycle"],
                    args[3])
            elif (hart, counter) in running and fid == STOP:
                ended = running.pop((hart, counter))
                ended.end = record["cycle"]
                yield ended
    same(running, {})


class Held:
    """A run's script once more: what was done at the ends of stretches."""

    def __init__(self, counted, script, what="tiny", harts=1, options=(),
                 looks=None):
        """Of @looks, {cycle: function of daemon and machine}, those cycles are
        ends of stretches; what they return is in seen."""
        self.done = {}  # by cycle: {(hart, event, privilege): events}
        self.seen = {}
        looks = looks or {}
        with linux.held(script, what, harts, options) as (d, m):
            for cycle in sorted({c for s in counted
                                 for c in (s.begin, s.end)}):
                d.pmuctl("machine", "until", m, "--cycle", cycle)
                d.pmuctl("machine", "wait", m)
                totals = d.pmuctl("-j", "stat", "-m", m).json()["totals"]
                self.done[cycle] = {
                    (t["hart"], t["event"], t["privilege"]): int(t["value"])
                    for t in totals}
                if cycle in looks:
                    self.seen[cycle] = looks[cycle](d, m)

    def done_in(self, stretch):
        """Return how often its event was in what it counts."""
        return sum(self.done[stretch.end][key] - self.done[stretch.begin][key]
                   for key in ((stretch.hart, stretch.event, p)
                               for p in stretch.privileges))
