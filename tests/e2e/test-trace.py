#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""pmuctl trace: what records say, and whose names they are given."""
import base64
import bisect
import json
import re
import subprocess
import sys

import bench
from bench import GUESTS, WORK, daemon, holds, pmuctl, same

GUEST = {isa: GUESTS[f"overflow-{isa}"] for isa in bench.ISAS}


def tool(name, *args):
    return subprocess.run([f"riscv64-unknown-elf-{name}", *map(str, args)],
                          check=True, capture_output=True).stdout.decode()


def functions(elf):
    """Address and name of every function, by address."""
    rows = [line.split() for line in tool("nm", elf).splitlines()]
    return sorted((int(r[0], 16), r[2]) for r in rows
                  if len(r) == 3 and r[1] in "tT")


def lines(*args):
    return [json.loads(l) for l in pmuctl("-j", *args).out.splitlines()]


def traced(isa):
    path = WORK / f"{isa}.trace"
    if not path.exists():
        pmuctl("run", "--trace", path, GUEST[isa])
    return path


def test_an_overflow_is_named_by_the_instruction_that_overflowed():
    for isa in bench.ISAS:
        table = functions(GUEST[isa])
        shown = lines("trace", "show", "-k", "overflow", "--symbols",
                      GUEST[isa], traced(isa))
        moved = 0
        for r in shown:
            pc = int(r["overflow"]["lastPc"])
            at = table[bisect.bisect_right(table, (pc, "~")) - 1]
            same((r["function"], int(r["offset"])), (at[1], pc - at[0]), r)
            where = tool("addr2line", "-e", GUEST[isa], hex(pc)).strip()
            same(f"{r['file']}:{r['line']}",
                 re.sub(r" \(disc.*", "", where.rsplit("/", 1)[1]), r)
            moved += tool("addr2line", "-e", GUEST[isa],
                          hex(int(r["pc"]))).strip() != where
        holds(moved, "no overflow whose next line is another")
        summary = pmuctl("-j", "trace", "summary", "--symbols", GUEST[isa],
                         traced(isa)).json()["overflows"]
        same(sum(int(g["overflows"]) for g in summary), len(shown))
        for g in summary:
            same(int(g["overflows"]),
                 sum(r["function"] == g["function"] and
                     r["overflow"]["counter"] == g["counter"] for r in shown))


def until_the_call_of_main(d, isa):
    """A machine whose next instruction is the one that calls main."""
    options = bench.isa_options(isa)
    main = dict((n, a) for a, n in functions(GUEST[isa]))["main"]
    first = d.create(f"overflow-{isa}", *options)
    d.pmuctl("machine", "start", first, "--paused")
    d.pmuctl("machine", "until", first, "--pc", hex(main))
    insns = sum(int(t["value"]) for t in
                d.pmuctl("-j", "stat", "-m", first).json()["totals"]
                if t["event"] == "instructions")
    m = d.create(f"overflow-{isa}", *options)
    d.pmuctl("machine", "start", m, "--paused")
    d.pmuctl("machine", "until", m, "--insn", insns - 1)
    return m, main


def test_a_header_means_what_was_before_a_setting_that_it_lacks():
    """As old traces have it: with PMP, U-mode would reach nothing here."""
    first, again = WORK / "old.trace", WORK / "old-again.trace"
    guest = GUESTS["modes-rv64"]
    pmuctl("run", "--mode", "m", "--set", "pmp-entries=0", "--trace", first,
           guest)
    holds(b"pmp-entries" not in first.read_bytes(), "the header has it")
    pmuctl("run", "--trace", again, "--replay", first, guest)
    holds(first.read_bytes() == again.read_bytes(), "replay differs")


def test_both_functions_are_named_where_an_overflow_left_one():
    for isa in bench.ISAS:
        with daemon() as d:
            m, main = until_the_call_of_main(d, isa)
            d.pmuctl("csr", "write", "-m", m, "mhpmevent3", "2")
            d.pmuctl("csr", "write", "-m", m, "mhpmcounter3", "-1")
            if isa == "rv32":
                d.pmuctl("csr", "write", "-m", m, "mhpmcounter3h", "-1")
            d.pmuctl("csr", "write", "-m", m, "mcountinhibit", "0")
            d.pmuctl("machine", "step", m)
            args = ["trace", "show", "-m", m, "-k", "overflow", "--symbols",
                    GUEST[isa]]
            shown = d.pmuctl("-j", *args).json()
            same(int(shown["pc"]), main)
            same((shown["function"], shown["next"]["function"],
                  shown["next"]["offset"]), ("_start", "main", "0"))
            text = d.pmuctl(*args).text()
            holds(re.search(r" _start\+0x.* next main\+0 \w+\.\w:\d+$",
                            text, re.M), text)
            # without symbols there is nothing to name
            holds("next" not in d.pmuctl(*args[:-2]).text())


def stripped(isa):
    path = WORK / f"stripped-{isa}.elf"
    tool("strip", "-o", path, GUEST[isa])
    return path


def test_names_of_another_file_are_refused():
    trace, wrong = traced("rv64"), GUEST["rv32"]
    for verb in (["show"], ["summary"]):
        done = pmuctl("trace", *verb, "--symbols", wrong, trace, code=2)
        holds(f"{wrong} is not what ran".encode() in done.err, done)
        same(done.out, b"")
        done = pmuctl("trace", *verb, "--symbols", wrong, "--force", trace)
        same(done.err, b"")
        same(pmuctl("trace", *verb, "--symbols", GUEST["rv64"], trace).err,
             b"")
    with daemon() as d:
        m = d.create("overflow-rv64")
        d.pmuctl("machine", "start", m)
        d.pmuctl("machine", "wait", m)
        for verb in ("show", "follow"):
            done = d.pmuctl("trace", verb, "-m", m, "--symbols", wrong, code=2)
            holds(b"is not what ran" in done.err, done)
            d.pmuctl("trace", verb, "-m", m, "--symbols", GUEST["rv64"])
            d.pmuctl("trace", verb, "-m", m, "--force", "--symbols", wrong)


def test_a_diff_names_the_side_that_ran_the_file():
    trace = traced("rv64")
    other = WORK / "other.trace"
    pmuctl("run", "--trace", other, "--mode", "m", GUESTS["spin-rv64"],
           "--max-insns", "100", code=124)
    for files, side in (((trace, other), 0), ((other, trace), 1)):
        done = pmuctl("trace", "diff", "--symbols", GUEST["rv64"], *files,
                      code=1)
        sides = [l for l in done.text().splitlines()
                 if l.startswith(str(WORK))]
        same(["_start+0" in l for l in sides], [side == 0, side == 1], done)
    done = pmuctl("trace", "diff", "--symbols", GUEST["rv32"], trace, other,
                  code=2)
    holds(b"is not what ran" in done.err, done)
    same(done.out, b"")
    pmuctl("trace", "diff", "--symbols", GUEST["rv64"], trace, trace)


def test_a_file_without_names_is_noted():
    bare = stripped("rv64")
    trace = WORK / "stripped.trace"
    pmuctl("run", "--trace", trace, bare)
    done = pmuctl("trace", "show", "--symbols", bare, trace)
    holds(b"has no symbols" in done.err, done)
    holds(b"has no debug information" in done.err, done)
    same(pmuctl("-q", "trace", "show", "--symbols", bare, trace).err, b"")
    half = WORK / "no-lines.elf"
    tool("strip", "-g", "-o", half, GUEST["rv64"])
    done = pmuctl("trace", "show", "--force", "--symbols", half, trace)
    holds(b"has no symbols" not in done.err, done)
    holds(b"has no debug information" in done.err, done)
    # the names of a stripped file are those of the unstripped one
    pmuctl("trace", "show", "--symbols", GUEST["rv64"], trace, code=2)
    done = pmuctl("trace", "show", "--symbols", GUEST["rv64"], "--force",
                  trace)
    holds("sieve+" in done.text(), done)


def test_raw_bytes_have_no_names_to_compare():
    flat, trace = WORK / "flat.bin", WORK / "flat.trace"
    tool("objcopy", "-O", "binary", GUEST["rv64"], flat)
    pmuctl("run", "--flat", "0x80200000", "--trace", trace, flat)
    done = pmuctl("trace", "show", "--symbols", GUEST["rv64"], trace)
    holds(b"loaded as raw bytes" in done.err, done)
    holds("sieve+" in done.text(), done)


def pcs(shown):
    """Where records happened: of an overflow, the instruction itself."""
    return [int(r["overflow"]["lastPc"] if "overflow" in r else r["pc"])
            for r in shown]


def whats(shown):
    return [(r["cycle"], r["pc"]) for r in shown]


def test_records_are_found_by_function_line_and_address():
    for isa in bench.ISAS:
        named = ["trace", "show", "--symbols", GUEST[isa], traced(isa)]
        every = lines(*named)
        by_function, by_line = {}, {}
        for r in every:
            if "function" in r:
                by_function.setdefault(r["function"], []).append(r)
            if "line" in r:
                by_line.setdefault(f"{r['file']}:{r['line']}", []).append(r)
        holds(len(by_function) > 3 and len(by_line) > 10, by_line.keys())
        for option, found in (("--function", by_function),
                              ("--line", by_line)):
            for name, want in found.items():
                same(whats(lines(*named, option, name)), whats(want), name)
        some = list(by_line)[:2]
        want = [r for r in every
                if f"{r.get('file')}:{r.get('line')}" in some]
        same(whats(lines(*named, "--line", some[0], "--line", some[1])),
             whats(want))
        low, high = sorted(pcs(every))[len(every) // 3], max(pcs(every)) - 4
        want = [r for r, pc in zip(every, pcs(every)) if low <= pc <= high]
        holds(0 < len(want) < len(every), len(want))
        same(whats(lines(*named, "--range", f"{low}-{high:#x}")), whats(want))
        same(whats(lines(*named, "--first-record", "7", "-n", "5")),
             whats(every[7:12]))
        for words, said in ((["--function", "nobody"], "'nobody' is nowhere"),
                            (["--line", "overflow.c:99999"], "is nowhere in"),
                            (["--line", "sieve"], "is not FILE:LINE")):
            done = pmuctl(*named, *words, code=(2, 4))
            holds(said in done.err.decode(), done)
            same(done.out, b"")


# What --filter says, and what that is of a record as JSON.
EXPRESSIONS = (
    ("cause == 13", lambda r: r.get("trap", {}).get("cause") == 13),
    ("interrupt == 1", lambda r: r.get("trap", {}).get("interrupt", False)),
    ("cause != 13", lambda r: r.get("trap", {}).get("cause") != 13),
    ("event == instructions", lambda r: r.get("overflow", {}).get("event") ==
     "instructions"),
    ("event != instructions && counter >= 3", lambda r: "overflow" in r and
     r["overflow"]["event"] != "instructions"),
    ("call == PMU.counter_start", lambda r: "sbiCall" in r and
     (int(r["sbiCall"]["eid"]), int(r["sbiCall"]["fid"])) == (0x504d55, 3)),
    ("kind == sbi && error != success", lambda r: "sbiCall" in r and
     (int(r["sbiCall"]["error"]) != 0 or not r["sbiCall"]["returned"])),
    ("privilege == u || !(function != sieve)", lambda r:
     r["privilege"] == "PRIVILEGE_U" or r.get("function") == "sieve"),
)


def test_an_expression_chooses_among_all_kinds():
    for isa in bench.ISAS:
        named = ["trace", "show", "--symbols", GUEST[isa], traced(isa)]
        every = lines(*named)
        found = 0
        for text, chosen in EXPRESSIONS:
            want = [r for r in every if chosen(r)]
            same(lines(*named, "--filter", text), want, text)
            found += 0 < len(want) < len(every)
            same(lines(*named, "--filter", text, "-n", "2"), want[:2], text)
            kinds = pmuctl("-j", "trace", "summary", "--filter", text,
                           *named[2:]).json()["kinds"]
            same(sum(int(k["records"]) for k in kinds), len(want), kinds)
        holds(found > 4, found)
        folded = ["trace", "export", "--format", "folded", "--symbols",
                  GUEST[isa], traced(isa)]
        same({line.split(";")[0]
              for line in pmuctl(*folded, "--filter", "event == instructions")
              .text().splitlines()}, {"instructions"})
        holds(len({line.split(";")[0] for line in
                   pmuctl(*folded).text().splitlines()}) > 1)


ALL_KINDS = ["--record", "trap,sbi,process,csr"]


def test_accesses_to_csrs_are_recorded_if_asked_for():
    for isa in bench.ISAS:
        full, again = WORK / "full.trace", WORK / "again.trace"
        same(lines("trace", "show", "-k", "csr", traced(isa)), [])
        said = pmuctl("run", *ALL_KINDS, "--trace", full, GUEST[isa]).out
        for engine in ("portable", "check"):
            done = pmuctl("run", *ALL_KINDS, "--set", f"engine={engine}",
                          "--trace", again, GUEST[isa])
            same((done.out, again.read_bytes()), (said, full.read_bytes()))
        others = [r for r in lines("trace", "show", full)
                  if "csrAccess" not in r]
        same(others, lines("trace", "show", traced(isa)))
        # a run that was recorded without them is repeated with them
        pmuctl("run", *ALL_KINDS, "--replay", traced(isa), "--trace", again,
               GUEST[isa])
        same(again.read_bytes(), full.read_bytes())
        # the handler reads which counters overflowed, and arms them again
        shown = pmuctl("trace", "show", "-k", "csr", full).text()
        overflows = lines("trace", "show", "-k", "overflow", full)
        same(shown.count(" csr scountovf read 0x"), len(overflows))
        holds(" csr sie 0 -> 0x2000\n" in shown, shown)


def accesses(record):
    """Of a call: address, bytes and whether they were written; all whole."""
    found = []
    for a in record["sbiCall"]["memory"]:
        data = base64.b64decode(a["data"])
        same(len(data), int(a["length"]))
        found.append((int(a["address"]), data, a["written"]))
    same(record["sbiCall"]["moreAccesses"], "0")
    return found


def calls(path, name):
    return lines("trace", "show", "--filter", f"call == {name}", path)


def check_lists(path):
    """event_get_info reads a list, and writes whether each can be counted."""
    answers = set()
    for r in calls(path, "PMU.event_get_info"):
        args = [int(a) for a in r["sbiCall"]["args"]]
        found = accesses(r)
        if r["sbiCall"]["error"] != "0":
            continue
        same(found[0], (args[0], found[0][1], False))
        same(found[1], found[0])
        same(len(found[0][1]), 16 * args[2])
        same([(a, w) for a, _, w in found[2:]],
             [(args[0] + 16 * i + 4, True) for i in range(args[2])])
        for i, (_, output, _) in enumerate(found[2:]):
            event = int.from_bytes(found[0][1][16 * i:][:4], "little")
            answers.add((event, int.from_bytes(output, "little")))
    # cycles and instructions are; no node has a way to count what is none
    holds({(1, 1), (2, 1), (0, 0)} <= answers, answers)


def check_snapshots(path):
    """What counter_stop has written is what counter_start finds."""
    written = {}
    starts = 0
    for r in lines("trace", "show", "-k", "sbi", path):
        for address, data, is_written in accesses(r):
            if int(r["sbiCall"]["fid"]) == 4 and is_written:
                written[address] = data
            if int(r["sbiCall"]["fid"]) == 3 and not is_written:
                starts += written.get(address) == data
    holds(starts, "no value of a snapshot is taken up again")


def test_calls_say_which_memory_was_accessed_for_them():
    for isa in bench.ISAS:
        guest = GUESTS[f"conformance-{isa}"]
        path, plain = WORK / f"memory-{isa}.trace", WORK / "plain.trace"
        said = pmuctl("run", "--record", "sbi-memory", "--trace", path, guest)
        same(said.out, pmuctl("run", "--record", "sbi", "--trace", plain,
                              guest).out)
        printed = [accesses(r) for r in calls(path, "DBCN.console_write")]
        same(b"".join(data for ((_, data, _),) in printed), said.out)
        check_lists(path)
        check_snapshots(path)
        # nothing else is another
        have = lines("trace", "show", path)
        for r in have:
            if "sbiCall" in r:
                r["sbiCall"]["memory"] = []
        same(have, lines("trace", "show", plain))
        # in a line, too
        shown = pmuctl("trace", "show", "-n", "1", "--filter",
                       "memory_written > 0", path).text()
        holds(re.search(r"; wrote 8 bytes at 0x80[0-9a-f]{6}: [0-9a-f]{16}",
                        shown), shown)
        again = WORK / "again.trace"
        pmuctl("run", "--record", "sbi-memory", "--replay", path, "--trace",
               again, guest)
        holds(path.read_bytes() == again.read_bytes(), "another trace")


def test_what_is_left_out_is_told_by_its_length():
    for isa in bench.ISAS:
        path = WORK / f"long-{isa}.trace"
        pmuctl("run", "--record", "sbi-memory", "--trace", path,
               GUESTS[f"sbi-memory-{isa}"])
        text = calls(path, "DBCN.console_write")[1]["sbiCall"]["memory"]
        same([(a["length"], len(base64.b64decode(a["data"]))) for a in text],
             [("5000", 4096)])
        long = calls(path, "PMU.event_get_info")[1]["sbiCall"]
        same(len(long["memory"]), 256)
        # a list of 300: all of it, a part of 64, its answers, and so on
        same((long["moreAccesses"], long["moreRead"], long["moreWritten"]),
             ("50", "704", "196"))
        shown = lines("trace", "show", "--filter",
                      "memory_read == 9600 && memory_written == 1200", path)
        same([r["sbiCall"] for r in shown], [long])


def test_a_machine_is_asked_as_its_file():
    with daemon() as d:
        m = d.create("overflow-rv64", "--record", "all")
        d.pmuctl("machine", "start", m)
        d.pmuctl("machine", "wait", m)
        path = WORK / "asked.trace"
        d.pmuctl("trace", "save", "-m", m, path)
        for words in (["--function", "sieve"], ["--first-record", "20"],
                      ["--hart", "0", "-k", "overflow"],
                      ["--function", "chase", "--function", "matrix", "-n",
                       "3"],
                      ["--filter", "cause >= 0 || error != SUCCESS", "-n", "9"],
                      ["--filter", "hart == 1"],
                      ["--filter", "counter == 3 && hart < 1", "-k",
                       "overflow,trap", "--first-record", "20"]):
            words += ["--symbols", GUEST["rv64"]]
            asked = d.pmuctl("-j", "trace", "show", "-m", m, *words).out
            same(asked, d.pmuctl("-j", "trace", "show", *words, path).out)
            holds(asked or "hart == 1" in words, words)
        for words in (["--filter", "event == instructions"],
                      ["--filter", "kind == sbi && hart == 0", "-k", "sbi"]):
            shown = d.pmuctl("-j", "trace", "show", "-m", m, *words).out
            holds(shown, words)
            same(d.pmuctl("-j", "trace", "follow", "-m", m, "--from-start",
                          *words).out, shown)


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
