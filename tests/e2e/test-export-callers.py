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
from exports import (FUNCTIONS, GUEST, HEADER, by_frames, chain, field,
                     function_at, perf, sample, samples, stack, stacks,
                     unwound, varint, write)


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


def plain_elf():
    """The guest without marks of assemblers, which perf takes for functions."""
    path = WORK / "plain.elf"
    if not path.exists():
        subprocess.run(["riscv64-unknown-elf-objcopy", "-w", "-N", "$x*", "-N",
                        "$d*", GUEST, path], check=True, timeout=bench.LONG)
    return path


def system_map():
    """Its functions as a kernel's list."""
    path = WORK / "System.map"
    function_at(0)
    path.write_text("".join(f"{at:016x} T {name}\n" for at, name in [
        (FUNCTIONS[0][0], "_text"), *FUNCTIONS]))
    return path


def data(trace, *args):
    path = WORK / "callers.data"
    pmuctl("trace", "export", "--kind", "sample", "--format", "perf", *args,
           "-o", path, trace)
    return path


def scripted(path, *args):
    """Samples as `perf script` has them: frames, the innermost first."""
    text = perf("script", "-i", path, "-F", "event,ip,sym", *args)
    for part in text.strip().split("\n\n"):
        first, *rows = part.splitlines()
        yield first.strip(" :"), [
            (int(ip, 16), name) for ip, name in
            (re.fullmatch(r"\s*(\w+) (\S+)\s*", row).groups() for row in rows)]


def test_perf_script_has_the_chain_of_each_sample():
    """Frame for frame, by address and name; of a caller, one in its call.

    Of a user's file perf prints the offset in it in place of the address.
    """
    for trace in (unwound(), by_frames()):
        want = [(r["sample"]["event"],
                 [(pc, function_at(pc)[0]) for pc in reversed(chain(r))])
                for r in samples(trace)]
        holds(any(len(frames) > 2 for _, frames in want) or
              trace == by_frames(), want)
        names = system_map()
        same(list(scripted(data(trace, "--symbols", names), "--kallsyms",
                           names)), want)
        for args, column in ((["--force", "--symbols", plain_elf()], 1), ([], 0)):
            same([(event, [f[column] for f in frames])
                  for event, frames in scripted(data(trace, *args))],
                 [(event, [f[column] for f in frames])
                  for event, frames in want])


def test_perf_report_has_the_stacks_of_callers():
    trace = unwound()
    path = data(trace, "--force", "--symbols", plain_elf())
    for event in {s[0] for s in stacks(trace)}:
        text = perf("report", "-i", path, "--stdio", "--no-children", "-g",
                    "folded,0,caller,count", "--sort", "sym")
        text = text[text.index(f"of event '{event}'"):].split("# Samples")[0]
        found = {tuple(names.split(";")): int(n) for n, names in
                 re.findall(r"^(\d+) (\S+)$", text, re.M)}
        want = collections.Counter()
        for (of, _, *frames), n in stacks(trace).items():
            if of == event:
                want[tuple(frames)] += n
        same(found, dict(want), text)


def test_perf_has_all_callers_that_a_chain_can_have():
    """Of an address that perf takes for a mark, the chain ends before it."""
    function_at(0)
    at = [start for start, _ in FUNCTIONS]
    for callers in ([at[i % 7] + 5 for i in range(127)],
                    [at[3] + 5, 0, at[2] + 5], [at[3] + 5, 2**64 - 4094]):
        path = WORK / "long.trace"
        inner = field(1, 2) + field(2, b"cycles") + field(3, 9) + \
            field(4, 1) + field(6, at[5]) + \
            field(7, b"".join(map(varint, callers))) + field(8, 2)
        path.write_bytes(HEADER + field(2, field(4, 2) + field(17, inner)))
        want = [at[5]]
        for c in callers:
            if not 0 < c < 2**64 - 4094:
                break
            want.append(c - 1)
        (_, frames), = scripted(data(path), "--max-stack", 128)
        same([ip for ip, _ in frames], want)


def test_perf_has_the_place_alone_where_no_callers_were_asked_for():
    """Without -g lines are of one sample each, and so is what they say."""
    path = data(write("bare.trace", sample(5, 0x80000040)))
    same(perf("script", "-i", path, "-F", "ip,sym").split()[0], "80000040")
    same(len(perf("script", "-i", path, "-F", "ip,sym").splitlines()), 1)
    # beside others it is a chain of its own place
    path = WORK / "callers.trace"
    path.write_bytes(by_frames().read_bytes() +
                     sample(10**12, FUNCTIONS[3][0], b"alone"))
    same(list(scripted(data(path)))[-1],
         ("alone", [(FUNCTIONS[3][0], "[unknown]")]))


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
