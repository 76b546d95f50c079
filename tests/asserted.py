# SPDX-License-Identifier: BSD-2-Clause
"""A test in Python that asserts nothing has failed, like one in C.

demanded() is for a test that raises: what counts is executed in the tests' own
files, an assert, an if that would raise, a call that checks an exit code
(check=True). Results is for one that says of each result whether it is good.
"""
import ast
import contextlib
import functools
import pathlib
import sys
import threading

TESTS = str(pathlib.Path(__file__).resolve().parent)


def _judges(node):
    """Return the part of a statement that decides, or None."""
    if isinstance(node, ast.Assert):
        return node.test
    if isinstance(node, ast.If) and isinstance(node.body[0], ast.Raise):
        return node.test
    if isinstance(node, ast.Call) and any(
            k.arg == "check" and getattr(k.value, "value", None) is True
            for k in node.keywords):
        return node
    return None


def comparison(node):
    """The same for demanded(), of a test that returns whether it is good."""
    return node if isinstance(node, ast.Compare) else None


@functools.lru_cache(maxsize=None)
def lines(path, judges=_judges):
    """Return the lines of a source whose execution asserts something."""
    if not str(pathlib.Path(path).resolve()).startswith(TESTS):
        return frozenset()
    tree = ast.parse(pathlib.Path(path).read_text())
    found = [part for part in map(judges, ast.walk(tree)) if part]
    return frozenset(n for part in found
                     for n in range(part.lineno, part.end_lineno + 1))


@contextlib.contextmanager
def demanded(judges=_judges):
    """Raise AssertionError if nothing is asserted inside, by any thread."""
    executed = 0

    def line(frame, event, _):
        nonlocal executed
        if event == "line":
            executed += frame.f_lineno in lines(frame.f_code.co_filename,
                                                judges)
        return line

    def call(frame, _event, _arg):
        return line if lines(frame.f_code.co_filename, judges) else None

    before = sys.gettrace()
    threading.settrace(call)
    sys.settrace(call)
    try:
        yield
    finally:
        sys.settrace(before)
        threading.settrace(before)
    if not executed:
        raise AssertionError("the test asserted nothing")


class Results:
    """Results as TAP; one for which nothing was compared is a bad one."""

    def __init__(self):
        self.n = self.failed = 0

    def add(self, good, text, notes=(), compared=1):
        """Print a result, what there is to say of it; of so much compared."""
        good = good and compared > 0
        self.n += 1
        self.failed += not good
        print("ok" if good else "not ok", self.n, "-", text)
        for note in [*notes, *([] if compared else ["nothing was compared"])]:
            print("#", note)
        sys.stdout.flush()

    def skip(self, text, why):
        """Print one that cannot be had here."""
        self.n += 1
        print("ok", self.n, "-", text, "# SKIP", why, flush=True)

    def done(self):
        """Print the plan and return the exit status; no result is a bad one."""
        if not self.n:
            self.add(False, "the test has results", compared=0)
        print(f"1..{self.n}", flush=True)
        return 1 if self.failed else 0
