#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Names where addresses go, and where a machine stands once it stops."""
import itertools
import json
import re
import struct
import sys

import bench
from bench import ISAS, holds, same

KERNEL = 0x80200000  # where the flat one lies
HEADS = 8  # of lists in it


def paused(d, isa, *args):
    """A machine that stands before its first instruction."""
    name = d.create(f"overflow-{isa}", *bench.isa_options(isa, *args))
    d.pmuctl("machine", "start", "--paused", name)
    return name


def place(done):
    """The line about the hart."""
    return next(l for l in done.text().splitlines() if l.startswith("hart"))


def pc_of(line):
    return int(re.match(r"hart 0 \S+ (0x[0-9a-f]+)", line)[1], 16)


def test_a_breakpoint_has_a_name():
    with bench.daemon() as d:
        for isa in ISAS:
            m = paused(d, isa)
            d.pmuctl("machine", "break", m, "sieve")
            d.pmuctl("machine", "resume", m)
            line = place(d.pmuctl("machine", "wait", m))
            holds(re.match(r"hart 0 [SU] 0x\w+ sieve\+0x0 work\.c:\d+: \S",
                           line), line)
            words = d.pmuctl("mem", "read", "-m", m, "--virtual", "sieve",
                             "4").text().split()
            same(int(words[0], 16), pc_of(line), words)


def test_until_takes_a_name_and_an_offset():
    with bench.daemon() as d:
        for isa in ISAS:
            m = paused(d, isa)
            start = pc_of(place(d.pmuctl("machine", "until", m, "--pc",
                                         "sieve")))
            line = place(d.pmuctl("machine", "step", m))
            offset = pc_of(line) - start
            holds(f" sieve+{offset:#x} " in line, line)
            again = paused(d, isa)
            line = place(d.pmuctl("machine", "until", again, "--pc",
                                  f"sieve+{offset:#x}"))
            same(pc_of(line), start + offset, line)


def test_what_stands_still_says_where_and_what_runs_does_not():
    with bench.daemon() as d:
        m = paused(d, "rv64")
        for line in (place(d.pmuctl("machine", "show", m)),
                     place(d.pmuctl("machine", "step", m)),
                     place(d.pmuctl("machine", "step", "-c", "9", m))):
            holds(line.startswith("hart 0 S 0x"), line)
            holds("start.S:" in line, line)
        m = paused(d, "rv64")
        holds("hart 0" not in d.pmuctl("-j", "machine", "show", m).text())
        holds("hart 0" not in d.pmuctl("machine", "resume", m).text())


def test_a_name_that_nobody_has_is_not_found():
    with bench.daemon() as d:
        m = paused(d, "rv64")
        for args in (["machine", "break", m, "nosuch"],
                     ["machine", "until", m, "--pc", "nosuch+4"],
                     ["mem", "read", "-m", m, "nosuch", "4"],
                     ["mem", "write", "-m", m, "nosuch", "00"]):
            done = d.pmuctl(*args, code=4)
            holds("symbol 'nosuch'" in done.err.decode(), done)
        for word in ("12x", "main+", "main+x", "+4", ""):
            done = d.pmuctl("machine", "break", m, word, code=2)
            holds("is not a number, NAME or NAME+OFFSET" in done.err.decode(), done)


def test_symbols_may_be_given_to_any_machine():
    with bench.daemon() as d:
        elf = bench.GUESTS["overflow-rv64"]
        flat = bench.WORK / "flat"
        flat.write_bytes(bytes.fromhex("6f000000"))  # j .
        m = d.pmuctl("machine", "create").text().strip()
        d.pmuctl("machine", "load", "--flat", "0x80200000", m, flat)
        d.pmuctl("machine", "start", m)
        done = d.pmuctl("machine", "break", m, "sieve", code=4)
        holds("no ELF file" in done.err.decode(), done)
        d.pmuctl("machine", "symbols", m, elf)
        d.pmuctl("machine", "break", m, "sieve")
        d.pmuctl("machine", "pause", m)
        holds(" _start+0x0 start.S:" in place(d.pmuctl("machine", "show", m)))
        done = d.pmuctl("machine", "symbols", m, flat, code=2)
        holds("symbols: neither an ELF file" in done.err.decode(), done)


def test_records_are_chosen_by_a_machines_own_names():
    def shown(*args):
        done = d.pmuctl("-j", "trace", "show", "-m", m, "--kind", "overflow",
                        *args)
        return [json.loads(line) for line in done.out.splitlines()]

    def cycles(*args):
        return [r["cycle"] for r in shown(*args)]

    with bench.daemon() as d:
        for isa in ISAS:
            elf = bench.GUESTS[f"overflow-{isa}"]
            m = d.create(f"overflow-{isa}", *bench.isa_options(isa))
            d.pmuctl("machine", "start", m)
            d.pmuctl("machine", "wait", m)
            first = next(r for r in shown("--symbols", elf)
                         if r["function"] == "sieve")
            line = f"{first['file']}:{first['line']}"
            for of in (["--function", "sieve"], ["--line", line],
                       ["--line", line, "--function", "chase"]):
                same(cycles(*of), cycles("--symbols", elf, *of), of)
                holds(0 < len(cycles(*of)) < len(cycles()), of)
            done = d.pmuctl("trace", "show", "-m", m, "--line", "work.c:9999",
                            code=4)
            holds("has code of 'work.c:9999'" in done.err.decode(), done)


def tables(names, newer):
    """Tables of kallsyms as Linux 6.12 has them, or 7.0 up to the addresses."""
    tokens, starts = b"", []
    for c in range(256):
        starts.append(len(tokens))
        tokens += (bytes([c]) if 32 < c < 127 else b"") + b"\0"
    compressed = b"".join(bytes([len(n)]) + n.encode() for _, n in names)
    return [(table, 4 if newer else 8) for table in (
        struct.pack("<I", len(names)), compressed, struct.pack("<I", 0),
        tokens, struct.pack("<256H", *starts))]


def kernel(newer=False):
    """A flat guest that loops, with tables as Linux has them."""
    names = [(0, "T_start"), (0, "T_text"), (4, "tloop"), (8, "Trest"),
             (0x1000, "Ddata"), (0x2000, "B_end")]
    image = bytearray.fromhex(
        "13000000" "6f000000" "13000000" "00000000")  # nop; j .; nop
    for _ in range(HEADS):  # of empty lists, which point to themselves
        image += 2 * struct.pack("<Q", KERNEL + len(image))
    for table, to in tables(names, newer):
        image += bytes(-len(image) % to) + table
    if newer:
        image += bytes(-len(image) % 4)
        for at, _ in names:
            image += struct.pack("<i", at - len(image))
    else:
        image += bytes(-len(image) % 8) + b"".join(
            struct.pack("<I", at) for at, _ in names)
        image += bytes(-len(image) % 8) + struct.pack("<Q", KERNEL)
    return bytes(image), names


def loops(d, image):
    """A machine that runs a flat image, held at its second instruction."""
    path = bench.WORK / "flat-kernel"
    path.write_bytes(image)
    m = d.pmuctl("machine", "create", "--record", "all").text().strip()
    d.pmuctl("machine", "load", "--flat", hex(KERNEL), m, path)
    d.pmuctl("machine", "start", m, "--paused")
    d.pmuctl("machine", "step", m)
    return m


def says_its_own_names(newer):
    image, names = kernel(newer)
    want = [f"{KERNEL + at:016x} {n[0]} {n[1:]}" for at, n in names]
    with bench.daemon() as d:
        m = loops(d, image)
        d.pmuctl("machine", "break", m, "loop", code=4)
        holds("loop" not in place(d.pmuctl("machine", "show", m)))
        same(d.pmuctl("machine", "kallsyms", m).text().splitlines(), want)
        holds(" loop+0x0" in place(d.pmuctl("machine", "show", m)))
        d.pmuctl("machine", "break", m, "loop")
        path = bench.WORK / "System.map"
        d.pmuctl("machine", "kallsyms", m, "-o", path)
        same(path.read_text().splitlines(), want)
        shown = d.pmuctl("trace", "show", "-m", m, "--symbols", "kallsyms")
        holds(" _start+0 " in shown.text(), shown)
        by_file = d.pmuctl("trace", "show", "-m", m, "--symbols", path)
        same(by_file.out, shown.out)
        holds("is a list of symbols" in by_file.err.decode(), by_file)
        other = loops(d, image)
        d.pmuctl("machine", "symbols", other, path)
        holds(" loop+0x0" in place(d.pmuctl("machine", "show", other)))


def test_a_kernel_says_its_own_names():
    says_its_own_names(newer=False)


def test_a_kernel_from_7_0_on_says_its_own_names():
    says_its_own_names(newer=True)


def test_who_is_no_kernel_has_no_names():
    image, newer = kernel()[0], bytearray(kernel(newer=True)[0])
    newer[16:16 + 16 * HEADS] = bytes(16 * HEADS)
    with bench.daemon() as d:
        for spoilt, why in (
                (image[:12], "no Linux kernel's table of symbols"),
                (image[:-8], "neither as Linux 6.12 nor as Linux 7.0"),
                (bytes(newer), "nothing there tells at which address")):
            m = loops(d, spoilt)
            done = d.pmuctl("machine", "kallsyms", m, code=4)
            holds(why in done.err.decode(), done)
            d.pmuctl("trace", "show", "-m", m, "--symbols", "kallsyms", code=4)
        path = bench.WORK / "of-a-file"
        bench.pmuctl("run", "-q", "--trace", path,
                     bench.GUESTS["overflow-rv64"])
        done = bench.pmuctl("trace", "show", path, "--symbols", "kallsyms",
                            code=2)
        holds("a guest's memory has them" in done.err.decode(), done)


def test_a_users_program_has_names_in_its_address_space():
    elf, path = bench.GUESTS["hyp-paging-rv64"], bench.WORK / "users"
    bench.pmuctl("run", "-q", "--mode", "m", "--set", "h=on", "--trace", path,
                 elf)
    (space,) = bench.pmuctl("-j", "trace", "summary", path).json()["spaces"]
    satp, n = int(space["satp"], 16), int(space["records"])

    def named(*options):
        done = bench.pmuctl("-j", "trace", "show", path, *options)
        records = [json.loads(line) for line in done.out.splitlines()]
        return [r for r in records if "function" in r]
    # VU's code lies elsewhere than it was linked for, U's does not
    place = f"{satp:#x}:{0xc0004000 - 0x80002000:#x}"
    plain = named("--user-symbols", elf)
    holds(len(plain) > 1, plain)
    same({(r["privilege"], r["satp"]) for r in plain}, {("PRIVILEGE_U", "0")})
    same(named("--user-symbols", f"{elf}@0"), plain)
    there = named("--user-symbols", f"{elf}@{place}")
    same(len(there), n)
    same({(r["privilege"], int(r["satp"]), r["function"]) for r in there},
         {("PRIVILEGE_VU", satp, "in_vu")})
    both = named("--user-symbols", f"{elf}@{place}", "--user-symbols", elf)
    same(both, there + plain)
    same(named("--user-symbols", f"{elf}@{satp + 1:#x}"), [])
    holds(len(named("--symbols", elf)) > n)
    summary = bench.pmuctl("trace", "summary", path, "--user-symbols", elf)
    holds(f"{satp:#x}" in summary.text(), summary)


def names_of_all(name):
    """A list in which all code of a guest is one function."""
    path = bench.WORK / f"{name}.map"
    path.write_text(f"0000000080000000 T {name}\n")
    return path


def test_a_hypervisors_names_are_not_its_guests():
    path, sampled = bench.WORK / "virtual", bench.WORK / "virtual-samples"
    elf = bench.GUESTS["hyp-counts-rv64"]
    run = ["--mode", "m", "--set", "h=on", elf]
    bench.pmuctl("run", "-q", "--record", "all", "--trace", path, *run)
    bench.pmuctl("record", "-e", "cycles", "-c", "100", "-o", sampled, "--",
                 "run", "-q", *run)
    outer = ["--symbols", names_of_all("outer")]
    inner = ["--guest-symbols", names_of_all("inner")]

    def functions(*options):
        """The names of each mode."""
        done = bench.pmuctl("-j", "trace", "show", path, *options)
        found = {}
        for line in done.out.splitlines():
            record = json.loads(line)
            if int(record["pc"]) >= 0x80000000:
                found.setdefault(record["privilege"][10:], set()).add(
                    record.get("function"))
        return found

    own = {"M", "S", "U"}
    by_outer, by_inner = functions(*outer), functions(*inner)
    same(set(by_outer), own | {"VS", "VU"})
    for mode in by_outer:
        same(by_outer[mode], {"outer"} if mode in own else {None}, mode)
        same(by_inner[mode], {None} if mode in own else {"inner"}, mode)
    both = functions(*outer, *inner)
    same(functions(*outer, *inner, "--range", "0-0xffffffff"), both)
    outer_elf, inner_elf = ["--symbols", elf], ["--guest-symbols", elf]
    choice = ["--function", "in_vs"]
    same(functions(*outer_elf, *choice), {})
    same(functions(*inner_elf, *choice), {"VS": {"in_vs"}})
    same(functions(*outer_elf, *inner_elf, *choice), {"VS": {"in_vs"}})
    done = bench.pmuctl("trace", "show", path, *outer, *inner_elf,
                        "--function", "none", code=4)
    holds(f"outer.map or {elf}" in done.err.decode(), done)
    for options, want in ((outer, {"outer", "0x"}), (inner, {"inner", "0x"}),
                          (outer + inner, {"outer", "inner"})):
        rows = bench.pmuctl("-j", "report", *options, sampled).json()[
            "functions"]
        # what has no name stands by its address
        same({re.sub("^0x.*", "0x", row["function"]) for row in rows}, want)


def test_what_comes_next_is_named_by_the_mode_that_it_is_in():
    sampled = bench.WORK / "each-cycle"
    bench.pmuctl("record", "-e", "cycles", "-c", "1", "-o", sampled, "--",
                 "run", "-q", "--mode", "m", "--set", "h=on",
                 bench.GUESTS["hyp-counts-rv64"])
    done = bench.pmuctl("-j", "trace", "show", "-k", "sample", "--symbols",
                        names_of_all("outer"), "--guest-symbols",
                        names_of_all("inner"), sampled)
    records = [json.loads(line) for line in done.out.splitlines()]
    crossed = set()
    for one, then in itertools.pairwise(records):
        if one["pc"] != then["sample"]["lastPc"]:
            continue  # an interrupt was between
        name = one.get("next", one).get("function")
        same(name, then.get("function"), (one, then))
        crossed.add((one["function"], name))
    same(crossed, {(a, b) for a in ("outer", "inner")
                   for b in ("outer", "inner")})


def test_names_of_a_guest_that_no_file_has_are_missed_once():
    path = bench.WORK / "missed"
    bench.pmuctl("run", "-q", "--record", "all", "--trace", path, "--mode",
                 "m", "--set", "h=on", bench.GUESTS["hyp-counts-rv64"])
    outer = ["--symbols", names_of_all("outer")]
    for options, want in ((outer, 1), ([], 0), ([
            *outer, "--guest-symbols", names_of_all("inner")], 0)):
        done = bench.pmuctl("trace", "show", *options, path)
        same(done.err.decode().count("--guest-symbols=FILE"), want, done)


def test_a_stop_of_a_guest_has_the_name_of_its_code_alone():
    with bench.daemon() as d:
        m = d.create("hyp-counts-rv64", "--mode", "m", "--set", "h=on")
        d.pmuctl("machine", "symbols", m, names_of_all("outer"))
        d.pmuctl("machine", "start", m, "--paused")
        line = place(d.pmuctl("machine", "until", m, "--pc", "in_vs"))
        holds(re.match(r"hart 0 VS 0x\w+ in_vs\+0x0 ", line), line)
        # a guest's other code at the address, of which the list knows as well
        d.pmuctl("mem", "write", "-m", m, "in_vs", "13000000")
        line = place(d.pmuctl("machine", "show", m))
        holds(re.match(r"hart 0 VS 0x\w+: nop", line), line)


def test_what_a_kernel_is_asked_changes_nothing_that_is_recorded():
    image, _ = kernel()

    def recorded(ask):
        with bench.daemon() as d:
            m = loops(d, image)
            if ask:
                d.pmuctl("machine", "kallsyms", m)
            d.pmuctl("machine", "until", m, "--insn", "1000")
            return d.pmuctl("-j", "trace", "show", "-m", m).out
    same(recorded(True), recorded(False))


def test_what_is_asked_changes_nothing_that_is_recorded():
    def run(asks):
        with bench.daemon() as d:
            m = paused(d, "rv64")
            d.pmuctl("machine", "until", m, "--insn", "20000")
            for args in asks:
                d.pmuctl(*args, m)
            d.pmuctl("machine", "resume", m)
            d.pmuctl("machine", "wait", m)
            path = bench.WORK / "asked.trace"
            d.pmuctl("trace", "save", "-m", m, path)
            return path.read_bytes()
    holds(run([]) == run([["machine", "show"]] * 3))


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
