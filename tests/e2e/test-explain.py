#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""pmuctl explain: counters of a guest that configured them, and catalogues."""
import sys

import bench
from bench import daemon, holds, pmuctl, same


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


def test_bad_counters_are_named():
    with daemon() as d:
        m = d.create("overflow-rv64")
        done = explain(d, m, "0:3", code=1)
        holds(b"not started" in done.err, done)
        d.pmuctl("machine", "start", m, "--paused")
        for text, code in (("0:99", 4), ("7:3", 2), ("x", 2), ("0:", 2),
                           (":3", 2), ("0:3:4", 2), ("-1:3", 2),
                           (24 * "x" + ":3", 2)):
            done = explain(d, m, text, code=code)
            holds(b"counter 99" in done.err or b"hart: 7" in done.err or
                  f"'{text}'".encode() in done.err, done)


def test_catalogues_answer_without_a_machine():
    for words, wanted in (
            (("csr", "mhpmevent31"), "0x33f"),
            (("csr", "0xda0"), "scountovf"),
            (("csr", "hpmcounter3h"), "0xc83"),
            (("rule", "C107"), "conformance"),
            (("rule", "norm:scountovf_op"), "Sscofpmf"),
            (("rule", "c107"), "C107"),
            (("event", "cpu_cycles"), "SBI_PMU_HW_CPU_CYCLES"),
            (("error", "-9"), "NO_SHMEM"),
            (("error", "SBI_ERR_INVALID_PARAM"), "-3"),
            (("event", "instructions"), "0x2"),
            (("event", "0x10019"), "DTLB, read, miss"),
            (("event", "SBI_PMU_HW_CPU_CYCLES"), "cycles")):
        done = pmuctl("explain", *words)
        holds(wanted in done.text(), done)
        holds(wanted in str(pmuctl("-j", "explain", *words).json()), done)
    for words in (("csr", "mhpmevent2"), ("csr", "mhpmevent32"),
                  ("csr", "0x5ff"), ("rule", "C9999"), ("error", "-99"),
                  ("error", ""), ("event", "nothing")):
        done = pmuctl("explain", *words, code=4)
        holds(words[1].encode() in done.err, done)


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
