# SPDX-License-Identifier: BSD-2-Clause
"""A test in Python that asserts nothing has failed, like one in C.

What counts is executed in the tests' own files: an assert, an if that would
raise, a call that checks an exit code (check=True).
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


@functools.lru_cache(maxsize=None)
def lines(path):
    """Return the lines of a source whose execution asserts something."""
    if not str(pathlib.Path(path).resolve()).startswith(TESTS):
        return frozenset()
    tree = ast.parse(pathlib.Path(path).read_text())
    found = [part for part in map(_judges, ast.walk(tree)) if part]
    return frozenset(n for part in found
                     for n in range(part.lineno, part.end_lineno + 1))


@contextlib.contextmanager
def demanded():
    """Raise AssertionError if nothing is asserted inside, by any thread."""
    executed = 0

    def line(frame, event, _):
        nonlocal executed
        if event == "line":
            executed += frame.f_lineno in lines(frame.f_code.co_filename)
        return line

    def call(frame, _event, _arg):
        return line if lines(frame.f_code.co_filename) else None

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
