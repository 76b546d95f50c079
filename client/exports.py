#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Write libpmuclient's version script.

usage: exports.py OUTPUT MAP HEADER...

What the installed headers declare is exported, nothing else. MAP says which of
these names stand since which version; those that it does not name yet stand in
a version of their own behind its last one, so that a program that needs one of
them says so when it starts. scripts/baseline takes that version into MAP.
"""
import pathlib
import re
import sys

COMMENT = re.compile(r"/\*.*?\*/", re.S)
NODE = re.compile(r"^(\w+?)_(\d+)\.(\d+) \{(.*?)^\}", re.M | re.S)
NAME = re.compile(r"^\t(\w+);$", re.M)
TYPE = re.compile(r"^typedef.*?;", re.M | re.S)
DECLARED = re.compile(r"\b(pmuclient_\w+)\("
                      r"|^extern const Protobuf\w+\s+(\w+);", re.M)


def released(text):
    """Return {name: node} and the names of the nodes, oldest first."""
    names, nodes = {}, []
    for library, major, minor, body in NODE.findall(COMMENT.sub("", text)):
        nodes.append((library, int(major), int(minor)))
        for name in NAME.findall(body):
            if name in names:
                sys.exit(f"libpmuclient.map: {name} stands twice")
            names[name] = nodes[-1]
    if not nodes:
        sys.exit("libpmuclient.map: no version in it")
    return names, nodes


def declared(files):
    names = set()
    for file in files:
        text = pathlib.Path(file).read_text(encoding="utf-8")
        text = TYPE.sub("", COMMENT.sub("", text))
        names |= {a or b for a, b in DECLARED.findall(text)}
    return names


def version_script(text, names):
    """Return @text with a node for those of @names that it does not have."""
    old, nodes = released(text)
    gone = sorted(set(old) - names)
    if gone:
        sys.exit(f"libpmuclient.map: no header declares {', '.join(gone)} any "
                 "more, and programs were linked to it")
    new = sorted(names - set(old))
    if not new:
        return text
    library, major, minor = nodes[-1]
    lines = [f"{library}_{major}.{minor + 1} {{", "global:",
             *(f"\t{name};" for name in new),
             f"}} {library}_{major}.{minor};", ""]
    return text + "\n" + "\n".join(lines)


def main(output, script, *headers):
    text = pathlib.Path(script).read_text(encoding="utf-8")
    pathlib.Path(output).write_text(version_script(text, declared(headers)),
                                    encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
