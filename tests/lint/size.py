#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Nothing grows too large: files, headers, functions, parameter lists.

Relies on the tree's layout: the brace that opens a function's body, and the
one that closes it, stand alone in the first column.
"""
import re

import common

MAX_FILE = 500
MAX_HEADER = 150
MAX_FUNCTION = 60
MAX_PARAMS = 5
# What a library calls has the parameters that the library gives it, and so has
# what a test puts in the place of its functions.
CALLBACK = re.compile(r"\(\s*(nghttp2_session \*session|Dwfl_Module \*module),"
                      r"|\b__wrap_\w+\(")
# an ecall's registers as they are: two numbers and six arguments
EXCUSED = {("guests/common/guest.h", "sbi_call"): 8}


def head_start(lines, brace):
    """Return the first line of the signature whose body opens at brace."""
    first = brace
    while first > 0 and lines[first - 1].strip() and \
            not lines[first - 1].rstrip().endswith((";", "}", ":")) and \
            not lines[first - 1].startswith("#"):
        first -= 1
    return first


def parameters(head):
    """Return how many parameters a signature has."""
    head = re.sub(r"__attribute__\s*\(\(.*?\)\)", "", head, flags=re.S)
    start = head.find("(")
    if start < 0:
        return 0
    depth, commas = 0, 0
    for c in head[start:]:
        depth += (c == "(") - (c == ")")
        commas += c == "," and depth == 1
        if depth == 0:
            break
    inner = head[start + 1:].split(")")[0].strip()
    return 0 if inner in ("", "void") else commas + 1


def functions(source):
    """Yield (first line, last line, signature) of each function."""
    lines = common.blank(source).split("\n")
    brace = None
    for number, line in enumerate(lines):
        if line.rstrip() == "{":
            brace = number
        elif line.startswith("}") and brace is not None:
            first = head_start(lines, brace)
            yield first + 1, number + 1, "\n".join(lines[first:brace])
            brace = None


def check_file(name, source):
    """Yield the findings of one file."""
    lines = source.count("\n")
    most = MAX_HEADER if name.endswith(".h") else MAX_FILE
    if lines > most:
        yield f"{name}: {lines} lines, at most {most}"
    for first, last, head in functions(source):
        if last - first + 1 > MAX_FUNCTION:
            yield (f"{name}:{first}: a function of {last - first + 1} lines, "
                   f"at most {MAX_FUNCTION}")
        if CALLBACK.search(head):
            continue  # its signature is the library's
        called = re.search(r"(\w+)\s*\(", head)
        most = EXCUSED.get((name, called and called[1]), MAX_PARAMS)
        if parameters(head) > most:
            yield (f"{name}:{first}: {parameters(head)} parameters, "
                   f"at most {most}")


def check(root):
    found = []
    for path in common.files(root, ".c", ".h"):
        found.extend(check_file(str(path.relative_to(root)),
                                path.read_text()))
    return found


def body(count):
    return "static int f(void)\n{\n" + "\tg();\n" * (count - 3) + "}\n"


SAMPLES = [
    ("a file at its limit", {"a.c": "\n" * MAX_FILE}, None),
    ("a header at its limit", {"a.h": "\n" * MAX_HEADER}, None),
    ("a function at its limit", {"a.c": "\n" + body(MAX_FUNCTION)}, None),
    ("parameters at their limit",
     {"a.c": "int f(int a, int b,\n\tint (*c)(int, int), int d, int e)\n"
             "{\n}\n"}, None),
    ("a file over its limit", {"a.c": "\n" * (MAX_FILE + 1)}, "501 lines"),
    ("a header over its limit", {"a.h": "\n" * (MAX_HEADER + 1)},
     "151 lines"),
    ("a function over its limit", {"a.c": body(MAX_FUNCTION + 1)},
     "61 lines"),
    ("a test over its limit",
     {"a.c": "TEST_ROWS(x,\n\t  rows)\n{\n" + "\tg();\n" * 58 + "}\n"},
     "62 lines"),
    ("a callback of nghttp2",
     {"a.c": "int f(nghttp2_session *session, int b, int c, int d, int e,\n"
             "      int g)\n{\n}\n"}, None),
    ("one in the place of a library's",
     {"a.c": "int __wrap_f(int a, int b, int c, int d, int e, int g)\n"
             "{\n}\n"}, None),
    ("too many parameters",
     {"a.c": "static int f(int a, int b, int c,\n\t\tint d, int e, int f)\n"
             "{\n}\n"}, "6 parameters"),
]

if __name__ == "__main__":
    common.main(check, SAMPLES)
