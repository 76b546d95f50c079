#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""perf in Linux, on harts with models of caches, TLBs and predictors.

What perf prints of the events of models is what a second instance of the models
counted outside, in the same run once more, while the guest's counters ran. With
timing=inorder both are cold at reset, so that they are alike.
"""
import collections
import functools
import json
import re
import sys

import linux
from linux import ASKED, PERIOD, ROUND, boot, holds, payload, same
from outside import Held, stretches

HARTS = 2
CORE = ["--set", "uarch=small", "--set", "prefetch=next", "--set",
        "timing=inorder", "--set", "ref-hz=10M", "--set", "bus-hz=100M"]
OTHERS = ["stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles",
          "bus-cycles", "cache-references", "cache-misses", "L1-dcache-stores",
          "L1-dcache-store-misses", "LLC-stores", "LLC-store-misses",
          "LLC-prefetches", "LLC-prefetch-misses", "dTLB-stores",
          "dTLB-store-misses", "branch-loads", "branch-load-misses",
          "node-loads", "node-stores", "node-prefetches"]
GROWN = ["L1-dcache-loads", "L1-dcache-load-misses", "cache-misses",
         "L1-dcache-prefetches"]


def of_users(events):
    return ",".join(f"{e}:u" for e in events)


STAT = f"taskset 1 perf stat -x, -e {of_users(GROWN)}"
SCRIPT = f"""
exec 2>&1
echo == users
taskset 1 perf stat -x, -d -d -d --all-user pmutest miss 2
echo == others
taskset 1 perf stat -x, -e {of_users(OTHERS)} pmutest miss 2
echo == both
taskset 1 perf stat -x, -d -d -d pmutest syscall 1000
echo == known
{STAT} pmutest miss 1
{STAT} pmutest miss 3
echo == cpus
{STAT} -a -A taskset 2 pmutest miss 1
{STAT} -C 1 -A taskset 2 pmutest miss 1
echo == thread
taskset 1 pmutest miss 100 &
{STAT} --per-thread -p $! sleep 0.02
kill $!
echo == record
taskset 1 perf record -q -o /tmp/m -e cache-misses:u -c {PERIOD} \
    pmutest miss 8
perf script -i /tmp/m -F ip,sym
echo == report
perf report -i /tmp/m --stdio --stdio-color never
perf report -i /tmp/m --stats
"""
LITTLE = """
exec 2>&1
echo == little
perf stat -x, -d -d -d pmutest syscall 1000
perf stat -x, -e stalled-cycles-backend,ref-cycles,node-load-misses true
"""
HAS_NOT = ["LLC-loads", "LLC-load-misses", "L1-dcache-prefetches",
           "L1-dcache-prefetch-misses"]
LAST = 1024  # misses that are explained
LINE, SETS = 64, 1024  # of the last level
WATCH = ["--set", "uarch-watch=on", "--set", f"uarch-explain={LAST}"]
USERS = ("PRIVILEGE_U",)
BOTH = ("PRIVILEGE_S", "PRIVILEGE_U")
# CPU or thread, number or why there is none, event; perf has no modes behind the
# name of a cache's
ROW = re.compile(r"^(?:([\w-]+),)?(\d+|<[\w ]+>),[^,]*,([\w-]+)"
                 r"(?: \[cpu\])?(?::\w+)?,", re.M)


@functools.lru_cache(maxsize=None)
def run(*options):
    return boot(SCRIPT, what="slim", harts=HARTS, options=[*CORE, *options])


@functools.lru_cache(maxsize=None)
def counted():
    return list(stretches(run()))


def last_sample():
    """The cycle at which the kernel has stopped the counter for it."""
    return samples()[-2].end


def explain(d, m):
    d.pmuctl("machine", "symbols", m, payload("pmutest"))
    text = d.pmuctl("-j", "stat", "-m", m, "-e", "LLC-load-misses:u",
                    f"--explain-misses={LAST}").text()
    return json.loads(text.splitlines()[-1])["misses"]


@functools.lru_cache(maxsize=None)
def held():
    return Held(counted(), SCRIPT, "slim", HARTS, [*CORE, *WATCH],
                {last_sample(): explain})


def rows(text):
    """Return (CPU or thread, event, number) of hardware's events; without a
    number, what stands there."""
    return [(who, event, int(n) if n.isdigit() else n)
            for who, n, event in ROW.findall(text) if event in ASKED + OTHERS]


def samples():
    """The stretches of the event that samples: to a sample, or until its
    thread sleeps, and on from there."""
    return [s for s in counted() if s.initial >= (1 << 64) - PERIOD]


def sums(harts):
    """What was counted outside for perf stat, by event and privileges; perf
    record asks for cycles, too, to find out what the kernel can do."""
    found = collections.Counter()
    others = [s for s in counted() if s not in samples()]
    last = max(s.end for s in others if s.event in GROWN)
    for one in others:
        if one.hart in harts and one.end <= last:
            found[one.event, one.privileges] += held().done_in(one)
    return dict(found)


def printed(*sections, who=None):
    found = collections.Counter()
    for name in sections:
        for by, event, n in rows(run().section(name)):
            if who in (None, by):
                found[event, BOTH if name == "both" else USERS] += n
    return dict(found)


def test_perf_has_a_number_for_each_event_that_the_core_has():
    for section, events in (("users", ASKED), ("both", ASKED),
                            ("others", OTHERS)):
        found = rows(run().section(section))
        same([e for _, e, _ in found], events, run().section(section))
        # stores that miss have their page from the kernel, and in the caches
        holds(all(isinstance(n, int) and n > 0 for _, _, n in found), found)


def test_perf_has_what_was_counted_outside():
    same(printed("users", "others", "both", "known", "cpus", "thread"),
         sums(range(HARTS)))


def test_each_cpu_has_what_its_hart_did():
    same({who for who, _, _ in rows(run().section("cpus"))},
         {"CPU0", "CPU1"}, run().section("cpus"))
    same(printed("cpus", who="CPU1"), sums([1]))


def test_a_thread_is_counted_from_then_on():
    found = rows(run().section("thread"))
    same([e for _, e, _ in found], GROWN, run().section("thread"))
    holds(all(who.startswith("pmutest-") for who, _, _ in found), found)
    loads, misses = (found[GROWN.index(e)][2] for e in (
        "L1-dcache-loads", "L1-dcache-load-misses"))
    # the prefetcher has every other line
    holds(ROUND < loads < 100 * ROUND and abs(loads - 2 * misses) < 1000,
          found)


def test_what_the_work_is_known_to_miss_is_what_it_misses():
    found = rows(run().section("known"))
    grown = {e: more[2] - less[2] for e, less, more in
             zip(GROWN, found[:len(GROWN)], found[len(GROWN):])}
    same(grown.pop("L1-dcache-loads"), 2 * ROUND)
    # and a line more or less for each interrupt, which takes one from it
    holds(all(abs(n - ROUND) < 100 for n in grown.values()), grown)


def sampled():
    """Return (pc, function) of each sample."""
    return [(int(pc, 16), name) for pc, name in re.findall(
        r"^ *([0-9a-f]+) (\S+)$", run().section("record"), re.M)]


def test_a_record_of_misses_has_one_sample_a_period():
    misses = sum(held().done_in(s) for s in samples())
    print(f"# {misses} misses, {len(sampled())} samples")
    same(len(sampled()), misses // PERIOD)
    holds(len(sampled()) > 40)
    same([pc for pc, _ in sampled()],
         [i["pc"] for i, _ in linux.kept(run())])
    text = run().section("report")
    holds("LOST" not in text and "THROTTLE" not in text, text)


def test_the_function_that_misses_is_found():
    found = collections.Counter(name for _, name in sampled())
    holds(found["w_walk"] >= len(sampled()) - 1, found)
    holds(re.search(r"^ +(9\d|100)\.\d+% +pmutest +pmutest +\[\.\] w_walk",
                    run().section("report"), re.M), run().section("report"))


def test_the_last_misses_outside_are_those_of_the_function():
    found = held().seen[last_sample()]
    same(len(found), LAST)
    same({(m["access"], m["part"], m["reason"], m["place"]["function"])
          for m in found},
         {("MISS_ACCESS_LOAD", "CORE_PART_LL", "MISS_REASON_CAPACITY",
           "w_walk")})
    # each of another line, and of a set that it is in
    same(len({m["line"] for m in found}), LAST)
    same({m["set"] for m in found}, {int(m["line"]) // LINE % SETS
                                     for m in found})


def test_a_run_again_is_the_same_on_other_engines():
    for setting in ("engines=2", "engine=portable"):
        linux.alike(run(), run("--set", setting))


def test_what_a_core_has_not_is_not_supported_and_never_0():
    text = boot(LITTLE, what="slim", options=["--set", "uarch=tiny"]).section(
        "little")
    found = {e: n for _, e, n in rows(text)}
    same([e for e in ASKED if found[e] == "<not supported>"], HAS_NOT, text)
    holds(all(n for n in found.values()), text)
    others = linux.counts(text)[-3:]
    same(others, [(e, "<not supported>") for e in (
        "stalled-cycles-backend", "ref-cycles", "node-load-misses")], text)


if __name__ == "__main__":
    payload("slim")
    sys.exit(linux.bench.main(globals()))
