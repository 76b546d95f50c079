#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""A CSR's number and an instruction's word are typed once, as specified.

The constants of CSRS stand, each with its number, in one of the golden lists of
tests/rules, which are the other opinion. No C file but the owners gives such a
number to an enumerator or a macro of that name: who wants a short name says
which of the owners' constants it is.
"""
import re

import common

CSRS = "libpmu/include/pmu/csr-number.h"
# The project's own CSRs are in no golden list; words are in tests of decoding.
OWNERS = (CSRS, "libpmu/include/pmu/ebb-csr.h",
          "libpmu/include/pmu/insn-word.h")
GOLDEN = "tests/rules/csr-*.golden"
CONSTANT = re.compile(r"\bPMU_(?:CSR|WORD)_(\w+) = (0x[0-9a-f]+)")
LISTED = re.compile(r"^([0-9a-f]{3})(?:-([0-9a-f]{3}))?\s+(\S+)")
INDEX = re.compile(r"\[(\d+)\]")
TYPED = re.compile(
    r"^[ \t]*(?:#[ \t]*define[ \t]+)?(\w+)(?:[ \t]*=[ \t]*|[ \t]+)"
    r"\(?(0x[0-9a-f]+|[0-9]+)u?\)?[ \t]*(?:,|$)", re.M | re.I)
# A number under more than its bare name.
AROUND = {"BASE", "CSR", "FIRST", "INSN", "LAST", "NUM", "NUMBER", "OPCODE"}


def golden(root):
    """Return {name: number} of all CSRs that some hart has."""
    found = {}
    for path in sorted(root.glob(GOLDEN)):
        for line in path.read_text().splitlines():
            m = LISTED.match(line)
            if not m:
                continue
            first, last = int(m[1], 16), int(m[2] or m[1], 16)
            at = INDEX.search(m[3])
            for number in range(first, last + 1):
                name = INDEX.sub(
                    lambda i: str(int(i[1]) + number - first), m[3])
                found[name.upper()] = number
            if at and at[1] == "3":  # hpmcounter + n is counter n's
                found[INDEX.sub("", m[3]).upper()] = first - 3
    return found


def owned(root):
    """Return {name: number} of the owners' constants."""
    return {m[1]: int(m[2], 16) for name in OWNERS if (root / name).exists()
            for m in CONSTANT.finditer((root / name).read_text())}


def bare(name):
    """Return what of @name is a CSR's or an instruction's."""
    return "_".join(w for w in name.upper().split("_") if w not in AROUND)


def number_of(word):
    return int(word, 16 if "x" in word.lower() else 10)


def check(root):
    listed = golden(root)
    known = {**owned(root), **listed}
    found = []
    for path in common.files(root, ".c", ".h"):
        name = str(path.relative_to(root))
        source = common.blank(path.read_text())
        if name == CSRS:
            found += [f"{name}:{common.line_of(source, m.start())}: "
                      f"no golden list has {m[1].lower()} at {m[2]}"
                      for m in CONSTANT.finditer(source)
                      if listed.get(m[1]) != number_of(m[2])]
        if name in OWNERS:
            continue
        found += [f"{name}:{common.line_of(source, m.start(1))}: {m[1]} is "
                  f"{m[2]} in one of {' '.join(OWNERS)}, too"
                  for m in TYPED.finditer(source)
                  if known.get(bare(m[1])) == number_of(m[2])]
    return found


LIST = {"tests/rules/csr-a.golden":
        "# number\n104        sie   w w -\n323-33f    mhpmevent[3]  w - -\n",
        OWNERS[1]: "\tPMU_CSR_EBBCS = 0x802,\n",
        OWNERS[2]: "\tPMU_WORD_SRET = 0x10200073,\n"}


def typed(text, name="cli/a.c"):
    return {**LIST, name: text}


SAMPLES = [
    ("the owner", typed("enum { PMU_CSR_SIE = 0x104 };", CSRS), None),
    ("the owner is wrong", typed("enum {\n\tPMU_CSR_SIE = 0x105,\n};", CSRS),
     f"{CSRS}:2: no golden list has sie at 0x105"),
    ("an enumerator", typed("enum {\n\tA,\n\tSIE = 0x104,\n};"),
     "cli/a.c:3: SIE is 0x104 in"),
    ("the last one", typed("enum {\n\tCSR_SIE = 0x104\n};"), "CSR_SIE is"),
    ("in decimal", typed("enum {\n\tSIE_CSR = 260,\n};"), "SIE_CSR is 260"),
    ("a macro", typed("#define SIE (0x104u)\n"), "SIE is 0x104"),
    ("inside a run", typed("enum {\n\tMHPMEVENT4 = 0x324,\n};"),
     "MHPMEVENT4 is"),
    ("the base of a run", typed("#define MHPMEVENT 0x320\n"), "MHPMEVENT is"),
    ("of the project", typed("#define EBBCS 0x802\n"), "EBBCS is"),
    ("an instruction", typed("enum {\n\tINSN_SRET = 0x10200073,\n};"),
     "INSN_SRET is"),
    ("in a test", typed("#define SIE 0x104\n", "tests/a.h"), "SIE is"),
    ("by the owner's", typed("enum {\n\tSIE = PMU_CSR_SIE,\n};"), None),
    ("a bit of that name", typed("enum {\n\tSIE = 1 << 1,\n\tM = 0x104,\n};"),
     None),
    ("in a comment", typed("/*\n#define SIE 0x104\n*/"), None),
]

if __name__ == "__main__":
    common.main(check, SAMPLES)
