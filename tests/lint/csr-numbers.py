#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""A CSR's number is typed once, and it is the specification's.

The owner's constants stand, each with its number, in one of the golden lists of
tests/rules, which are the other opinion. No other C file gives a CSR's number to
an enumerator or a macro of its name: who wants a short name says which of the
owner's constants it is.
"""
import re

import common

OWNER = "libpmu/include/pmu/csr-number.h"
# The project's own CSRs, which no golden list has.
OWN = "libpmu/include/pmu/ebb-csr.h"
GOLDEN = "tests/rules/csr-*.golden"
CONSTANT = re.compile(r"\bPMU_CSR_(\w+) = (0x[0-9a-f]+)")
LISTED = re.compile(r"^([0-9a-f]{3})(?:-([0-9a-f]{3}))?\s+(\S+)")
INDEX = re.compile(r"\[(\d+)\]")
TYPED = re.compile(r"^[ \t]*(?:#[ \t]*define[ \t]+)?(\w+)(?:[ \t]*=[ \t]*|[ \t]+)"
                   r"\(?(0x[0-9a-f]+|[0-9]+)u?\)?[ \t]*(?:,|$)", re.M | re.I)
# A CSR's number under more than its bare name.
ROUND = {"CSR", "NUM", "NUMBER", "FIRST", "LAST", "BASE"}


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


def constants(source):
    return {m[1]: int(m[2], 16) for m in CONSTANT.finditer(source)}


def bare(name):
    """Return what of @name is a CSR's."""
    return "_".join(w for w in name.upper().split("_") if w not in ROUND)


def check(root):
    known = golden(root)
    if (root / OWN).exists():
        known.update(constants((root / OWN).read_text()))
    found = []
    for path in common.files(root, ".c", ".h"):
        name = str(path.relative_to(root))
        source = common.blank(path.read_text())
        if name == OWNER:
            found += [f"{name}:{common.line_of(source, m.start())}: "
                      f"no golden list has {m[1].lower()} at {m[2]}"
                      for m in CONSTANT.finditer(source)
                      if known.get(m[1]) != int(m[2], 16)]
        if name in (OWNER, OWN):
            continue
        found += [f"{name}:{common.line_of(source, m.start(1))}: {m[1]} is "
                  f"PMU_CSR_{bare(m[1])} of <pmu/csr-number.h>"
                  for m in TYPED.finditer(source)
                  if known.get(bare(m[1])) == int(m[2], 0 if "x" in
                                                  m[2].lower() else 10)]
    return found


LIST = {"tests/rules/csr-a.golden":
        "# number\n104        sie   w w -\n323-33f    mhpmevent[3]  w - -\n"}


def typed(text, name="cli/a.c"):
    return {**LIST, name: text}


SAMPLES = [
    ("the owner", typed("enum { PMU_CSR_SIE = 0x104 };", OWNER), None),
    ("the owner is wrong", typed("enum {\n\tPMU_CSR_SIE = 0x105,\n};", OWNER),
     f"{OWNER}:2: no golden list has sie at 0x105"),
    ("an enumerator", typed("enum {\n\tA,\n\tSIE = 0x104,\n};"),
     "cli/a.c:3: SIE is PMU_CSR_SIE of <pmu/csr-number.h>"),
    ("the last one", typed("enum {\n\tCSR_SIE = 0x104\n};"), "PMU_CSR_SIE"),
    ("in decimal", typed("enum {\n\tSIE_CSR = 260,\n};"), "PMU_CSR_SIE"),
    ("a macro", typed("#define SIE (0x104u)\n"), "SIE is PMU_CSR_SIE"),
    ("inside a run", typed("enum {\n\tMHPMEVENT4 = 0x324,\n};"),
     "MHPMEVENT4 is PMU_CSR_MHPMEVENT4"),
    ("the base of a run", typed("#define MHPMEVENT 0x320\n"),
     "MHPMEVENT is PMU_CSR_MHPMEVENT"),
    ("in a test", typed("#define SIE 0x104\n", "tests/a.h"), "PMU_CSR_SIE"),
    ("of the project", {OWN: "PMU_CSR_EBBCS = 0x802",
                        "cli/a.c": "#define EBBCS 0x802\n"}, "PMU_CSR_EBBCS"),
    ("by the owner's", typed("enum {\n\tSIE = PMU_CSR_SIE,\n};"), None),
    ("a bit of that name", typed("enum {\n\tSIE = 1 << 1,\n\tM = 0x104,\n};"),
     None),
    ("in a comment", typed("/*\n#define SIE 0x104\n*/"), None),
]

if __name__ == "__main__":
    common.main(check, SAMPLES)
