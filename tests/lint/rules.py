#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Every rule that a table or test names exists, and every rule has a test.

Looks at RULE("...") in all C files and shows("...") in Python: each name is
one of the table (tests/rules/*.tsv) or an anchor of tests/rules/anchors.txt;
several are parted by commas or spaces. A field .rule with a bare string is a
finding: it would escape this check. A rule of the table that no test names is
a finding unless the table says why, and so is a test of a rule of which the
table says that it has none. Whether these tests run is scripts/rules' matter.
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


def anchors(root):
    path = root / "tests/rules/anchors.txt"
    return {line for line in path.read_text().splitlines()
            if line and not line.startswith("#")}


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


def sample(code, rows="C1\topen\tlater\nC202\topen\tlater\n",
           path="libpmu/a.c"):
    return {"tests/rules/anchors.txt": "# names\nscountovf_op\n",
            "tests/rules/a.tsv": "# chapter: A\n" + rows, path: code}


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
    ("a rule with a test", test('shows(RULE("C1"));', "C1\ttest\n"), None),
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
]

if __name__ == "__main__":
    common.main(check, SAMPLES)
