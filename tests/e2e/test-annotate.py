#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""pmuctl annotate: what each instruction has, of loops that are known."""
import json
import os
import re
import subprocess
import sys

import bench
from bench import GUESTS, WORK, environment, holds, pmuctl, same

GUEST = "overflow-rv64"
ELF = GUESTS[GUEST]


def record(name, *args):
    path = WORK / name
    pmuctl("record", *args, "-o", path, "--", "run", ELF)
    return path


def functions(path, *args):
    done = pmuctl("-j", "annotate", "--symbols", ELF, *args, path)
    return done.json()["functions"]


def count(event):
    done = pmuctl("-j", "stat", "-e", event, "--", "run", ELF)
    return int(json.loads(done.err.decode().splitlines()[0])["count"])


def sampled(found):
    return [i for f in found for i in f["instructions"]
            if int(i["samples"])]


def test_each_event_is_on_instructions_that_make_it():
    for event, text in (("loads", r"amo|f?l[bhwdr]"), ("stores", r"amo|f?s[bhwdc]"),
                        ("branches", r"b|j|ret|call|tail")):
        found = functions(record(f"{event}.trace", "-e", event, "-c", 1))
        same(sum(int(f["samples"]) for f in found), count(event), event)
        for one in sampled(found):
            holds(re.match(text, one["text"] or "-"), (event, one))


def test_a_loop_has_its_rounds():
    found = functions(record("insns.trace", "-e", "instructions", "-c", 1),
                      "--function", "sieve")
    same([f["function"] for f in found], ["sieve"])
    insns = found[0]["instructions"]
    clear = next(n for n, i in enumerate(insns)
                 if i["text"].startswith("sd zero"))
    loop = [int(i["samples"]) for i in insns[clear:clear + 3]]
    holds(insns[clear + 2]["text"].startswith("bne"), insns[clear + 2])
    calls = int(insns[clear - 1]["samples"])
    begin, end = (int(re.search(r"# (\w+)", i["text"])[1], 16)
                  for i in insns[:clear] if "#" in i["text"])
    holds(calls >= 1, calls)
    same(loop, [calls * (end - begin) // 8] * 3, "eight bytes in each round")
    same(sum(int(i["samples"]) for i in insns), int(found[0]["samples"]))
    total = sum(i["percent"] for i in insns)
    holds(abs(total - 100) < 0.01 * len(insns), total)


def test_functions_are_those_of_the_report():
    path = record("both.trace", "-e", "cycles,branches", "-c", "1k")
    rows = pmuctl("-j", "report", "--symbols", ELF, path).json()["functions"]
    found = functions(path)
    same([(f["event"], f["function"], f["samples"], f["percent"])
          for f in found],
         [(r["event"], r["function"], r["samples"], r["percent"])
          for r in rows])
    one = functions(path, "--filter", "event == cycles && function == chase")
    same([(f["event"], f["function"], f["percent"]) for f in one],
         [("cycles", "chase", 100.0)])
    for f in found:
        where = [int(i["address"], 16) for i in f["instructions"]]
        same(where, sorted(set(where)))


def test_text_has_lines_and_is_the_same_twice():
    path = record("text.trace", "-e", "cycles", "-c", "1k")
    args = ["annotate", "--symbols", ELF, "--function", "chase", path]
    text = pmuctl(*args).text()
    same(pmuctl(*args).text(), text)
    lines = text.splitlines()
    holds(re.match(r"cycles: chase, \d+ of \d+ samples \(\d+\.\d\d%\), ",
                   lines[0]), lines[0])
    same(lines[1].split(), ["PERCENT", "SAMPLES", "ADDRESS", "INSTRUCTION"])
    holds(any(re.match(r" +work\.c:\d+", line) for line in lines), text)
    holds(any(re.match(r" +\d+\.\d\d +\d+  0x\w+ +\w+ ", line)
              for line in lines), text)


def test_source_is_shown_where_it_is():
    path = record("source.trace", "-e", "cycles", "-c", "1k")
    insns = functions(path, "--function", "chase")[0]["instructions"]
    name, line = next((i["source"], i["line"]) for i in insns if "line" in i)
    text = f"what stands in line {line}"
    place = (WORK / "at" / name) if not os.path.isabs(name) else None
    if place is None:
        with open(name, encoding="utf-8") as source:
            text = source.read().splitlines()[line - 1].strip()
    else:
        folder = WORK / "at" / "deep" / "deeper"
        folder.mkdir(parents=True)
        place = (folder / name).resolve()
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("\n" * (line - 1) + f"\t{text}\r\n")
        os.chdir(folder)
    done = pmuctl("annotate", "--symbols", ELF, "--function", "chase", path)
    holds(f"work.c:{line}: {text}\n" in done.text(), done.text()[:2000])


# of the guest, which is C: what a file of C++ would have for them
MANGLED = {"sieve": "_ZN5prime5sieveEjPh", "chase": "_ZN5prime5sieveEi",
           "matrix": "_ZnwmSt11align_val_t"}


def mangled():
    elf = WORK / "mangled.elf"
    subprocess.run(["riscv64-unknown-elf-objcopy", *(
        f"--redefine-sym={name}={new}" for name, new in MANGLED.items()),
        ELF, elf], check=True)
    return elf


def test_a_name_is_taken_as_it_is_printed_and_as_the_file_has_it():
    elf, path = mangled(), WORK / "mangled.trace"
    pmuctl("record", "-e", "cycles", "-c", "1k", "-o", path, "--", "run", elf)

    def addresses(*args):
        done = pmuctl("-j", "annotate", "--symbols", elf, *args, path)
        return {i["address"] for f in done.json()["functions"]
                for i in sampled([f])}

    def shown(*args):  # behind a return from a trap the pc is another's
        done = pmuctl("-j", "trace", "show", "--symbols", elf, *args, path)
        return {json.loads(line)["insn"] for line in done.out.splitlines()}

    printed = {r["function"] for r in pmuctl(
        "-j", "report", "--symbols", elf, path).json()["functions"]}
    holds({"prime::sieve", "operator new"} <= printed, printed)
    for name, files in (("prime::sieve", ("sieve", "chase")),
                        ("operator new", ("matrix",)),
                        ("operator_new", ("matrix",))):
        files = [MANGLED[f] for f in files]
        for given in (addresses, shown):
            each = [given("--function", f) for f in files]
            holds(all(each), (name, given))
            same(given("--function", name), set().union(*each), name)
        each = [shown("--filter", f"function == {f}") for f in files]
        same(each, [shown("--function", f) for f in files])
        same(shown("--filter", f'function == "{name}"'), set().union(*each))
        same(shown("--filter", f'function != "{name}"') &
             set().union(*each), set())
    text = pmuctl("annotate", "--symbols", elf, "--function",
                  MANGLED["matrix"], path).text()
    holds(text.startswith("cycles: operator new, "), text[:80])
    found = pmuctl("-j", "annotate", "--symbols", elf, path).json()
    same({f["function"] for f in found["functions"]}, printed)


def test_a_point_of_a_run_is_a_name_as_it_is_printed():
    elf = mangled()

    def reached(at, code=0):
        done = pmuctl("-j", "run", "--explain", "0:3", "--at", at, elf,
                      code=code)
        return done.err.decode() if code else [
            int(n) for n in re.findall(r'"cycle": "(\d+)"',
                                       done.err.decode())]

    same(reached("operator new"), reached(MANGLED["matrix"]))
    same(reached("operator new+2"), reached(MANGLED["matrix"] + "+2"))
    holds(reached("operator new") != reached("operator new+2"))
    said = reached("prime::sieve", code=2)
    holds("--at: 'prime::sieve' may be any of" in said, said)
    for name in (MANGLED["sieve"], MANGLED["chase"]):
        holds(name in said, said)
    said = reached("prime::none", code=4)
    holds("has no symbol 'prime::none'" in said, said)


def test_an_address_of_a_machine_is_a_name_as_it_is_printed():
    elf = mangled()
    with bench.daemon() as d:
        m = d.pmuctl("machine", "create").text().strip()
        d.pmuctl("machine", "load", m, elf)
        d.pmuctl("machine", "start", "--paused", m)

        def read(name, code=0):
            return d.pmuctl("mem", "read", "-m", m, name, "16", code=code)

        for name in ("operator new", "operator_new"):
            same(read(name).out, read(MANGLED["matrix"]).out)
        same(read("operator new+4").out, read(MANGLED["matrix"] + "+4").out)
        for name in ("sieve", "chase"):
            holds(MANGLED[name] in
                  read("prime::sieve", 2).err.decode(), name)
        holds("has the symbol 'prime::none'" in
              read("prime::none", 4).err.decode())
        d.pmuctl("machine", "until", m, "--pc", "operator new")
        holds(" operator new+0x0 " in d.pmuctl("machine", "show", m).text())


def test_what_cannot_be_annotated_is_named():
    path = record("few.trace", "-e", "cycles", "-c", "100k")
    for args, code, message in (
            ([path], 2, "needs --symbols"),
            (["--symbols", ELF, "--function", "nothing", path], 4,
             "no sample is in 'nothing'"),
            (["--symbols", WORK / "none.elf", path], 4, "none.elf"),
            (["--symbols", GUESTS["overflow-rv32"], path], 2,
             "is not what ran"),
            (["--symbols", ELF, WORK / "none.trace"], 4, "none.trace")):
        done = pmuctl("annotate", *args, code=code)
        holds(message in done.err.decode(), done)
    done = pmuctl("annotate", "--symbols", ELF, path, code=1,
                  env=environment(PATH=str(WORK)))
    holds("no objdump for RISC-V" in done.err.decode(), done)


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
