#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Write the C table of rules that `pmuctl explain rule` knows.

rules-table.py SOURCE_ROOT OUTPUT DEPFILE: the chapters of tests/rules in C.
"""
import pathlib
import sys


def quote(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def row(rule, deciders, anchors):
    title = ("no test: " if rule.state == "none" else "") + rule.text
    sections = rule.sections
    if rule.name in anchors:
        sections = [f"norm:{rule.name} of the RISC-V Instruction Set Manual"]
    fields = {
        "name": rule.name,
        "chapter": rule.chapter,
        "title": title,
        "decision": rule.decision,
        "by": "; ".join(deciders[d] for d in rule.deciders),
        "section": "; ".join(sections),
    }
    return ", ".join(f".{k} = {quote(v)}" for k, v in fields.items() if v)


def main(root, output, depfile):
    sys.path.insert(0, str(root / "tests/rules"))
    import table  # pylint: disable=import-outside-toplevel
    rules = table.load(root)
    names = root / "tests/rules/anchors.txt"
    anchors = set(names.read_text(encoding="utf-8").split())
    with open(output, "w", encoding="utf-8") as out:
        print('#include "cmd/explain-facts.h"\n', file=out)
        print("const struct rule_info rule_infos[] = {", file=out)
        for _, rule in sorted(rules.items()):
            print(f"\t{{ {row(rule, table.DECIDERS, anchors)} }},", file=out)
        print("};", file=out)
        print(f"const unsigned rule_infos_len = {len(rules)};", file=out)
    # the folder too: a chapter may come or go
    chapters = table.chapters(root)
    pages = [root / page for page in map(table.page_of, chapters) if page]
    read = [root / "tests/rules", pathlib.Path(table.__file__), names, *chapters,
            *pages]
    inputs = " ".join(str(path).replace(" ", "\\ ") for path in read)
    pathlib.Path(depfile).write_text(f"{output}: {inputs}\n", encoding="utf-8")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), *sys.argv[2:])
