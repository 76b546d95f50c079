#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Compare the table of rules with the specifications it was made from.

usage: compare-specs.py SPECS CONFORMANCE

SPECS is a folder with the ISA manual's chapters (priv/, unpriv/: *.adoc), its
lists of normative rules (norm/*.yaml) and the test plans (testplans/*.md);
CONFORMANCE the list of the project's items. None of them is in the tree. What
belongs into the table:

* every anchor of the lists for Sscofpmf, Smcntrpmf, Smcdeleg and counters, and
  of the chapters Smcsrind, Sscounterenw and Shcounterenw, which have no list;
* of the lists for machine, supervisor and hypervisor the anchors whose name or
  sentence names a counter, a CSR of one, time or LCOFI (COUNTER below);
* of the list for machine every anchor of physical memory protection, and the
  hypervisor's of it, as a chapter of their own;
* of Smstateen what is about bit 60 or about all bits: no other bit's rules;
* every anchor that an item cites, every item, every case of the plans.

The Advanced Interrupt Architecture has no anchors: the names in aia.tsv are our
own, and nothing is compared.

Prints what is missing or too much and fails when there is something.
"""
import pathlib
import re
import sys

import table

OURS = ("aia",)
WHOLE = ("sscofpmf", "smcntrpmf", "smcdeleg", "counters")
UNLISTED = ("smcsrind", "sscounterenw", "shcounterenw")
PARTS = ("machine", "supervisor", "hypervisor")
COUNTER = re.compile(
    r"\b(mcycleh?|minstreth?|mhpm\w*|hpmcounter\w*|[msh]?counteren\w*|"
    r"[ms]?countinhibit\w*|scountovf|instret\w*|lcofi\w*|cycleh?(?= csr)|"
    r"timeh?(?= csr)|htimedeltah?|mtime|counters?|counting)(?![a-z])|"
    r"`(cycle|time|timeh)`", re.I)
OTHER_BIT = re.compile(r"_(bit_63|c|fcsr|fcsr0|jvt|se0|envcfg|imsic|aia|context|"
                       r"p1p13|srmcfg)_", re.I)
NOT_A_COUNTER = re.compile(r"program counter", re.I)
CASE = re.compile(r"^\|\s*\**([A-Z][A-Za-z0-9_]*-(?:[A-Z0-9]+-)*\d+[a-z]?)"
                  r"\**\s*\|", re.M)
ANCHORS = (re.compile(r"\[#norm:(\w+)\]#(.*?)#(?=[^#\w]|$)", re.S),
           re.compile(r"\[\[norm:(\w+)(?:,[^\]]*)?\]\](.*?)(?=\n\n|\Z)", re.S),
           re.compile(r"\[#norm:(\w+)[^\]]*\]\n(.*?)(?=\n\n|\Z)", re.S))


def texts(specs):
    """Return {anchor: its sentences} and {chapter: its anchors}."""
    said, chapters = {}, {}
    for path in sorted(specs.glob("*/*.adoc")):
        source = path.read_text()
        for pattern in ANCHORS:
            for m in pattern.finditer(source):
                said[m[1]] = said.get(m[1], "") + " " + m[2]
                chapters.setdefault(path.stem, set()).add(m[1])
    return said, chapters


def listed(specs, name):
    text = (specs / f"norm/{name}.yaml").read_text()
    return set(re.findall(r"norm:(\w+)", text))


def is_counters(anchor, said):
    text = NOT_A_COUNTER.sub("", said.get(anchor, ""))
    plain = re.sub(r"__n__|csr::?\[?|[*\]]", "", text)
    return bool(COUNTER.search(anchor.replace("_", " ")) or
                COUNTER.search(plain))


def wanted(specs, conformance):
    """Return {name: file of the table} of all that belongs into the table."""
    said, chapters = texts(specs)
    items = conformance.read_text()
    found = {f"C{n}": "conformance"
             for n in re.findall(r"^(\d+)\. ", items, re.M)}
    for path in sorted((specs / "testplans").glob("*.md")):
        plan = "plan-" + path.stem.split("_")[0].lower()
        found |= dict.fromkeys(CASE.findall(path.read_text()), plan)
    for chapter in WHOLE:
        found |= dict.fromkeys(listed(specs, chapter), chapter)
    for chapter in UNLISTED:
        found |= dict.fromkeys(chapters[chapter], "smcsrind")
    cited = set(re.findall(r"norm:(\w+)", items))
    for chapter in PARTS:
        some = {a for a in listed(specs, chapter)
                if a in cited or is_counters(a, said)}
        found = dict.fromkeys(some, chapter) | found
    found |= dict.fromkeys({a for a in listed(specs, "machine")
                            if a.startswith("pmp_")} | {"H_pmp"}, "pmp")
    some = {a for a in listed(specs, "smstateen")
            if a in cited or not OTHER_BIT.search(a)}
    found |= dict.fromkeys(some, "smstateen")
    return dict.fromkeys(cited, "zicsr") | found


def main():
    specs, conformance = map(pathlib.Path, sys.argv[1:3])
    root = pathlib.Path(__file__).resolve().parents[2]
    want = wanted(specs, conformance)
    have = {name: rule for name, rule in table.load(root).items()
            if rule.path.stem not in OURS}
    for name in sorted(want.keys() - have.keys()):
        print(f"missing: {want[name]}.tsv: {name}")
    for name in sorted(have.keys() - want.keys()):
        print(f"in no specification: {have[name].path.name}: {name}")
    for name in sorted(want.keys() & have.keys()):
        if have[name].path.stem != want[name]:
            print(f"{name} belongs into {want[name]}.tsv")
    return have.keys() != want.keys()


if __name__ == "__main__":
    sys.exit(main())
