#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Write what the .proto files say of methods and the generated C does not.

method-facts.py OUTPUT PROTO...: how each method streams, for the rows of
method-rows.h; of the public ones also their names and the types of their messages, as
those that call them want them (method-calls.h).
"""
import pathlib
import re
import sys

KINDS = {(False, False): "UNARY", (True, False): "CLIENT_STREAM",
         (False, True): "SERVER_STREAM"}
MESSAGES = {"QUESTION": "request", "ANSWER": "response"}
SERVICE = re.compile(r"^service (\w+) \{(.*?)^\}", re.M | re.S)
METHOD = re.compile(r"\brpc\s+(\w+)\s*\(\s*(stream\s+)?[\w.]+\s*\)"
                    r"\s*returns\s*\(\s*(stream\s+)?[\w.]+\s*\)")
COMMENT = re.compile(r"//[^\n]*")


def in_c(name):
    """As protoc-c writes a name: ReadCsr is read_csr."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def facts(text):
    """Yield the lines on the methods of one file."""
    text = COMMENT.sub("", text)
    public = re.search(r"^package pmu\.v1;", text, re.M)
    for service, body in SERVICE.findall(text):
        for name, asks, answers in METHOD.findall(body):
            kind = KINDS[bool(asks), bool(answers)]
            yield f"#define METHOD_KIND_{name} {kind}"
            if public:
                yield f'#define METHOD_PATH_{name} "{service}/{name}"'
                for what, ending in MESSAGES.items():
                    yield (f"#define METHOD_{what}_{name} "
                           f"pmu__v1__{in_c(name)}_{ending}__descriptor")


def main(output, *files):
    lines = ["#ifndef PMU_METHOD_FACTS_H", "#define PMU_METHOD_FACTS_H"]
    for file in files:
        lines += facts(pathlib.Path(file).read_text(encoding="utf-8"))
    pathlib.Path(output).write_text("\n".join(lines + ["#endif", ""]),
                                    encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
