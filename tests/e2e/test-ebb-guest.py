#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Event-based branches in the guest: each result of guests/ebb is one of this
test, on RV64 and RV32, with one hart and two, and without a firmware in U and
VU. Every engine mode must print the same, and write the same trace, which has
the branches.
Where guests/ebb's ebb-many is given instead, one scenario is run a million
times."""
import json
import re
import sys

import bench
from bench import GUESTS, ISAS

RESULT = re.compile(r"(not ok|ok) \d+ - (.*)")
# guest, name of the run, options
M = ["--mode", "m"]
NO_S = [word for name in ("s", "svadu", "svade")
        for word in ("--set", name + "=off")]
RUNS = [
    ("ebb", "one hart", []),
    ("ebb", "two harts", ["--harts", "2"]),
    ("ebb-m", "M", M),
    ("ebb-m", "M without S", [*M, *NO_S]),
    ("ebb-m", "M, H", [*M, "--set", "h=on"]),
    ("ebb-m", "M, H, state-enables",
     [*M, "--set", "h=on", "--set", "smstateen=on"]),
]
ENGINES = ["engines=2", "step-only=on", "engine=portable", "engine=check"]
MOST = ["--set", "xpmuebb=on", "--max-insns", "2G"]
MOVES = "a process that moves to another hart"


def play(guest, isa, *options):
    """Return what the guest printed and its exit code."""
    done = bench.subprocess.run(
        [bench.PMUCTL, "run", *bench.isa_options(isa, *MOST, *options),
         GUESTS[f"{guest}-{isa}"]],
        stdin=bench.subprocess.DEVNULL, capture_output=True,
        timeout=5 * bench.LONG, check=False, env=bench.environment())
    return done.stdout.decode(errors="replace"), done.returncode


def hand_on(tap, run, text, code):
    """Repeat a guest's results as ours; return how many there were."""
    n = 0
    for line in text.splitlines():
        m = RESULT.match(line)
        if m:
            n += 1
            tap.add(m[1] == "ok", f"{run}: {m[2]}")
        elif line.startswith("# shows"):
            print(line)
    tap.add(code == 0 and text.endswith(f"\n1..{n}\n"), f"{run}: it ends",
            compared=n)
    return n


def once(tap, guest, isa, variant, options):
    """One run, and the same in the other engine modes."""
    run = f"ebb {isa} {variant}"
    text, code = play(guest, isa, *options)
    n = hand_on(tap, run, text, code)
    tap.add(n > 18, f"{run}: it has results")
    tap.add((MOVES in text) == ("--harts" in options),
            f"{run}: it has moved")
    tap.add(("in VU: " in text) == ("h=on" in options),
            f"{run}: it was in VU")
    for engine in ENGINES:
        again, _ = play(guest, isa, *options, "--set", engine)
        tap.add(again == text, f"{run}: {engine} prints the same")


def many(tap, isa):
    hand_on(tap, f"ebb {isa} a million", *play("ebb-many", isa))


def refused(tap, isa):
    """Without the extension, and as the reference, there is no claim."""
    for name, options in (("off", ["--set", "xpmuebb=off"]),
                          ("opensbi", ["--set", "profile=opensbi"])):
        text, code = play("ebb", isa, *options)
        tap.add("no counters" in text and code != 0,
                f"ebb {isa} {name}: it is not offered")


def observed(tap, isa):
    """Who counts and samples the same takes nothing from a claim."""
    plain, _ = play("ebb", isa)
    for who in (["stat", "-e", "instructions:u,cycles"],
                ["record", "-e", "instructions", "-c", "401", "-o",
                 str(bench.WORK / "ebb.profile")]):
        done = bench.subprocess.run(
            [bench.PMUCTL, *who, "--", "run",
             *bench.isa_options(isa, *MOST), GUESTS[f"ebb-{isa}"]],
            stdin=bench.subprocess.DEVNULL, capture_output=True,
            timeout=bench.LONG, check=False, env=bench.environment())
        text = (done.stdout + done.stderr).decode(errors="replace")
        print("# shows ebb_claim C155")
        tap.add(done.returncode == 0 and text.startswith(plain),
                f"ebb {isa} beside {who[0]}: it prints the same")


def discovered(tap, isa):
    """In the device tree's ISA strings, where it is on."""
    for on in ("on", "off"):
        path = bench.WORK / "ebb.dtb"
        bench.pmuctl("dt", "show", *bench.isa_options(
            isa, "--set", f"xpmuebb={on}"), "--output", path)
        tree = path.read_bytes()
        print("# shows ebb_discover")
        tap.add((b"_xpmuebb" in tree, b"\0xpmuebb\0" in tree) ==
                (on == "on",) * 2, f"ebb {isa} {on}: S-mode finds it")


def is_branch(r):
    return r.get("hartChange", {}).get("what") == "WHAT_EVENT_BRANCH"


def moment(r):
    return {k: r[k] for k in ("hart", "insn", "cycle", "pc", "privilege")}


def traced(tap, isa):
    """A branch is a record, right behind that of its overflow.

    Of an overflow in U it has the cycle and the next pc, unless its delivery
    says that it was held; and the trace is every engine mode's, to the byte.
    """
    record = ["--record", "delivery"]
    path, other = (bench.WORK / f"ebb-{isa}-{n}.trace" for n in (1, 2))
    play("ebb", isa, *record, "--trace", path)
    text = bench.pmuctl("-j", "trace", "show", path).text()
    records = [json.loads(line) for line in text.splitlines()]
    counters = [r["hartChange"]["counters"] for r in records if is_branch(r)]
    six = 0x1f8
    tap.add(len(counters) > 6000 and all(c & six == c for c in counters),
            f"ebb {isa} traced: {len(counters) > 6000} branches")
    told = [r for r in zip(records, records[1:], records[2:])
            if "overflow" in r[0] and r[0]["privilege"] == "PRIVILEGE_U" and
            is_branch(r[1]) and "delivery" in r[2]]
    odd = [r for r in told
           if not moment(r[0]) == moment(r[1]) == moment(r[2]) and not
           (r[2]["delivery"]["held"] and  # "0": over a switch of processes
            r[2]["delivery"]["cycles"] in ([r[0]["cycle"]], ["0"]))]
    late = sum(r[2]["delivery"]["held"] for r in told)
    tap.add(len(told) > 6000 and late < 50 and not odd,
            f"ebb {isa} traced: each from U is of its overflow's moment",
            map(str, odd[:2]), compared=len(told))
    for engine in ENGINES:
        play("ebb", isa, *record, "--trace", other, "--set", engine)
        tap.add(other.read_bytes() == path.read_bytes(),
                f"ebb {isa} traced: {engine} has the same bytes")


def main():
    tap = bench.asserted.Results()
    for isa in ISAS:
        if f"ebb-many-{isa}" in GUESTS:
            many(tap, isa)
        if f"ebb-{isa}" not in GUESTS:
            continue
        for guest, variant, options in RUNS:
            once(tap, guest, isa, variant, options)
        refused(tap, isa)
        discovered(tap, isa)
        observed(tap, isa)
        traced(tap, isa)
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
