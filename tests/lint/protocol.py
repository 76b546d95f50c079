#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""The protocol explains itself.

Every RPC, field and enum value of the public protocol has a comment of its own,
before it or behind it on its line; and the reasons of refusals that the code
knows are those that docs/ERRORS.md lists.
"""
import re
import subprocess
import tempfile

from google.protobuf.descriptor_pb2 import FileDescriptorSet

import common

PROTOCOL = "proto/pmu/v1"
REASON = re.compile(r'\b(?:RPC_)?AT\([^;]*?,\s*"([A-Z_]+)"\)', re.S)
# constants that reach a refusal by another way
OTHER = re.compile(r'"((?:[A-Z]+_)+[A-Z]+)"')
OTHER_LINE = re.compile(r'->reason = |\.reason = |\? "[A-Z_]+"|: "[A-Z_]+"')
ROW = re.compile(r"^\| ([A-Z_]+) \|", re.M)


def describe(root, names):
    """Return the files' descriptors with their comments."""
    files = FileDescriptorSet()
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run(["protoc", "-I", "proto", "--include_source_info",
                        "--descriptor_set_out=" + out.name, *names],
                       cwd=root, check=True)
        files.ParseFromString(out.read())
    return files.file


def enum_parts(enum, path, name):
    for i, value in enumerate(enum.value):
        yield path + (2, i), f"{name}.{value.name}"


def message_parts(message, path, name):
    for i, field in enumerate(message.field):
        yield path + (2, i), f"{name}.{field.name}"
    for i, inner in enumerate(message.nested_type):
        yield from message_parts(inner, path + (3, i), f"{name}.{inner.name}")
    for i, inner in enumerate(message.enum_type):
        yield from enum_parts(inner, path + (4, i), f"{name}.{inner.name}")


def parts(file):
    """Yield (path, name) of all that needs a comment."""
    for i, message in enumerate(file.message_type):
        yield from message_parts(message, (4, i), message.name)
    for i, enum in enumerate(file.enum_type):
        yield from enum_parts(enum, (5, i), enum.name)
    for i, service in enumerate(file.service):
        for j, method in enumerate(service.method):
            yield (6, i, 2, j), f"{service.name}.{method.name}"


def check_comments(root):
    names = [str(p.relative_to(root / "proto"))
             for p in common.files(root, ".proto")
             if str(p.relative_to(root)).startswith(PROTOCOL + "/")]
    for file in describe(root, names) if names else ():
        where = {tuple(at.path): at for at in file.source_code_info.location}
        for path, name in parts(file):
            at = where[path]
            if not (at.leading_comments + at.trailing_comments).strip():
                yield (f"proto/{file.name}:{at.span[0] + 1}: {name} has no "
                       "comment")


def reasons(root):
    """Return {reason: a file that gives it}."""
    found = {}
    for path in common.files(root, ".c"):
        name = str(path.relative_to(root))
        if not name.startswith("daemon/"):
            continue
        source = common.text(path)
        given = REASON.findall(source)
        for line in source.splitlines():
            if OTHER_LINE.search(line):
                given += OTHER.findall(line)
        found.update({reason: name for reason in given})
    return found


def check_reasons(root):
    given = reasons(root)
    path = root / "docs/ERRORS.md"
    listed = set(ROW.findall(path.read_text()) if path.exists() else ())
    for reason in sorted(given.keys() - listed):
        yield f"{given[reason]}: {reason} is not in docs/ERRORS.md"
    for reason in sorted(listed - given.keys()):
        yield f"docs/ERRORS.md: nothing gives {reason}"


def check(root):
    return [*check_comments(root), *check_reasons(root)]


def proto(text):
    return {PROTOCOL + "/a.proto":
            'syntax = "proto3";\npackage pmu.v1;\n' + text}


CODE = 'void f(void)\n{\n\trefuse(AT("a", "NO_A"), "no");\n}\n'
SAMPLES = [
    ("comments before and behind",
     proto("message A {\n  // one\n  int32 b = 1;\n  int32 c = 2;  // two\n}\n"
           "service S {\n  // calls\n  rpc R(A) returns (A);\n}\n"
           "enum E {\n  E_NONE = 0; // none\n}\n"), None),
    ("a field without a comment",
     proto("// all of A\nmessage A {\n  // one\n  int32 b = 1;\n\n"
           "  int32 c = 2;\n}\n"), "a.proto:8: A.c has no comment"),
    ("a comment that stands apart",
     proto("message A {\n  // of many\n\n  int32 b = 1;\n}\n"), "A.b has no"),
    ("a oneof's field", proto("message A {\n  // which\n  oneof o {\n"
                              "    int32 b = 1;\n  }\n}\n"), "A.b has no"),
    ("an RPC without a comment",
     proto("message A {}\n// all of S\nservice S {\n  rpc R(A) returns (A);\n"
           "}\n"), "S.R has no comment"),
    ("an enum value without a comment",
     proto("enum E {\n  E_NONE = 0;\n}\n"), "E.E_NONE has no"),
    ("a message and an enum inside another",
     proto("message A {\n  message B {\n    int32 c = 1;\n  }\n}\n"),
     "A.B.c has no"),
    ("an enum's value inside a message",
     proto("message A {\n  enum E {\n    E_NONE = 0;\n  }\n}\n"),
     "A.E.E_NONE has no"),
    ("a reason that is listed",
     {"daemon/a.c": CODE, "docs/ERRORS.md": "| NO_A | it is not |\n"}, None),
    ("a reason that is not listed", {"daemon/a.c": CODE},
     "NO_A is not in docs/ERRORS.md"),
    ("a chosen reason that is not listed",
     {"daemon/a.c": 'f(x ? "NO_A"\n  : "NO_B");\n'}, "NO_B is not in"),
    ("a listed reason that nothing gives",
     {"docs/ERRORS.md": "| NO_A | it is not |\n"}, "nothing gives NO_A"),
]

if __name__ == "__main__":
    common.main(check, SAMPLES)
