# SPDX-License-Identifier: BSD-2-Clause
"""The table of rules, who names them in the sources, and what a run showed.

A chapter is a file tests/rules/*.tsv; a line is a rule: its name, its state,
a title or a reason, parted by tabs. States: "test" (there are tests), "open"
(not yet, the reason says why) and "none" (cannot be tested, or says nothing
to test: the reason). Which tests show a rule stands nowhere but in them.

An item of the project's own list has three columns more: who decides it
("specification", "reference", "project", "against" - the project, against the
letter - "linux" and "own", parted by "+"), the sections of the specification that
speak of it (parted by "; ", "-" for none), and the decision in full. A chapter
of an extension of our own has "# page: docs/...", where a paragraph that begins
with the rule's name in bold is its decision.
"""
import ast
import collections
import json
import pathlib
import re

STATES = ("test", "open", "none")
DECIDERS = {
    "specification": "the specification",
    "reference": "the reference firmware, OpenSBI",
    "project": "this project, where the specification is silent",
    "against": "this project, against the letter of the specification",
    "linux": "the Linux driver, which runs unmodified",
    "own": "this project, whose extension it is",
}
FOLDERS = ("tests", "guests")
C_NAMES = re.compile(r'\bRULE\(\s*((?:"[^"]*"\s*)+)\)')
CLAIMS = re.compile(r'\bCLAIM\(\s*(?P<why>(?:"(?:\\.|[^"\\])*"\s*)+),|'
                    r'\bstruct step (?P<table>\w+)\[\] = ')
ISAS = ("rv64", "rv32")
C_TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|'
                     r'/\*.*?\*/|//[^\n]*', re.S)
HEADING = re.compile(r"^## (.+)$", re.M)
TOLD = re.compile(r"^\*\*(\w+)\*\* (.+?)(?=\n\n|\Z)", re.M | re.S)
SHOWS = re.compile(r"#\s*shows\s+(.*)")
RESULT = re.compile(r"\s*(not )?ok\b(?: \d+)?(?: -)?\s*(.*)")
# How a test hands on what a guest says: the guest, its ISA, the run, the claim.
GUEST = re.compile(r"(\S+) (rv32|rv64) [^:]*: .*")
SKIPPED = re.compile(r"#\s*(skip|todo)", re.I)
IN_RESULT = re.compile(r"\[([\w\s,-]+)\]\s*$")

Rule = collections.namedtuple("Rule", "name state text chapter path line "
                              "deciders sections decision")
Shown = collections.namedtuple("Shown", "rule test programs passed text")


def split(names):
    """Return the names in a string, or in the C literals of a RULE()."""
    names = re.sub(r'"\s*"', "", names).strip('" \t\n')
    return [n for n in re.split(r"[,\s]+", names) if n]


def chapters(root):
    return sorted(pathlib.Path(root, "tests/rules").glob("*.tsv"))


def on_page(root, page):
    """Return {name: (heading, text)} of the rules that a page tells; a tree
    that has tables alone has no pages."""
    found = {}
    file = pathlib.Path(root, page)
    parts = HEADING.split(file.read_text() if file.exists() else "")
    for heading, body in zip(parts[1::2], parts[2::2]):
        for m in TOLD.finditer(body):
            text = m[2].replace("`n", "[n]").replace("`", "")
            text = " ".join(text.split())
            found[m[1]] = f"{page}, {heading}", text
    return found


def page_of(path):
    """Return the page that tells a chapter's rules, or None."""
    m = re.search(r"^# page: (.+)$", path.read_text(), re.M)
    return m and m[1]


def read_chapter(path):
    """Yield the rules of a file; a bad line raises ValueError."""
    title, page = path.stem, page_of(path)
    told = on_page(path.parents[2], page) if page else {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith("# chapter: "):
            title = line[11:]
        if not line or line.startswith("#"):
            continue
        fields = line.split("\t")
        if len(fields) not in (2, 3, 6) or not all(fields):
            raise ValueError(f"{path.name}:{number}: name, state, text, and "
                             "all of a decision or nothing")
        name, state, text, who, where, decision = \
            fields + [""] * (6 - len(fields))
        if name in told:
            who, (where, decision) = "own", told[name]
        if state not in STATES or not re.fullmatch(r"[\w-]+", name):
            raise ValueError(f"{path.name}:{number}: no such state or name")
        if state != "test" and not text:
            raise ValueError(f"{path.name}:{number}: '{state}' has a reason")
        yield Rule(name, state, text, title, path, number,
                   [w for w in who.split("+") if w],
                   [] if where in ("", "-") else where.split("; "), decision)


def load(root):
    """Return {name: Rule} in the order of the files."""
    rules = {}
    for path in chapters(root):
        for rule in read_chapter(path):
            if rule.name in rules:
                raise ValueError(f"{path.name}:{rule.line}: {rule.name} is "
                                 f"in {rules[rule.name].path.name} already")
            rules[rule.name] = rule
    return rules


def uncommented(text):
    """Return C with its comments blanked, strings and offsets as they are."""
    return C_TOKEN.sub(lambda m: m[0] if m[0][0] in "\"'" else
                       re.sub(r"[^\n]", " ", m[0]), text)


def in_python(text):
    """Yield (names, offset) of the calls of shows(); comments, docstrings and
    other strings are none."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and node.args and \
                getattr(node.func, "attr",
                        getattr(node.func, "id", "")) == "shows" and \
                isinstance(getattr(node.args[0], "value", None), str):
            yield node.args[0].value, starts[node.lineno - 1]


def names_in(path, text):
    """Return the rules that one source names, {name: offset}."""
    if path.suffix == ".py":
        parts = in_python(text)
    else:
        parts = ((m[1], m.start()) for m in
                 C_NAMES.finditer(uncommented(text)))
    found = {}
    for names, offset in parts:
        for name in split(names):
            found.setdefault(name, offset)
    return found


def guest_of(root, path):
    """Return the name of the guest that a source is of, or None."""
    parts = pathlib.Path(path).relative_to(root).parts
    return parts[1] if parts[0] == "guests" and len(parts) > 2 else None


def claims(root):
    """Yield (source's path, guest, ISA, claim) of the guests' tables of
    claims; a table whose name ends with an ISA is for that alone."""
    for path in sources(root):
        guest = guest_of(root, path)
        if guest is None or path.suffix != ".c":
            continue
        isas = ISAS
        for m in CLAIMS.finditer(uncommented(path.read_text())):
            if m["table"]:
                isas = [i for i in ISAS if m["table"].endswith("_" + i)]
                isas = isas or ISAS
                continue
            text = "".join(re.findall(r'"((?:\\.|[^"\\])*)"', m["why"]))
            for isa in isas:
                yield path, guest, isa, text.replace('\\"', '"')


def is_test(root, path):
    parts = path.relative_to(root).parts
    return parts[0] in FOLDERS and parts[:2] not in (("tests", "lint"),
                                                     ("tests", "rules"))


def sources(root):
    """Yield the sources that can name rules of tests."""
    for folder in FOLDERS:
        for path in sorted(pathlib.Path(root, folder).rglob("*")):
            if path.suffix in (".c", ".h", ".S", ".py") and \
                    is_test(root, path):
                yield path


def named(root):
    """Return {source's path: {name, ...}} of all that name rules."""
    found = {}
    for path in sources(root):
        names = names_in(path, path.read_text(errors="replace"))
        if names:
            found[path] = set(names)
    return found


def of_output(test, programs, output):
    """Yield what one test's TAP shows; what was announced but has no result
    failed."""
    waiting = []
    for line in output.splitlines():
        announced = SHOWS.match(line)
        result = RESULT.match(line)
        if announced:
            waiting += split(announced[1])
        elif result:
            inside = IN_RESULT.search(line)
            here = waiting + (split(inside[1]) if inside else [])
            good = not result[1] and not SKIPPED.search(line)
            yield from (Shown(n, test, programs, good, result[2])
                        for n in here)
            waiting = []
    yield from (Shown(n, test, programs, False, "") for n in waiting)


def of_log(path):
    """Yield (programs, what they showed) for each test of a meson log."""
    with open(path, encoding="utf-8") as log:
        for line in log:
            entry = json.loads(line)
            programs = {pathlib.Path(a).stem for a in entry["command"]}
            yield programs, list(of_output(entry["name"], programs,
                                           entry.get("stdout") or ""))
