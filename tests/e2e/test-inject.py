#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""pmuctl inject: where events from outside act, what has them, what does not."""
import json
import sys

import bench
from bench import GUESTS, WORK, daemon, holds, same

GUEST = "loop-rv64"
N = 1000


def totals(d, m):
    """{event: count} of the machine, over all modes."""
    found = {}
    for t in d.pmuctl("-j", "stat", "-m", m).json()["totals"]:
        found[t["event"]] = found.get(t["event"], 0) + int(t.get("value", 0))
    return found


def finish(d, m):
    """Run it to its end: its totals, insns and cycles."""
    d.pmuctl("machine", "resume", m)
    d.pmuctl("machine", "wait", m, code=(0, 124))
    shown = d.show(m)
    return totals(d, m), shown["insn"], shown["cycle"]


def paused(d):
    m = d.create(GUEST, "--mode", "m")
    d.pmuctl("machine", "start", m, "--paused")
    return m


def inputs(d, m):
    done = d.pmuctl("-j", "trace", "show", "-m", m, "-k", "input")
    return [json.loads(line) for line in done.out.decode().splitlines()]


def test_totals_have_them_and_the_run_is_the_same():
    with daemon() as d:
        plain = finish(d, paused(d))
        m = paused(d)
        d.pmuctl("inject", "-m", m, "-e", "cycles", "-n", N)
        d.pmuctl("inject", "-m", m, "-e", "SBI_PMU_HW_INSTRUCTIONS", "-n", N,
                 "--at-insn", 500)
        d.pmuctl("inject", "-m", m, "-e", "loads", "-n", 7, "--at-insn",
                 100000, "--repeat")
        found = finish(d, m)
        same(found[1:], plain[1:], "instructions and cycles of the run")
        rounds = int(plain[1]) // 100000
        holds(rounds >= 3, rounds)
        for event, more in (("cycles", N), ("instructions", N),
                            ("loads", 7 * rounds), ("stores", 0)):
            same(found[0][event], plain[0][event] + more, event)
        same([int(r["insn"]) for r in inputs(d, m)],
             [0, 500] + [100000 * (i + 1) for i in range(rounds)])


def test_a_stop_at_an_instruction_is_not_moved_by_injected_ones():
    with daemon() as d:
        seen = []
        for n in (0, N):
            m = paused(d)
            if n:
                d.pmuctl("inject", "-m", m, "-e", "instructions", "-n", n,
                         "--at-insn", 100)
            d.pmuctl("machine", "until", m, "--insn", 5000)
            shown = d.show(m)
            seen.append((int(shown["insn"]), shown["cycle"]))
            same(totals(d, m)["instructions"], 5000 + n)
        same(seen[0][0], 5000)
        same(seen[1], seen[0])


def test_a_step_retires_what_it_says_whatever_is_injected():
    with daemon() as d:
        seen = []
        for n in (0, N):
            m = paused(d)
            d.pmuctl("machine", "step", m, "-c", 5)
            for where in ([], ["--at-insn", 10]) if n else ():
                d.pmuctl("inject", "-m", m, "-e", "instructions", "-n", n,
                         *where)
            d.pmuctl("machine", "step", m, "-c", 20)
            shown = d.show(m)
            seen.append((int(shown["insn"]), shown["cycle"]))
            same(totals(d, m)["instructions"], 25 + 2 * n)
        same(seen[0][0], 25)
        same(seen[1], seen[0])


HARTS = 3
# Of each hart: how often, and how many loads
EACH = {0: (997, 3), 1: (1009, 50), 2: (4999, 700)}
WAYS = ("engine=portable", "engine=check", "engines=2", "step-only=on")
END = 60000  # instructions of all harts


def options(quantum, *way):
    words = [f"quantum={quantum}", *way]
    return ["--mode", "m", "--harts", HARTS, "--max-insns", END,
            *(w for word in words for w in ("--set", word))]


def injected(d, path, *args, each=EACH):
    """The trace of a run in which each hart has its own, and more loads."""
    m = d.create(GUEST, "--record", "trap,sbi,process", *args)
    d.pmuctl("machine", "start", m, "--paused")
    for hart, (insns, n) in each.items():
        d.pmuctl("inject", "-m", m, "-e", "loads", "-n", n, "--hart", hart,
                 "--at-insn", insns, "--repeat")
    found = finish(d, m)
    d.pmuctl("trace", "save", "-m", m, path)
    d.pmuctl("machine", "delete", m)
    return found


def met(path):
    """[hart, its instructions, how many, its pc behind] of each input."""
    found = []
    done = bench.pmuctl("-j", "trace", "show", "-k", "input", path)
    for r in map(json.loads, done.text().splitlines()):
        i = r["input"]["inject"]
        found.append((r["hart"], int(r["insn"]), int(i["count"]),
                      int(r["pc"])))
    return found


def pcs_behind(insns):
    """{(hart, instructions): pc} of each that many, as samples have them."""
    path = WORK / "sampled.trace"
    bench.pmuctl("record", "-e", "instructions", "-c", insns, "-o", path, "--",
                 "run", *options(500), GUESTS[GUEST], code=124)
    done = bench.pmuctl("-j", "trace", "show", "-k", "sample", path)
    return {(r["hart"], int(r["insn"])): int(r["pc"])
            for r in map(json.loads, done.text().splitlines())}


def per_hart(found):
    return {hart: [i[1:] for i in found if i[0] == hart] for hart in EACH}


def test_each_hart_has_its_own_whatever_its_turn():
    wanted = {}
    for hart, (insns, n) in EACH.items():
        wanted[hart] = [(at, n, pc) for (h, at), pc in
                        pcs_behind(insns).items() if h == hart]
    with daemon() as d:
        for quantum in (1, 97, 10000):
            one, two = WORK / "one.trace", WORK / "two.trace"
            plain = injected(d, two, *options(quantum), each={})
            done = injected(d, one, *options(quantum))
            found = per_hart(met(one))
            same(done[1:], plain[1:], "instructions and cycles of the run")
            same(done[0]["loads"] - plain[0]["loads"],
                 sum(n for _, _, n, _ in met(one)), quantum)
            for hart, (insns, n) in EACH.items():
                same([i[0] for i in found[hart]],
                     [insns * (k + 1) for k in range(len(found[hart]))])
                both = min(len(found[hart]), len(wanted[hart]))
                holds(both >= END // HARTS // insns - 1, (quantum, hart, both))
                same(found[hart][:both], wanted[hart][:both], quantum)
            same(injected(d, two, *options(quantum)), done)
            holds(two.read_bytes() == one.read_bytes(), f"{quantum}: twice")
            d.pmuctl("run", "--replay", one, "--trace", two, GUESTS[GUEST],
                     code=124)
            holds(two.read_bytes() == one.read_bytes(), f"{quantum}: replay")
            for way in WAYS:
                same(injected(d, two, *options(quantum, way)), done, way)
                d.pmuctl("trace", "diff", one, two)


def test_a_pc_is_waited_for_by_its_name():
    with daemon() as d:
        m = paused(d)
        done = d.pmuctl("inject", "-m", m, "-e", "branches", "-n", 3,
                        "--at-pc", "leaf")
        holds("behind 0x" in done.text(), done)
        listed = d.pmuctl("-j", "inject", "list", "-m", m).json()
        at = int(listed["injections"][0]["pc"])
        same([i["number"] for i in listed["injections"]], [1])
        d.pmuctl("inject", "-m", m, "-e", "branches", "-n", 2, "--at-pc",
                 f"{at:#x}", "--repeat")
        d.pmuctl("machine", "until", m, "--insn", 1000)
        waiting = d.pmuctl("-j", "inject", "list", "-m", m).json()
        same([(i["number"], i["repeat"]) for i in waiting["injections"]],
             [(2, True)])
        times = int(waiting["injections"][0]["times"])
        holds(times > 50, times)
        text = d.pmuctl("inject", "list", "-m", m).text()
        holds(f"{at:#x}" in text, text)
        found = inputs(d, m)
        same(len(found), times + 1)
        for r in found:
            same(int(r["input"]["inject"]["lastPc"]), at)
            same(r["input"]["inject"]["event"], "branches")
        shown = d.pmuctl("trace", "show", "-m", m, "-k", "input").text()
        holds(f"input inject 3 branches behind {at:#x}" in shown, shown[:400])
        d.pmuctl("inject", "cancel", "2", "-m", m)
        same(d.pmuctl("-j", "inject", "list", "-m", m).json(),
             {"injections": []})
        d.pmuctl("inject", "cancel", "2", "-m", m, code=4)


def test_a_pc_behind_its_name():
    with daemon() as d:
        m = paused(d)
        for name in ("_start", "_start+4", "_start+0x8"):
            d.pmuctl("inject", "-m", m, "-e", "branches", "--at-pc", name)
        listed = d.pmuctl("-j", "inject", "list", "-m", m).json()["injections"]
        at = [int(i["pc"]) for i in listed]
        same(at, [at[0], at[0] + 4, at[0] + 8])
        d.pmuctl("machine", "step", m, "-c", 5)
        found = inputs(d, m)
        same([int(r["input"]["inject"]["lastPc"]) for r in found], at)
        same([int(r["insn"]) for r in found], [1, 2, 3])


def test_they_are_recorded_and_replayed():
    first, again = WORK / "inject.trace", WORK / "again.trace"
    with daemon() as d:
        m = d.create(GUEST, "--mode", "m", "--record", "trap,sbi,process")
        d.pmuctl("machine", "start", m, "--paused")
        d.pmuctl("inject", "-m", m, "-e", "instructions", "-n", 2**64 - 2,
                 "--at-pc", "leaf+0", "--repeat")
        d.pmuctl("machine", "until", m, "--insn", 5000)
        d.pmuctl("inject", "cancel", "1", "-m", m)
        d.pmuctl("inject", "-m", m, "-e", "stores", "--at-insn", 7777)
        d.pmuctl("machine", "resume", m)
        d.pmuctl("machine", "wait", m)
        d.pmuctl("trace", "save", "-m", m, first)
        d.pmuctl("run", "--replay", first, "--trace", again, GUESTS[GUEST])
        done = d.pmuctl("trace", "diff", first, again)
        holds("all the same" in done.text(), done)
        holds(first.read_bytes() == again.read_bytes(), "bytes differ")


MISTAKES = [
    (["-e", "nothing"], 2, "nothing"),
    (["-e", "fw_set_timer"], 2, "firmware"),
    (["-e", "cycles:u"], 2, "privilege"),
    (["-e", "cycles,loads"], 2, "one event"),
    (["-e", "L1-dcache-loads"], 2, "settings uarch"),
    (["-e", "branch-misses", "--at-insn", "500"], 2, "settings uarch"),
    (["-e", "stalled-cycles-backend"], 2, "timing=inorder"),
    (["-e", "ref-cycles"], 2, "settings ref-hz"),
    ([], 2, "--event"),
    (["-e", "cycles", "-n", "0"], 2, "must be at least 1"),
    (["-e", "cycles", "--hart", "9"], 4, "not 9"),
    (["-e", "cycles", "--at-pc", "0x80000001"], 2, "0x80000001"),
    (["-e", "cycles", "--at-pc", "1<<62"], None, ""),
    (["-e", "cycles", "--at-pc", "0x4000000000000000"], 2, "no address of"),
    (["-e", "cycles", "--at-pc", "no_such_name"], 4, "no_such_name"),
    (["-e", "cycles", "--at-insn", "0"], 2, "from 1"),
    (["-e", "cycles", "--at-insn", "5", "--at-pc", "leaf"], 2, "exclude"),
    (["-e", "cycles", "--repeat"], 2, "--repeat"),
]


def test_mistakes_say_what_is_wrong():
    with daemon() as d:
        m = paused(d)
        for args, code, words in MISTAKES:
            if code is None:
                d.pmuctl("inject", "-m", m, *args, code=(2, 4))
                continue
            done = d.pmuctl("inject", "-m", m, *args, code=code)
            holds(words in done.err.decode(), (args, done))
        done = d.pmuctl("inject", "-m", m, "-e", "cycles", "--at-pc", "0x1000")
        holds("nothing at 0x1000 now" in done.err.decode(), done)
        d.pmuctl("machine", "step", m, "-c", 20)
        done = d.pmuctl("inject", "-m", m, "-e", "cycles", "--at-insn", "20",
                        code=1)
        holds("has retired 20" in done.err.decode(), done)
        finish(d, m)
        for where in ([], ["--at-insn", "100000000"]):
            done = d.pmuctl("inject", "-m", m, "-e", "cycles", *where, code=1)
            holds("has ended" in done.err.decode(), done)


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
