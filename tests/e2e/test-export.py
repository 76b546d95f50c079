#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""pmuctl trace export: what its readers make of each format.

What they say is compared with the trace's own records, which `trace show`
prints. A made trace has what no guest of ours does: several harts and address
spaces at once, and names that formats cannot bear.
"""
import collections
import json
import re
import sys

import bench
from bench import GUESTS, WORK, holds, pmuctl, same

GUEST = GUESTS["overflow-rv64"]
UNKNOWN = "[unknown]"
S, U = 2, 1
PAGE_TABLE = 8 << 60  # satp.MODE: Sv39


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


def field(number, value):
    """One field of a message, as protobuf has it."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def overflow(cycle, pc, event=b"cycles", hart=0, mode=S, satp=0):
    inner = field(1, 3) + field(4, event) + field(7, pc)
    return field(2, field(1, cycle) + field(2, cycle) + field(3, hart) +
                 field(4, mode) + field(5, pc + 4) + field(6, inner) +
                 field(20, satp))


HEADER = field(1, field(1, 1) + field(4, 500_000_000) + field(5, 10_000_000) +
               field(6, 64))
HOSTILE = b'a;b"c\\d<e>&\x01\xff \xc3\xa9\n'
SPACES = [PAGE_TABLE | 0x80100, PAGE_TABLE | 7 << 44 | 0x80200]


def made_records():
    """Four thousand samples of two harts, users and a kernel."""
    for i in range(4000):
        mode = U if i % 4 else S
        yield overflow(100 * i, 0x10000 + 4 * (i % 50),
                       [b"cycles", b"L1-dcache-load-misses", HOSTILE, b""]
                       [i % 7 % 4], i % 2, mode,
                       SPACES[i // 1000 % 2] if mode == U else 0)


def write(name, *parts):
    path = WORK / name
    path.write_bytes(HEADER + b"".join(parts))
    return path


def made():
    path = WORK / "made.trace"
    return path if path.exists() else write("made.trace", *made_records())


def traced():
    path = WORK / "real.trace"
    if not path.exists():
        pmuctl("run", "--trace", path, GUEST)
    return path


def shown(trace, *args):
    """Overflows as `trace show` has them."""
    done = pmuctl("-j", "trace", "show", "-k", "overflow", *args, trace)
    return [json.loads(l) for l in done.out.splitlines()]


def name_of(r):
    return r.get("function", UNKNOWN)


def event_of(r):
    """`trace show` leaves out what is no UTF-8: the hostile one."""
    return r["overflow"].get("event", "hostile") or UNKNOWN


def space_of(r):
    """As exports name it: the mode, and of users the address space."""
    mode = r["privilege"].rpartition("_")[2]
    satp = int(r["satp"]) & ~(0xffff << 44)
    return f"{mode} satp {satp:#x}" if satp and mode == "U" else mode


def counted(rows, *keys):
    return collections.Counter(tuple(k(r) for k in keys) for r in rows)


def export(form, trace, *args, **more):
    return pmuctl("trace", "export", "--format", form, *args, trace, **more)


def both():
    """The two traces and what is said of each."""
    yield traced(), ["--symbols", GUEST]
    yield made(), []


def folded_name(text):
    """Of what a line of folded stacks cannot bear, a '?'."""
    return re.sub(r"[\x00-\x1f\x7f;]", "?", text)


def plain(event):
    """An event as a format made it, the hostile one as `event_of` has it."""
    return "hostile" if re.match("a.b", event) else event


def test_folded_stacks_count_what_the_trace_has():
    for trace, args in both():
        found = collections.Counter()
        for line in export("folded", trace, *args).out.splitlines():
            stack, _, n = line.decode("latin-1").rpartition(" ")
            event, space, function = stack.split(";")
            found[plain(event), space, function] += int(n)
        same(found, counted(shown(trace, *args),
                            event_of, space_of,
                            lambda r: folded_name(name_of(r))))


def test_lines_of_json_say_each_sample():
    for trace, args in both():
        rows = [json.loads(l) for l in
                export("json", trace, *args).out.decode().splitlines()]
        want = shown(trace, *args)
        hz = 10**9 if args else 5 * 10**8
        same(len(rows), len(want))
        for got, r in zip(rows, want):
            o = r["overflow"]
            same((got["counter"], got["hart"], got["cycle"], got["insn"],
                  int(got["pc"], 16), int(got["nextPc"], 16)),
                 (o["counter"], r["hart"], r["cycle"], r["insn"],
                  int(o["lastPc"]), int(r["pc"])))
            same(plain(got["event"]), event_of(r))
            same((got["function"], got.get("offset"), got.get("line")),
                 (name_of(r), int(r["offset"]) if "offset" in r else None,
                  r.get("line")))
            same(int(got["ns"]), int(r["cycle"]) * 10**9 // hz)
            same((got["mode"], int(got.get("satp", "0"), 16), got["raised"]),
                 (r["privilege"][-1], int(r["satp"]), o["raised"]))
            holds("file" not in r or got["file"].endswith("/" + r["file"]),
                  got)


def test_a_part_of_a_trace_can_be_exported():
    cycles = [int(r["cycle"]) for r in shown(traced())]
    for args, want in (
            (["--first-cycle", cycles[3], "--last-cycle", cycles[7]],
             cycles[3:8]),
            (["-n", 4], cycles[:4]),
            (["--counter", 4], [int(r["cycle"]) for r in shown(traced())
                                if r["overflow"]["counter"] == 4])):
        rows = export("json", traced(), *args).out.splitlines()
        same([int(json.loads(r)["cycle"]) for r in rows], want)


def formats():
    return pmuctl("completion", "words", "--", "trace", "export", "--format",
                  "").text().split()


def test_help_and_papers_name_every_format():
    page = (bench.pathlib.Path(bench.SOURCE, "docs/EXPORTS.md").read_text())
    text = " ".join(pmuctl("trace", "export", "--help").text().split())
    listed = re.search(r"What to write: ([\w, ]+?) -", text)[1]
    same(re.split(r", | or ", listed), formats())
    same(re.findall(r"^## (\w+):", page, re.M), formats())


def test_what_cannot_be_exported_is_said_and_nothing_is_written():
    out = WORK / "whole"
    record = overflow(1, 4)
    cut = write("cut.trace", record, record[:-1])
    bad = write("bad.trace", record, field(2, b"\xff"))
    for form in formats():
        out.write_text("as it was")
        for trace in (cut, bad):
            done = export(form, trace, "-o", out, code=1)
            holds(str(trace) in done.err.decode(), done)
            holds("at byte" in done.err.decode(), done)
            same(out.read_text(), "as it was")
        export(form, WORK / "nosuch.trace", "-o", out, code=4)
        export(form, GUEST, "-o", out, code=1)
        done = export(form, cut, "-o", cut, code=2)
        holds(b"--output" in done.err, done)
    done = export("nosuch", traced(), code=2)
    holds(b"'nosuch' is none of folded, json" in done.err, done)
    done = pmuctl("trace", "export", traced(), code=2)
    holds(b"--format is needed" in done.err, done)


def test_an_empty_trace_has_no_samples():
    same(export("folded", write("empty.trace")).out, b"")
    same(export("json", write("empty.trace")).out, b"")


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
