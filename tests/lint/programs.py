#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Each program that a test starts by its name comes by scripts/setup.

On a machine that is set up, the package that a program is of must be one of
the lists in scripts/setup, one that these depend on, or one that no Debian is
without. A word that no package has a program of is none. Tests are in Python,
in meson's language, and in bash; what is in scripts/ says itself what it wants.
"""
import ast
import re
import subprocess

import common

PYTHON = re.compile(r"#!.*\bpython")
SHELL = re.compile(r"#!.*\bbash\b")  # a guest's are its own shell's
WORD = re.compile(r"[a-z][\w.+-]*")
FOLDERS = ("/bin", "/sbin", "/usr/bin", "/usr/sbin")
# Whose first argument is a command line, and whose it is a program's name; so
# it is of a function of the test itself that takes *command.
STARTS = {"Popen", "run", "call", "check_call", "check_output", "start"}
NAMED = {"which", "tool", "needs", "in_shell"}
# Of a script in shell: what is text to it, its own functions, and the words
# where a command begins.
TEXT = re.compile(r"<<-?'?(\w+)'?[^\n]*\n(?s:.*?)\n\t*\1\n|'[^']*'|"
                  r"(?<![\w${\\])#.*")
FUNCTION = re.compile(r"^(\w+)\(\)$", re.M)
COMMAND = re.compile(r"(?:^|[|;&(`]|\b(?:if|then|do|else|while|until)\b|!)"
                     r"[ \t]*([a-z][\w.+-]*)(?=[\s)])", re.M)
FIND_PROGRAM = re.compile(r"find_program\('([^'/]+)'")
LISTS = re.compile(r"^\w+_packages=\((.*?)^\)", re.M | re.S)
AT_ONCE = re.compile(r"\bsetup_packages ([a-z].*)")


def left(node):
    """Return what a sum begins with."""
    while isinstance(node, ast.BinOp):
        node = node.left
    return node


def first(node):
    """Return the word that a list, or an argument, begins with."""
    if isinstance(node, (ast.List, ast.Tuple)):
        node = node.elts[0] if node.elts else None
    return getattr(node, "value", None)


def of_call(call, own):
    """Return the list or word that a call is given as what to start."""
    name = getattr(call.func, "attr", "") or getattr(call.func, "id", "")
    if not call.args:
        return None
    kind = ast.List if name in STARTS - own else \
        ast.Constant if name in NAMED | own else ()
    given = left(call.args[0])
    return given if isinstance(given, kind) else None


def words(source):
    """Yield what a test in Python may start by name."""
    nodes = list(ast.walk(ast.parse(source)))
    own = {n.name for n in nodes if isinstance(n, ast.FunctionDef) and
           n.args.vararg and n.args.vararg.arg == "command"}
    for node in nodes:
        if isinstance(node, ast.Call):
            yield first(of_call(node, own))
        elif isinstance(node, (ast.Assign, ast.Return)) and \
                isinstance(left(node.value), ast.List):
            yield first(left(node.value))


def in_shell(source):
    """Return what a script may start by name."""
    source = TEXT.sub(" ", source).replace("\\\n", " ")
    return set(COMMAND.findall(source)) - set(FUNCTION.findall(source))


def started(root):
    """Return the words by the first file that has them."""
    found = {}
    for path in common.files(root):
        name = str(path.relative_to(root))
        source = common.text(path)
        if path.name == "meson.build":
            said = FIND_PROGRAM.findall(source)
        elif name.startswith("tests/") and source and (
                path.suffix == ".py" or PYTHON.match(source)):
            said = words(source)
        elif name.startswith("tests/") and source and SHELL.match(source):
            said = in_shell(source)
        else:
            continue
        for word in said:
            if isinstance(word, str) and WORD.fullmatch(word):
                found.setdefault(word, name)
    return found


def query(*args):
    """Return what dpkg-query says; of what is not there it says nothing."""
    return subprocess.run(["dpkg-query", *args], capture_output=True,
                          text=True, check=False).stdout.splitlines()


def owners(programs):
    """Yield the program and its package for each line of dpkg's."""
    paths = [f"{d}/{p}" for p in programs for d in FOLDERS]
    for line in query("-S", *paths) if paths else ():
        packages, _, path = line.rpartition(": ")
        if not packages.startswith("diversion by "):
            for package in packages.split(", "):
                yield path.rpartition("/")[2], package.partition(":")[0]


def listed(setup):
    """Return the packages that set-up installs, all those of a choice."""
    said = LISTS.findall(re.sub(r"#.*", "", setup)) + AT_ONCE.findall(setup)
    return {p for part in said for p in re.split(r"[\s|']+", part) if p}


def brought(setup):
    """Return these, what they depend on, and what is always there."""
    wanted = listed(setup)
    there = set(wanted)
    for line in query("-W", "-f", "${Package}\t${Essential}\t${Priority}\t"
                      "${Depends}, ${Pre-Depends}\n"):
        package, essential, priority, needs = line.split("\t")
        if essential == "yes" or priority == "required":
            there.add(package)
        elif package in wanted:
            there.update(re.split(r"[ (:|,]", need.strip())[0]
                         for need in re.split(r"[,|]", needs))
    return there


def check(root):
    programs = started(root)
    setup = (root / "scripts/setup").read_text()
    if not listed(setup) or not programs:
        return ["scripts/setup has no lists, or the tests start nothing"]
    there, found = brought(setup), {}
    for program, package in owners(programs):
        found.setdefault(program, set()).add(package)
    return [f"{programs[program]}: {program} is in {' and '.join(packages)}, "
            "which scripts/setup does not install"
            for program, packages in found.items() if not packages & there]


def tree(packages, test, name="tests/a.py"):
    return {"scripts/setup": f"test_packages=(\n\t{packages}\n)\n", name: test}


RUN = 'subprocess.run(["valgrind", "-q"])\n'
SCRIPT = "#!/bin/bash\n{}\n"
SAMPLES = [
    ("a program of a listed package", tree("valgrind", RUN), None),
    ("of a choice", tree("'a|valgrind'", RUN), None),
    ("of one that comes at need",
     {"scripts/setup": "a_packages=(\n\ta\n)\nx || setup_packages valgrind b\n",
      "tests/a.py": RUN}, None),
    ("of what a listed one depends on", tree("python3", 'which("python3")\n'),
     None),
    ("one that is always there", tree("a", 'COMMAND = ["setpriv", "--"]\n'),
     None),
    ("a word that is no program", tree("a", 'start(["no-such-word"])\n'),
     None),
    ("a program that no package brings", tree("a", RUN),
     "tests/a.py: valgrind is in valgrind"),
    ("one beside a comment", tree("a\n\t# valgrind is not meant", RUN),
     "valgrind is in"),
    ("in a script", tree("a", "#!/usr/bin/env python3\n" + RUN, "tests/a"),
     "valgrind is in"),
    ("by a function of the test's own",
     tree("a", 'def go(*command):\n    pass\ngo("valgrind")\n'),
     "valgrind is in"),
    ("in front of others", tree("a", 'def f():\n    return ["valgrind", *x]\n'),
     "valgrind is in"),
    ("in front of others that are added",
     tree("a", 'run(["valgrind", "-q"] + x)\n'), "valgrind is in"),
    ("in a script in shell", tree("a", SCRIPT.format("valgrind -q"), "tests/a"),
     "valgrind is in"),
    ("behind another command of it",
     tree("a", SCRIPT.format("x=$(true | valgrind)"), "tests/a"),
     "valgrind is in"),
    ("behind a word of its language",
     tree("a", SCRIPT.format("if ! valgrind -q; then\n\tx\nfi"), "tests/a"),
     "valgrind is in"),
    ("what is text to it", tree("a", SCRIPT.format(
        "cat <<-EOF >x\nvalgrind q\n\tEOF\necho 'a\nvalgrind q' "
        "# a | valgrind q"), "tests/a"), None),
    ("a function of its own", tree("a", SCRIPT.format(
        "valgrind()\n{\n\techo\n}\nvalgrind -q"), "tests/a"), None),
    ("in a guest's script",
     tree("a", "#!/bin/sh\nvalgrind -q\n", "tests/a"), "start nothing"),
    ("looked for by name", tree("a", 'shutil.which("valgrind")\n'),
     "valgrind is in"),
    ("looked for by meson", tree("a", "find_program('valgrind')\n",
                                 "tests/meson.build"), "valgrind is in"),
    ("no lists", {"scripts/setup": "packages=()\n", "tests/a.py": RUN},
     "has no lists"),
]

if __name__ == "__main__":
    common.main(check, SAMPLES)
