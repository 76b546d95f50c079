#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Every rule that a table or test names exists, and every rule has a test.

Looks at RULE("...") in all C files and shows("...") in Python: each name is
one of the table (tests/rules/*.tsv) or an anchor of tests/rules/anchors.txt;
several are parted by commas or spaces. A field .rule with a bare string is a
finding: it would escape this check. A rule of the table that no test names is
a finding unless the table says why, and so is a test of a rule of which the
table says that it has none. Whether these tests run is scripts/rules' matter.

An item (C and a number), and a rule of a chapter whose names are our own, has
its decision in the table or on the chapter's page, as whole sentences, and says
who decided it and which section of a specification speaks of it: an anchor of
anchors.txt, a heading of tests/rules/sections.txt or of a page in docs/.
"""
import pathlib
import re
import sys

import common

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "rules"))
import table  # noqa: E402 - found by the line above

ODD_RULE = re.compile(r'\bRULE\((?!\s*(?:"[^"]*"\s*)+\))')
SAYS = re.compile(r"\bshows\(|hart-script\.h")
BARE = re.compile(r'\.rule\s*=\s*"')
ITEM = re.compile(r"C\d+")
SENTENCE = re.compile(r"[A-Za-z0-9].*?[.](?=\s|$)", re.S)
# Whose rules' names are of no specification, but stand in explanations.
OWN_NAMES = ("aia", "ebb")
SHORTEST = 40  # characters of a decision: less is a title
# One of these makes a sentence of a list of words.
VERBS = set("""
adds allows answer answers are arms asks become becomes begins belong belongs
bring brings can cannot change changes checks chooses clears compares compute
concern concerns configures count counts decide decides do does drops ends
exist exists fills find finds finishes follow follows free-run gets give gives
go goes had hands has have held hold holds ignores is keep keeps know knows
leave leaves lets load loads lose loses lower make makes matches mean means must
need needs own owns pends prints raise raises read reads refuses releases
remembers repeats replaces reports retires rule rules say says see sees set
sets shows stand stands start starts stay stays stop stops stores succeed
succeeds survive survives take takes tell tells touches trap traps use uses
wait waits wakes was were works wrap wraps write writes
""".split())


def lines(path):
    return {line for line in path.read_text().splitlines()
            if line and not line.startswith("#")}


def anchors(root):
    return lines(root / "tests/rules/anchors.txt")


def bad_decision(rule, headings, known):
    """Yield what an item's decision lacks."""
    text = rule.decision
    rest = SENTENCE.sub("", text).strip()
    if len(text) < SHORTEST:
        yield "the decision is too short to be one"
    elif rest:
        yield f"the decision does not end in a full stop: '{rest}'"
    yield from (f"no verb in '{s}'" for s in SENTENCE.findall(text)
                if not VERBS & set(re.split(r"[^\w-]+", s)))
    yield from (f"'{d}' decides nothing" for d in rule.deciders
                if d not in table.DECIDERS)
    if {"specification", "against"} & set(rule.deciders) and \
            not rule.sections:
        yield "the specification decides, in which section?"
    yield from (f"there is no section '{s}'" for s in rule.sections
                if s not in headings and
                (not s.startswith("norm:") or s[5:] not in known))


def decisions(root, rules, known):
    """Yield findings on the items' decisions."""
    path = root / "tests/rules/sections.txt"
    headings = lines(path) if path.exists() else set()
    headings |= {where for page in map(table.page_of, table.chapters(root))
                 if page for where, _ in table.on_page(root, page).values()}
    for rule in rules.values():
        if ITEM.fullmatch(rule.name) or rule.path.stem in OWN_NAMES:
            for why in bad_decision(rule, headings, known):
                yield (f"{rule.path.relative_to(root)}:{rule.line}: "
                       f"{rule.name}: {why}")


def unknown(names, known):
    """Return why a RULE's string is not good, or None."""
    for part in table.split(names) or [""]:
        if part not in known:
            return f"there is no rule '{part}'"
    return None


def in_c(source, known):
    """Yield (offset, message) for one C file."""
    source = table.uncommented(source)
    for m in table.C_NAMES.finditer(source):
        why = unknown(m[1], known)
        if why:
            yield m.start(), why
    for m in ODD_RULE.finditer(source):
        if "#define" not in source[:m.start()].rsplit("\n", 1)[-1]:
            yield m.start(), "RULE() takes a string literal"
    for m in BARE.finditer(source):
        yield m.start(), "write .rule = RULE(\"...\")"


def in_python(source, known):
    for names, offset in table.in_python(source):
        why = unknown(names, known)
        if why:
            yield offset, why


def in_table(root, rules):
    """Return findings on rules without tests and tests without rules."""
    by_name = {}
    for path, names in table.named(root).items():
        for name in names:
            by_name.setdefault(name, path.relative_to(root))
    found = []
    for rule in rules.values():
        test = by_name.get(rule.name)
        where = f"{rule.path.relative_to(root)}:{rule.line}: {rule.name}"
        if rule.state == "test" and not test:
            found.append(f"{where} has no test; make one, or say why not")
        if rule.state == "none" and test:
            found.append(f"{where} has no test, but {test} names it")
    return found


def silent(root):
    """Return the tests in C that name rules and say none when they run.

    Guests say it in their results.
    """
    return [f"{path.relative_to(root)}:1: names rules, but has no shows()"
            for path in table.named(root) if path.suffix == ".c" and
            path.is_relative_to(root / "tests") and
            not SAYS.search(path.read_text())]


def check(root):
    try:
        rules = table.load(root)
    except ValueError as error:
        return [f"tests/rules/{error}"]
    known = anchors(root) | set(rules)
    found = in_table(root, rules) + silent(root)
    found += decisions(root, rules, known)
    for path in common.files(root, ".c", ".h", ".py"):
        source = path.read_text()
        if path.suffix == ".py":
            findings = in_python(source, known) \
                if table.is_test(root, path) else ()
        else:
            source = common.blank(source, keep_strings=True)
            findings = in_c(source, known)
        for offset, why in findings:
            line = common.line_of(source, offset)
            found.append(f"{path.relative_to(root)}:{line}: {why}")
    return found


DECISION = "A test of rules has a decision, which stands here in full."


def sample(code, rows="C1\topen\tlater\nC202\topen\tlater\n",
           path="libpmu/a.c"):
    rows = "".join(f"{row}\tproject\t-\t{DECISION}\n" if row.count("\t") == 2
                   else row + "\n" for row in rows.splitlines())
    return {"tests/rules/anchors.txt": "# names\nscountovf_op\n",
            "tests/rules/sections.txt": "SBI, a section\n",
            "tests/rules/a.tsv": "# chapter: A\n" + rows, path: code}


def decided(who, where, decision=DECISION):
    return sample("", f"C1\topen\tlater\t{who}\t{where}\t{decision}\n")


def told(row, page="## Claims\n\n**own_a** It `takes` a mask, and reads as what\n"
                   "it has got.\n\nMore.\n"):
    """A rule whose name is our own, and the page that decides it."""
    return {"tests/rules/anchors.txt": "",
            "tests/rules/ebb.tsv": f"# chapter: E\n# page: docs/E.md\n{row}\n",
            "docs/E.md": "# E\n\n" + page}


def test(code, rows):
    return sample(code, rows, "tests/unit/test-a.c")


SAMPLES = [
    ("a known anchor", sample('x = RULE("scountovf_op");\n'), None),
    ("known items", sample('x = RULE("C1, C202 scountovf_op");\n'), None),
    ("a rule in a comment is none", sample('/* RULE("no") */\n'), None),
    ("the definition of RULE", sample('#define RULE(name) "" name\n'), None),
    ("a literal in two", sample('x = RULE("C1 "\n"C202");\n'), None),
    ("no rule in the second", sample('x = RULE("C1 "\n"C203");\n'), "C203"),
    ("an unknown anchor", sample('x = RULE("scountovf_up");\n'),
     "scountovf_up"),
    ("an anchor with its prefix", sample('RULE("norm:scountovf_op")'),
     "norm:"),
    ("an item that does not exist", sample('RULE("C184")'), "C184"),
    ("an empty rule", sample('RULE("")'), "no rule ''"),
    ("not a literal", sample("RULE(name)\n"), "a string literal"),
    ("a bare string", sample('.rule = "scountovf_op"'), "write .rule"),
    ("a rule with a test", test('shows(RULE("C1"));', "C1\ttest\tx\n"), None),
    ("a rule that only the code names",
     sample('x = RULE("C1");\n', "C1\ttest\n"), "C1 has no test"),
    ("a rule in Python that is none",
     sample('@shows("C3")\ndef test_a():\n    pass\n', path="tests/e2e/a.py"), "no rule 'C3'"),
    ("a test of what has none",
     test('shows(RULE("C1"));', "C1\tnone\tit says nothing\n"),
     "test-a.c names it"),
    ("a test that does not say what it shows",
     test('row = { RULE("C1") };', "C1\ttest\n"), "has no shows()"),
    ("no reason", sample("", "C1\topen\n"), "'open' has a reason"),
    ("a state that is none", sample("", "C1\tlater\tx\n"), "no such state"),
    ("a rule twice", sample("", "C1\topen\tx\nC1\topen\tx\n"), "already"),
    ("an anchor decides", decided("specification", "norm:scountovf_op"), None),
    ("a section decides", decided("specification+reference", "SBI, a section"),
     None),
    ("an item without a decision", decided("project", "-", "-"), "too short"),
    ("half of a decision", sample("", "C1\topen\tx\tproject\n"),
     "all of a decision"),
    ("a title for a decision",
     decided("project", "-", "collisions in one instruction"), "too short"),
    ("an open end", decided("project", "-", DECISION + " And so on"),
     "full stop: 'And so on'"),
    ("a fragment",
     decided("project", "-", DECISION + " Collisions in one instruction."),
     "no verb in 'Collisions"),
    ("nobody decides", decided("nobody", "-"), "'nobody' decides nothing"),
    ("a specification without a section",
     decided("project+specification", "-"), "in which section"),
    ("a section that is none", decided("specification", "SBI, b"),
     "no section"),
    ("a page decides", told("own_a\topen\tlater"), None),
    ("a page that says nothing of it", told("own_b\topen\tlater"),
     "own_b: the decision is too short"),
    ("half a sentence on a page",
     told("own_a\topen\tlater", "## Claims\n\n**own_a** claims, by a mask of "
          "counters or without one\n"), "own_a: the decision does not end"),
    ("an anchor that is none", decided("against", "norm:scountovf"),
     "no section 'norm:scountovf'"),
]

if __name__ == "__main__":
    common.main(check, SAMPLES)
