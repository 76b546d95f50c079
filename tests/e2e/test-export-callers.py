#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""pmuctl trace export and script: the callers that samples have.

What is written is compared with the chains of the trace, which `trace show`
prints, and with the names that nm has for their addresses.
"""
import collections
import gzip
import html.parser
import json
import re
import subprocess
import sys

import bench
from bench import WORK, holds, pmuctl, same
from exports import (FUNCTIONS, GUEST, by_frames, field, function_at, samples,
                     stack, stacks, unwound, varint)


def export(form, trace):
    return pmuctl("trace", "export", "--kind", "sample", "--format", form,
                  "--symbols", GUEST, trace).out


def test_folded_stacks_have_the_chains_of_the_trace():
    for trace in (unwound(), by_frames()):
        found = collections.Counter()
        lines = export("folded", trace).decode().splitlines()
        for line in lines:
            frames, _, n = line.rpartition(" ")
            found[tuple(frames.split(";"))] += int(n)
        same(len(lines), len(found), "a line for each stack")
        same(found, stacks(trace))
    deep = max(stacks(unwound()), key=len)
    holds(len(deep) >= 2 + 3 and "main" in deep[:-1], deep)


def test_a_cpuprofile_has_callers_as_nodes():
    for trace in (unwound(), by_frames()):
        profile = json.loads(export("cpuprofile", trace))
        nodes = {n["id"]: n for n in profile["nodes"]}
        path = {1: ()}
        for node in profile["nodes"]:
            for c in node.get("children", []):
                holds(c not in path, c)
                path[c] = path[node["id"]] + (
                    nodes[c]["callFrame"]["functionName"],)
        same(set(path), set(nodes))
        same([path[i] for i in profile["samples"]],
             list(map(stack, samples(trace))))
        same({path[i]: n["hitCount"] for i, n in nodes.items()
              if n["hitCount"]}, dict(stacks(trace)))


class Flames(html.parser.HTMLParser):
    """Frames: the names from the root on, and how many samples."""

    def __init__(self, text):
        super().__init__()
        self.path, self.frames, self.div = [], collections.Counter(), []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "div":
            self.div.append(attrs.get("class") == "frame")
        elif tag == "span" and "title" in attrs:
            name, _, told = attrs["title"].rpartition(": ")
            self.path.append(name)
            self.frames[tuple(self.path)] += int(told.split()[0])

    def handle_endtag(self, tag):
        if tag == "div" and self.div.pop():
            self.path.pop()


def test_a_flame_graph_stands_on_the_callers():
    for trace in (unwound(), by_frames()):
        want = collections.Counter()
        for frames, n in stacks(trace).items():
            for depth in range(1, len(frames) + 1):
                want[frames[:depth]] += n
        same(Flames(export("html", trace).decode()).frames, want)


def test_pprof_has_the_callers_of_each_sample():
    for trace in (unwound(), by_frames()):
        path = WORK / "callers.pprof"
        path.write_bytes(export("pprof", trace))
        holds(gzip.decompress(path.read_bytes()))
        for event in {s[0] for s in stacks(trace)}:
            text = subprocess.run(
                ["go", "tool", "pprof", "-traces", f"-sample_index={event}",
                 path], check=True, capture_output=True,
                timeout=bench.LONG).stdout.decode()
            found = collections.Counter()
            for part in re.split(r"^-+\+-+$", text, flags=re.M)[1:]:
                rows = re.findall(r"^ +(?:(\d+) +)?(\S+)$", part, re.M)
                if not rows:
                    continue
                same([n for n, _ in rows[1:]], [""] * (len(rows) - 1))
                found[tuple(f for _, f in reversed(rows))] += \
                    int(rows[0][0] or 0)
            want = collections.Counter()
            for (of, _, *frames), n in stacks(trace).items():
                if of == event:
                    want[tuple(frames)] += n
            same(+found, want, text[:3000])


def test_lines_of_script_name_the_callers():
    """Where each goes on: the name of whoever called, and how far behind."""
    for trace in (unwound(), by_frames()):
        lines = pmuctl("script", "--symbols", GUEST,
                       trace).text().splitlines()[1:]
        found = [re.findall(r" from (\S+)|$", line)[0] for line in lines]
        want = []
        for r in samples(trace):
            names = []
            for pc in map(int, r["sample"].get("callers", [])):
                name, start = function_at(pc - 1)
                names.append(f"{name}+{pc - start:#x}")
            want.append(",".join(names))
        same(found, want)
        holds(any("main+0x" in names for names in want) or
              trace == by_frames(), want)
        bare = pmuctl("script", trace).text()
        holds("from main" not in bare, bare)


def test_a_call_that_is_the_last_of_its_function_is_its_callers():
    """What it returns to is the first instruction of the next function."""
    function_at(0)
    at = next(i for i, f in enumerate(FUNCTIONS) if f[1] == "main")
    callee = field(1, 2) + field(2, b"cycles") + field(3, 9) + \
        field(4, 1) + field(6, FUNCTIONS[at][0]) + \
        field(7, varint(FUNCTIONS[at][0]))
    path = WORK / "last.trace"
    path.write_bytes(field(1, field(1, 1) + field(6, 64)) + field(2, field(
        4, 2) + field(5, FUNCTIONS[at][0] + 4) + field(17, callee)))
    done = pmuctl("trace", "export", "--format", "folded", "--force",
                  "--symbols", GUEST, path)
    same(done.out.decode(), f"cycles;S;{FUNCTIONS[at - 1][1]};main 1\n")


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
