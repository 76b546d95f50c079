#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""pmuctl explain: counters of a guest that configured them, and catalogues."""
import json
import sys

import bench
from bench import GUESTS, WORK, daemon, holds, pmuctl, same


def explain(d, machine, counter, code=0):
    return d.pmuctl("-j", "explain", "counter", "-m", machine, counter,
                    code=code)


def facts(done, topic):
    return [f for f in done.json()["facts"] if f["topic"] == topic]


def test_a_counter_that_the_guest_started_over_sbi():
    with daemon() as d:
        m = d.create("overflow-rv64")
        d.pmuctl("machine", "start", m, "--paused")
        done = explain(d, m, "0:3")
        same(done.json()["counts"], False, done)
        holds("no event; and mcountinhibit[3] = 1" in done.json()["summary"],
              done)
        # the guest's first overflow interrupt has come by then
        d.pmuctl("machine", "until", m, "--insn", "40000")
        done = explain(d, m, "0:3")
        same(done.json()["counts"], True, done)
        same(done.json()["summary"], "counter 3 of hart 0 counts now")
        holds("started" in facts(done, "SBI")[0]["text"], done)
        holds("/pmu" in facts(done, "map")[0]["text"], done)
        origins = [f["text"] for f in facts(done, "origin")]
        same(len(origins), 3, done)
        holds(all("the firmware's PMU.counter_" in o for o in origins), done)
        value = d.pmuctl("-j", "csr", "read", "-m", m, "mhpmcounter3").json()
        same(done.json()["counter"]["value"], value["value"])


def test_code_that_wrote_a_counter_is_named_by_function_and_line():
    with daemon() as d:
        m = d.create("conformance-m-rv64", "--mode", "m")
        d.pmuctl("machine", "start", m, "--paused")
        # by then M-mode has written all that counter 3 goes by, partly by
        # instructions that the guest has put together
        d.pmuctl("machine", "until", m, "--insn", "60000")
        done = explain(d, m, "0:3")
        found = facts(done, "origin")
        same(len(found), 3, done)
        for f in found:
            address = int(f["place"]["address"])
            holds(f" at pc {address:#x} through " in f["text"], f)
        place = next(f for f in found if "mcountinhibit:" in f["text"])["place"]
        same(place["function"], "fresh", place)
        holds(place["file"].endswith("/m-hart.c") and place["line"] > 0, place)
        text = d.pmuctl("explain", "counter", "-m", m, "0:3").text()
        holds(f", in fresh+{int(place['offset']):#x} "
              f"m-hart.c:{place['line']}" in text, text)
        # no other fact names code
        same([f for f in done.json()["facts"]
              if f["topic"] != "origin" and "place" in f], [], done)


def test_code_of_a_user_is_named_in_its_own_address_space():
    with daemon() as d:
        m = d.create("spaces-rv64", "--mode", "m", "--set", "xpmuebb=on")
        d.pmuctl("machine", "start", m, "--paused")

        def next_wrote():
            """Let one more write; return what is said of it, and its satp."""
            # either is about to run when the other has written
            d.pmuctl("machine", "until", m, "--pc", "0x40000000")
            done = explain(d, m, "0:3")
            fact = next(f for f in facts(done, "origin")
                        if "value:" in f["text"])
            holds("written by U at pc 0x40000008 through ebbctr3"
                  in fact["text"], fact)
            text = d.pmuctl("explain", "counter", "-m", m, "0:3").text()
            function = fact["place"].get("function") or "[unknown]"
            holds(f", in {function}" in text, text)
            now = d.pmuctl("-j", "csr", "read", "-m", m, "satp").json()
            holds(fact["satp"] != now["value"], now)
            return int(done.json()["counter"]["value"]), function, fact["satp"]

        d.pmuctl("machine", "until", m, "--pc", "0x40000000")
        one = next_wrote()
        same(one[:2], (1, "[unknown]"))
        d.pmuctl("machine", "symbols", m, GUESTS["spaces-first-rv64"])
        two = next_wrote()
        same(two[:2], (2, "[unknown]"))
        holds(one[2] != two[2], two)
        same(next_wrote(), (1, "first", one[2]))
        d.pmuctl("machine", "symbols", m, GUESTS["spaces-second-rv64"])
        same(next_wrote(), (2, "second", two[2]))
        same(next_wrote(), (1, "first", one[2]))


def test_what_a_client_wrote_is_named():
    with daemon() as d:
        m = d.create("overflow-rv64")
        d.pmuctl("machine", "start", m, "--paused")
        d.pmuctl("csr", "write", "-m", m, "mhpmevent5", "2")
        done = explain(d, m, "5")
        holds(any("by a client through mhpmevent5" in f["text"]
                  for f in facts(done, "origin")), done)
        d.pmuctl("csr", "write", "-m", m, "mcountinhibit", "0x20")
        done = explain(d, m, "0:5")
        same(done.json()["counts"], False, done)
        holds("mcountinhibit[5] = 1" in done.json()["summary"], done)
        same([f["hinders"] for f in facts(done, "inhibit")], [True], done)
        done = d.pmuctl("explain", "counter", "-m", m, "0:5")
        holds("does not count now" in done.text(), done)


def test_a_firmware_counter_is_explained():
    with daemon() as d:
        m = d.create("overflow-rv64")
        d.pmuctl("machine", "start", m, "--paused")
        done = explain(d, m, "0:40")
        holds("firmware counter" in facts(done, "existence")[0]["text"], done)
        same(done.json()["counts"], False, done)
        # set_timer calls, the second free firmware counter, started at once
        d.pmuctl("sbi", "call", "-m", m, "PMU.counter_config_matching", "40",
                 "1", "4", "0xf0005", "0")
        done = explain(d, m, "0:40")
        same(done.json()["counts"], True, done)
        holds("fw_set_timer" in facts(done, "event")[0]["text"], done)


def test_what_keeps_an_interrupt_back_is_named():
    with daemon() as d:
        m = d.create("overflow-rv64")
        d.pmuctl("machine", "start", m, "--paused")
        d.pmuctl("csr", "write", "-m", m, "mip", "0x2000")
        for enabled, status, wanted in (
                ("0", "0", "sie.LCOFIE = 0 and sstatus.SIE = 0 keeps it back"),
                ("0x2000", "0", "goes to S; sstatus.SIE = 0 keeps it back"),
                ("0", "2", "goes to S; sie.LCOFIE = 0 keeps it back"),
                ("0x2000", "2", "goes to S; nothing keeps it back")):
            d.pmuctl("csr", "write", "-m", m, "sie", enabled)
            d.pmuctl("csr", "write", "-m", m, "sstatus", status)
            done = explain(d, m, "0:3")
            holds(wanted in facts(done, "interrupt")[0]["text"], done)


def test_nothing_counts_in_a_machine_that_has_ended():
    with daemon() as d:
        m = d.create("overflow-rv64")
        d.pmuctl("machine", "start", m)
        d.pmuctl("machine", "wait", m)
        for counter, then in (("0:0", "it counted at the end"),
                              ("0:3", "it did not count at the end")):
            done = explain(d, m, counter)
            same(done.json()["counts"], False, done)
            holds("the machine has ended" in done.json()["summary"], done)
            holds(then in facts(done, "machine")[0]["text"], done)
            holds("(now)" not in done.text(), done)


def test_nothing_counts_on_a_hart_that_is_stopped():
    with daemon() as d:
        m = d.create("overflow-rv64", "--harts", "2")
        d.pmuctl("machine", "start", m, "--paused")
        done = explain(d, m, "1:0")
        same(done.json()["counts"], False, done)
        holds("hart 1 is stopped" in done.json()["summary"], done)
        same(explain(d, m, "0:0").json()["counts"], True)


def objects(text):
    """JSON values, one after the other."""
    found, at, decoder = [], 0, json.JSONDecoder()
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        value, at = decoder.raw_decode(text, at)
        found.append(value)
    return found


def run(*args, code=0, guest="overflow-rv64"):
    """The explanations of a run, in their order."""
    out = WORK / "explained"
    pmuctl("-j", "run", *args, "-o", out, GUESTS[guest], code=code)
    return objects(out.read_text())


def test_a_run_is_explained_at_points():
    found = run("--explain", "0:3", "--explain", "4", "--at", "chase",
                "--at", "chase+2", "--at", "cycle:300k", "--at", "insn:400k",
                "--at", "end", "--at", "pc:0x90000000")
    same([f["at"] for f in found[::2]],
         ["chase", "chase+2", "cycle:300k", "insn:400k", "pc:0x90000000",
          "end"])
    same([f["counter"]["index"] for f in found], [3, 4] * 6)
    cycles = [int(f["cycle"]) for f in found[::2]]
    same(cycles[1:3], [cycles[0] + 1, 300000])
    holds(400000 < cycles[3] < cycles[4] == cycles[5], cycles)
    holds("the machine has ended" in found[10]["summary"], found[10])
    holds("the machine has ended" not in found[4]["summary"], found[4])
    with daemon() as d:
        m = d.create("overflow-rv64")
        d.pmuctl("machine", "start", m, "--paused")
        d.pmuctl("machine", "until", m, "--cycle", "300000")
        want = explain(d, m, "0:3").json()
    same({k: v for k, v in found[4].items() if k in want}, want)


def test_explaining_a_run_changes_nothing_of_it():
    plain, held = WORK / "plain.trace", WORK / "held.trace"
    one = pmuctl("run", "--trace", plain, GUESTS["overflow-rv32"])
    two = pmuctl("run", "--trace", held, "--explain", "0:3", "--at",
                 "cycle:1", "--at", "cycle:100k", "--at", "insn:1",
                 GUESTS["overflow-rv32"])
    same(two.out, one.out)
    holds(plain.read_bytes() == held.read_bytes(), "the traces differ")
    text = two.err.decode()
    for line in ("at cycle:1, cycle 1:", "at cycle:100k, cycle 100000:",
                 "at insn:1, cycle 100000:", "TOPIC"):
        holds(line in text, two)
    done = pmuctl("run", "--mode", "m", "--explain", "0:0", "--at", "end",
                  GUESTS["fail-rv64"], code=42)
    holds(b"it counted at the end" in done.err, done)
    done = pmuctl("run", "--mode", "m", "--explain", "0:0", "--at",
                  "cycle:1G", "--max-cycles", "1000", GUESTS["spin-rv64"],
                  code=124)
    holds(b"(it was not reached)" in done.err, done)


def test_points_that_cannot_be_are_named():
    for args, code, message in (
            (["--at", "end"], 2, "--explain"),
            (["--explain", "x"], 2, "HART:COUNTER"),
            (["--explain", "0:3", "--at", "300000"], 2, "not a point of a run"),
            (["--explain", "0:3", "--at", "cycle:x"], 2, "'cycle:x'"),
            (["--explain", "0:3", "--at", "nothing"], 4, "'nothing'"),
            (["--explain", "0:3", "--at", "main+x"], 2, "'main+x'"),
            (["--explain", "0:3", "--detach"], 2, "--detach"),
            (["--explain", "7:3"], 4, "hart"),
            (["--explain", "0:99"], 4, "counter 99"),
            (["--explain", "0:3"] + ["--at", "end"] * 65, 2, "--at")):
        done = pmuctl("run", *args, GUESTS["overflow-rv64"], code=code)
        holds(message in done.err.decode(), done)
        same(done.out, b"")
        holds(b"\npmuctl: " not in done.err, done)


def test_bad_counters_are_named():
    with daemon() as d:
        m = d.create("overflow-rv64")
        done = explain(d, m, "0:3", code=1)
        holds(b"not started" in done.err, done)
        d.pmuctl("machine", "start", m, "--paused")
        for text, code in (("0:99", 4), ("7:3", 4), ("x", 2), ("0:", 2),
                           (":3", 2), ("0:3:4", 2), ("-1:3", 2),
                           (24 * "x" + ":3", 2)):
            done = explain(d, m, text, code=code)
            holds(b"counter 99" in done.err or b"no hart 7" in done.err or
                  f"'{text}'".encode() in done.err, done)


def test_catalogues_answer_without_a_machine():
    for words, wanted in (
            (("csr", "mhpmevent31"), "0x33f"),
            (("csr", "0xda0"), "scountovf"),
            (("csr", "hpmcounter3h"), "0xc83"),
            (("csr", "0x800"), "ebbhr"),
            (("csr", "ebbctl"), "an alert freezes"),
            (("csr", "sebbcs"), "docs/EBB.md"),
            (("rule", "C107"), "conformance"),
            (("rule", "norm:scountovf_op"), "Sscofpmf"),
            (("rule", "c107"), "C107"),
            (("event", "cpu_cycles"), "SBI_PMU_HW_CPU_CYCLES"),
            (("error", "-9"), "NO_SHMEM"),
            (("error", "SBI_ERR_INVALID_PARAM"), "-3"),
            (("rule", "C161"), "leaves the OF that it wrote"),
            (("rule", "C161"), "this project, where the specification"),
            (("rule", "C61"), "Stop a set of counters (FID #4)"),
            (("rule", "norm:scountovf_op"), "norm:scountovf_op of the"),
            (("event", "instructions"), "0x2"),
            (("event", "0x10019"), "DTLB, read, miss"),
            (("event", "SBI_PMU_HW_CPU_CYCLES"), "cycles"),
            (("event", "SBI_PMU_FW_SET_TIMER"), "fw_set_timer"),
            (("event", "ipi-sent"), "fw_ipi_sent"),
            (("event", "0xf0005"), "firmware event 5: SET_TIMER"),
            (("event", "cache_misses"), "last-level cache that miss"),
            (("event", "SBI_PMU_HW_CACHE_MISSES"), "CACHE_MISSES"),
            (("event", "DTLB-read-miss"), "0x10019"),
            (("event", "sbi_pmu_hw_cache_l1d_write"), "0x10002"),
            (("event", "NODE.prefetch.miss"), "no counter of this machine"),
            (("event", "0x10007"), "reserved"),
            (("event", "0xf0020"), "nothing: the event_idx is reserved"),
            (("event", "0xf0200"), "no counter of this machine"),
            (("event", "0x20000"), "what its event_data selects"),
            (("event", "no_event"), "reserved"),
            (("event", "0x40000"), "reserved")):
        done = pmuctl("explain", *words)
        holds(wanted in done.text(), done)
        holds(wanted in str(pmuctl("-j", "explain", *words).json()), done)
    for words in (("csr", "mhpmevent2"), ("csr", "mhpmevent32"),
                  ("csr", "0x5ff"), ("rule", "C9999"), ("error", "-99"),
                  ("error", ""), ("event", "nothing"),
                  ("event", "DTLB"), ("event", "DTLB-read-nothing"),
                  ("event", "L1D-read-miss-x")):
        done = pmuctl("explain", *words, code=4)
        holds(words[1].encode() in done.err, done)


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
