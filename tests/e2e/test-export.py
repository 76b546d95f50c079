#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""pmuctl trace export: what its readers make of each format.

What they say is compared with the trace's own records (exports.py); browsers
are asked by test-export-browser.py.
"""
import collections
import gzip
import html.parser
import json
import os
import pathlib
import re
import subprocess
import sys

import bench
from bench import WORK, holds, pmuctl, same, start
from exports import (
    GUEST, S, SPANS, UNKNOWN, both, counted, event_of, export, field, folded_name,
    name_of, needs, overflow, pc_of, perf, plain, recorded, records, sample,
    shown, space_of, spans, traced, waits, weight_of, write)


def test_folded_stacks_count_what_the_trace_has():
    for trace, args in both():
        found = collections.Counter()
        for line in export("folded", trace, *args).out.splitlines():
            stack, _, n = line.decode("latin-1").rpartition(" ")
            event, space, function = stack.split(";")
            found[plain(event), space, function] += int(n)
        same(found, counted(shown(trace, *args),
                            event_of, space_of,
                            lambda r: folded_name(name_of(r))))


def test_lines_of_json_say_each_sample():
    for trace, args in both():
        rows = [json.loads(l) for l in
                export("json", trace, *args).out.decode().splitlines()]
        want = shown(trace, *args)
        hz = 10**9 if args else 5 * 10**8
        same(len(rows), len(want))
        for got, r in zip(rows, want):
            same((got["hart"], got["cycle"], got["insn"],
                  int(got["pc"], 16), int(got["nextPc"], 16)),
                 (r["hart"], r["cycle"], r["insn"], pc_of(r), int(r["pc"])))
            if "sample" in r:
                same((got["sampler"], got["periods"], "counter" in got),
                     (2, str(weight_of(r)), False))
            else:
                same((got["counter"], got["raised"]),
                     (r["overflow"]["counter"], r["overflow"]["raised"]))
            same(plain(got["event"]), recorded(r))
            same((got["function"], got.get("offset"), got.get("line")),
                 (name_of(r), int(r["offset"]) if "offset" in r else None,
                  r.get("line")))
            same(int(got["ns"]), int(r["cycle"]) * 10**9 // hz)
            same((got["mode"], int(got.get("satp", "0"), 16)),
                 (r["privilege"][-1], int(r["satp"])))
            holds("file" not in r or got["file"].endswith("/" + r["file"]),
                  got)


def test_chrome_has_a_mark_for_each_record():
    for trace, args in both():
        events = json.loads(export("chrome", trace, *args).out)["traceEvents"]
        marks = [e for e in events if e["ph"] == "i"]
        want = records(trace, *args)
        hz = 10**9 if args else 5 * 10**8
        same([(m["tid"], round(m["ts"] * 1000)) for m in marks],
             [(r["hart"], int(r["cycle"]) * 10**9 // hz) for r in want])
        for mark, r in zip(marks, want):
            holds(mark["cat"] in ("overflow", "sample", "trap", "sbi",
                                  "console", "hart", "stop"), mark)
            for kind in ("overflow", "sample"):
                same(mark["cat"] == kind, kind in r, r)
            if "overflow" in r or "sample" in r:
                same((plain(mark["name"]), mark["args"]["function"],
                      int(mark["args"]["pc"], 16), mark["args"]["space"]),
                     (recorded(r), name_of(r), pc_of(r), space_of(r)))
        last = {(plain(e["name"]), e["id"]): max(e["args"].values())
                for e in events if e["ph"] == "C"}
        same(last, dict(counted(
            shown(trace, *args), recorded,
            lambda r: "sample" if "sample" in r else "overflow")))
        same({e["tid"]: e["args"]["name"] for e in events if e["ph"] == "M"},
             {r["hart"]: f"hart {r['hart']}" for r in want})


def bars(events):
    """Group, row, name, when each begins and ends."""
    found, opened = [], {}
    for e in events:
        at = e["pid"], e["tid"]
        if e["ph"] == "X":
            found.append((*at, e["name"], e["ts"], e["ts"] + e["dur"]))
        elif e["ph"] == "B":
            opened.setdefault(at, []).append((e["name"], e["ts"]))
        elif e["ph"] == "E":
            name, begin = opened[at].pop()
            same(e["name"], name)
            found.append((*at, name, begin, e["ts"]))
    holds(not any(opened.values()), opened)
    return sorted(found)


def test_chrome_has_a_bar_for_what_lasts():
    events = json.loads(export("chrome", spans()).out)["traceEvents"]
    same(bars(events), sorted(SPANS))
    same({(e["pid"], e["tid"]): e["args"]["name"] for e in events
          if e["name"] == "thread_name"},
         {(1, 0): "hart 0", (1, 1): "hart 1", (2, 3): "hart 0 counter 3",
          (2, 7): "hart 0 counter 7"})
    same(bars(json.loads(export("chrome", waits()).out)["traceEvents"]),
         [(1, 0, "waiting", 0, 8), (1, 0, "waiting", 14, 14),
          (1, 1, "started", 2, 14), (1, 1, "waiting", 4, 10)])
    # by halves: without SBI calls nobody knows where handlers end
    same(bars(json.loads(export("chrome", spans(), "--kind",
                                "hart,delivery,reset,stop").out)["traceEvents"]),
         sorted(s for s in SPANS if not s[2].startswith("software")))


def test_chromes_bars_are_those_of_a_real_guest():
    path = WORK / "harts.trace"
    pmuctl("run", "--harts", "2", "--record", "delivery", "--trace", path,
           bench.GUESTS["conformance-rv64"])
    want, since = [], {}
    rows = records(path, "-k", "hart,delivery,stop")
    for r in rows:
        what = r.get("hartChange", {}).get("what", "")[len("WHAT_"):]
        at, hart = int(r["cycle"]), r["hart"]
        if what in ("STARTED", "WAITING"):
            since[hart, what] = at
        for name, end in (("WAITING", "WOKEN"), ("STARTED", "STOPPED")):
            if what == end:
                want.append((1, hart, name.lower(), since.pop((hart, name)), at))
        if "delivery" in r:
            bits = [i for i in range(32) if r["delivery"]["counters"] >> i & 1]
            want += [(2, hart * 32 + i, "overflow", int(c), at) for i, c in
                     zip(bits, r["delivery"].get("cycles", []))
                     if 0 < int(c) < at]
    end = int(records(path)[-1]["cycle"])
    want += [(1, hart, name.lower(), at, end)
             for (hart, name), at in since.items()]
    events = json.loads(export("chrome", path).out)["traceEvents"]
    same([(*b[:3], round(b[3] * 1000), round(b[4] * 1000)) for b in bars(events)],
         sorted(want))
    holds(len(want) > 100, len(want))


def test_a_cpuprofile_is_a_tree_with_a_node_for_each_sample():
    for trace, args in both():
        profile = json.loads(export("cpuprofile", trace, *args).out)
        nodes = {n["id"]: n for n in profile["nodes"]}
        path, want = {1: ()}, shown(trace, *args)
        for node in profile["nodes"]:
            for child in node.get("children", []):
                holds(child not in path, child)
                path[child] = path[node["id"]] + (
                    nodes[child]["callFrame"]["functionName"],)
        same(set(path), set(nodes))
        same([(plain(path[i][0]), *path[i][1:]) for i in profile["samples"]],
             [(event_of(r), space_of(r), name_of(r)) for r in want])
        hits = collections.Counter()
        for i, r in zip(profile["samples"], want):
            hits[i] += weight_of(r)
        same({i: n["hitCount"] for i, n in nodes.items() if n["hitCount"]},
             hits)
        hz = 10**9 if args else 5 * 10**8
        times = [int(r["cycle"]) * 10**6 // hz for r in want]
        same(sum(profile["timeDeltas"]), times[-1] - times[0])
        same((profile["startTime"], profile["endTime"]),
             (times[0], times[-1]))
        lines = collections.Counter()
        for node in profile["nodes"]:
            for tick in node.get("positionTicks", []):
                lines[tick["line"]] += tick["ticks"]
        same(lines, {line: n for (line,), n in counted(
            [r for r in want if "line" in r], lambda r: r["line"]).items()})


def test_callgrind_annotate_reads_the_counts():
    for trace, args in both():
        path = WORK / "callgrind.out"
        export("callgrind", trace, "-o", path, *args)
        text = subprocess.run(
            ["callgrind_annotate", "--threshold=100", "--show-percs=no",
             "--auto=no", path], check=True, capture_output=True,
            timeout=bench.LONG).stdout.decode("latin-1")
        names = re.search(r"Events shown: +(.*)", text)[1].split()
        found = collections.Counter()
        for *costs, function in re.findall(
                r"^ *" + r"([\d,.]+) +" * len(names) +
                r"\S+?:(\S+) \[.*\]$", text, re.M):
            for name, cost in zip(names, costs):
                found[name, function] += int(
                    cost.replace(",", "").replace(".", "0"))
        same(+found, counted(
            shown(trace, *args),
            lambda r: {"hostile": "a_b_c_d_e________", UNKNOWN: "e_unknown_"}
            .get(event_of(r), re.sub(r"\W", "_", event_of(r))),
            name_of), text)
        same(set(re.findall(r"^ob=(.*)$", path.read_text("latin-1"), re.M)),
             {space_of(r) for r in shown(trace, *args)})


def fields(message):
    """Numbers and values of a message; those of one number in a list."""
    found, at = collections.defaultdict(list), 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte, at = message[at], at + 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(message):
        tag = number()
        value = number()
        if tag & 7:
            same(tag & 7, 2)
            value, at = message[at:at + value], at + value
        found[tag >> 3].append(value)
    return found


def packed(message):
    at, found = 0, []
    while at < len(message):
        end = at
        while message[end] > 127:
            end += 1
        found += fields(b"\x08" + message[at:end + 1])[1]
        at = end + 1
    return found


def of_pprof(path):
    """A profile by the numbers of its public description."""
    profile = fields(gzip.decompress(path.read_bytes()))
    text = [t.decode() for t in profile[6]]
    one = collections.defaultdict(lambda: [0])
    functions, places = {}, {}
    for f in map(fields, profile[5]):
        functions[f[1][0]] = text[f[2][0]]
    for place in map(fields, profile[4]):
        line = one | fields(place[4][0])
        places[place[1][0]] = (functions[line[1][0]], place[3][0],
                               line[2][0])
    types = [fields(t) for t in profile[1]]
    same({text[t[2][0]] for t in types}, {"count"})
    found = collections.Counter()
    for s in map(fields, profile[2]):
        label = {text[l[1][0]]: text[l[2][0]] for l in map(fields, s[3])}
        for t, value in zip(types, packed(s[2][0]), strict=True):
            found[plain(text[t[1][0]]), label["space"], label["hart"],
                  *places[packed(s[1][0])[0]]] += value
    return +found


def test_pprof_reads_the_counts():
    for trace, args in both():
        path, want = WORK / "pprof.gz", shown(trace, *args)
        export("pprof", trace, "-o", path, *args)
        same(of_pprof(path), counted(
            want, event_of, space_of, lambda r: str(r["hart"]), name_of,
            pc_of, lambda r: r.get("line", 0)))
        needs("go", "golang-go")
        for event in {event_of(r) for r in want} - {"hostile", UNKNOWN}:
            text = subprocess.run(
                ["go", "tool", "pprof", "-top", f"-sample_index={event}",
                 path], check=True, capture_output=True,
                timeout=bench.LONG).stdout.decode()
            rows = re.findall(r"^ *(\d+) .*% +(\S+)$", text, re.M)
            same({(f,): int(n) for n, f in rows}, dict(counted(
                [r for r in want if event_of(r) == event], name_of)), text)


def test_babeltrace_reads_every_record():
    for trace, args in both():
        folder = WORK / ("ctf" + str(len(args)))
        export("ctf", trace, "-o", folder, *args)
        done = subprocess.run(["babeltrace2", "--clock-cycles", folder],
                              check=True, capture_output=True,
                              timeout=bench.LONG)
        same(done.stderr, b"")
        rows = re.findall(
            r'^\[0*(\d+)\] \(.*?\) (\w+): \{ hart = (\d+), mode = "(\w+)", '
            r'cycle = (\d+), insn = (\d+), pc = (\w+), what = "(.*?)" \}, '
            r'\{(.*)\}$', done.stdout.decode(), re.M)
        want = records(trace, *args)
        same([(h, m, c, i, str(int(pc, 16)))
              for _, _, h, m, c, i, pc, _, _ in rows],
             [(str(r["hart"]), r["privilege"].rpartition("_")[2], r["cycle"],
               r["insn"], r["pc"]) for r in want])
        times = [int(r[0]) for r in rows]
        same(times, [max(int(r["cycle"]) for r in want[:i + 1])
                     for i in range(len(want))] if args else
             [int(r["cycle"]) for r in want])
        found = [re.search(r'event_name = "(.*?)", last_pc = (\w+), '
                           r'space = "(.*?)", function = "(.*?)"', r[8])
                 .groups() for r in rows if r[1] in ("overflow", "sample")]
        want = shown(trace, *args)
        same([(plain(e), int(pc, 16), s, f) for e, pc, s, f in found],
             [(recorded(r), pc_of(r), space_of(r), name_of(r))
              for r in want])
        same([int(re.search(r"periods = (\d+)", r[8])[1]) for r in rows
              if r[1] == "sample"],
             [weight_of(r) for r in want if "sample" in r])


def scripted(path, *args):
    """Samples as perf tells them: space, hart, ns, period, event, pc,
    function."""
    return [(space, int(hart), int(s) * 10**9 + int(ns), int(period),
             plain(event.strip()),
             int(pc, 16), function)
            for space, hart, s, ns, period, event, pc, function in re.findall(
                r"^ *(\S.*?) +\d+ +\[(\d+)\] +(\d+)\.(\d+): +(\d+) (.*): +"
                r"(\w+) "
                r"(\S+?)(?:\+0x\w+)? \(", perf(
                    "script", "--ns", "-i", path, *args,
                    "-F", "comm,pid,cpu,time,period,event,ip,sym,symoff,dso"),
                re.M)]


def test_perf_reads_the_samples():
    for trace, args in both():
        path, hz = WORK / "perf.data", 10**9 if args else 5 * 10**8
        export("perf", trace, "-o", path, *args)
        want = shown(trace, *args)
        same(scripted(path), [
            (space_of(r), r["hart"], int(r["cycle"]) * 10**9 // hz,
             weight_of(r), event_of(r), pc_of(r), name_of(r))
            for r in want])
    path = WORK / "perf.data"
    export("perf", traced(), "-o", path, "--symbols", GUEST)
    for event in ("cycles", "instructions"):
        text = perf("report", "--stdio", "-n", "-i", path, "--sort", "sym")
        text = text[text.index(f"of event '{event}'"):].split("# Samples")[0]
        rows = re.findall(r"% +(\d+) +\[\.\] (\S+)", text)
        same({(f,): int(n) for n, f in rows}, dict(counted(
            [r for r in shown(traced(), "--symbols", GUEST)
             if event_of(r) == event], name_of)), text)


def test_perf_names_a_kernel_by_its_list():
    listed = subprocess.run(["riscv64-unknown-elf-nm", "-n", GUEST],
                            check=True, capture_output=True).stdout.decode()
    lines = [l for l in listed.splitlines() if re.search(r" [tT] [^$]", l)]
    system_map, path = WORK / "System.map", WORK / "kernel.data"
    system_map.write_text("\n".join([lines[0].split()[0] + " T _text", *lines])
                          + "\n")
    export("perf", traced(), "-o", path, "--symbols", system_map)
    same([s[6] for s in scripted(path, "--kallsyms", system_map)],
         [name_of(r) for r in shown(traced(), "--symbols", GUEST)])


class Page(html.parser.HTMLParser):
    """The cells of its tables, and what it would load."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.loads, self.inside, self.frames = [], [], "", []
        self.depth = 0
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.loads += [a for a in attrs if a[0] in ("src", "href")]
        self.inside = tag
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
        elif tag == "span":
            self.frames.append((self.depth, dict(attrs)["title"]))
        self.depth += tag == "div"

    def handle_endtag(self, tag):
        self.inside = ""
        self.depth -= tag == "div"

    def handle_data(self, data):
        if self.inside in ("td", "th"):
            self.rows[-1][-1] += data


def test_a_page_has_all_in_it_without_scripts():
    for trace, args in both():
        text = export("html", trace, *args).out.decode()
        page, want = Page(text), shown(trace, *args)
        same(page.loads, [])
        holds("://" not in text and "@import" not in text and
              "url(" not in text)
        rows = {(plain(r[0]), *r[1:3]): int(r[4]) for r in page.rows
                if len(r) == 6 and r[0] != "Event"}
        same(rows, dict(counted(want, event_of, space_of, name_of)))
        rows = {(r[0], plain(r[1])): int(r[2]) for r in page.rows
                if len(r) == 4}
        same(rows, dict(counted(want, lambda r: f"hart {r['hart']}",
                                event_of)))
        bars = re.findall(r"<title>(\d+) from", text)
        n = sum(map(weight_of, want))
        same(sum(map(int, bars)), n)
        places = [int(x) for x in re.findall(r'<rect x="(\d+)"', text)]
        holds(min(places) == 0 and 230 < max(places) < 240, places)
        # each sample is in the frame of its event, its space, its function
        levels = collections.Counter()
        for depth, title in page.frames:
            levels[depth] += int(title.rpartition(": ")[2].split()[0])
        same(levels, {2: n, 4: n, 6: n})
        same(page.depth, 0)


def test_names_are_as_their_authors_wrote_them():
    names = {"sieve": ("_ZN5prime5sieveEjPh", "prime::sieve"),
             "chase": ("_ZN4core3ptr5chase17h0123456789abcdefE",
                       "core::ptr::chase"),
             "strings": ("_RNvCs1234_5words7strings", "words::strings"),
             "matrix": ("_ZnwmSt11align_val_t", "operator new")}
    elf = WORK / "mangled.elf"
    subprocess.run(["riscv64-unknown-elf-objcopy", *(
        f"--redefine-sym={name}={mangled}"
        for name, (mangled, _) in names.items()), GUEST, elf], check=True)
    plain, args = shown(traced(), "--symbols", GUEST), [
        "--symbols", elf, "--force"]
    want = [names.get(name_of(r), (0, name_of(r)))[1] for r in plain]
    holds({n for _, n in names.values()} <= set(want), want)
    same([name_of(r) for r in shown(traced(), *args)], want)
    same([json.loads(l)["function"] for l in
          export("json", traced(), *args).out.splitlines()], want)
    lines = pmuctl("trace", "show", "-k", "overflow", *args,
                   traced()).text().splitlines()[1:]
    same([l.split()[4].partition("+0x")[0] for l in lines],
         [w.replace(" ", "_") for w in want])
    with bench.daemon() as d:
        m = d.pmuctl("machine", "create").text().strip()
        d.pmuctl("machine", "load", m, elf)
        d.pmuctl("machine", "start", "--paused", m)
        d.pmuctl("machine", "break", m, names["chase"][0])
        d.pmuctl("machine", "resume", m)
        holds(" core::ptr::chase+0x0 " in
              d.pmuctl("machine", "wait", m).text())


def test_a_part_of_a_trace_can_be_exported():
    cycles = [int(r["cycle"]) for r in shown(traced())]
    for args, want in (
            (["--first-cycle", cycles[3], "--last-cycle", cycles[7]],
             cycles[3:8]),
            (["-n", 4], cycles[:4]),
            (["--counter", 4], [int(r["cycle"]) for r in shown(traced())
                                if r["overflow"]["counter"] == 4])):
        rows = export("json", traced(), *args).out.splitlines()
        same([int(json.loads(r)["cycle"]) for r in rows], want)


def formats():
    return pmuctl("completion", "words", "--", "trace", "export", "--format",
                  "").text().split()


def peak(form, trace, out):
    """KiB of memory that an export has used at most."""
    # a sanitizer would keep what was freed
    options = os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=1"
    command = start("trace", "export", "--format", form, "-o", out, trace,
                    "--symbols", GUEST,
                    env=bench.environment(ASAN_OPTIONS=options))
    _, status, used = os.wait4(command.pid, 0)
    command.returncode = os.waitstatus_to_exitcode(status)
    same(command.returncode, 0, form)
    return used.ru_maxrss


def test_memory_does_not_grow_with_the_trace():
    """The run's records over and over: no place, function or event is new."""
    data, large = traced().read_bytes(), WORK / "large.trace"
    at = 2 + data[1] if data[1] < 0x80 else 3 + (data[1] & 0x7f |
                                                 data[2] << 7)
    large.write_bytes(data[:at] + data[at:] * 400)
    for form in formats():
        small = peak(form, traced(), WORK / f"small.{form}")
        grown = peak(form, large, WORK / f"large.{form}") - small
        holds(grown < 2048 < large.stat().st_size / 1024, (form, small, grown))


def test_a_full_disk_is_told():
    for form in formats():
        if form == "ctf":
            continue  # a folder, which no device is
        done = export(form, traced(), "-o", "/dev/full", code=1)
        same(done.err, b"pmuctl: /dev/full: No space left on device\n", form)


def test_help_and_papers_name_every_format():
    page = (pathlib.Path(bench.SOURCE, "docs/EXPORTS.md").read_text())
    text = " ".join(pmuctl("trace", "export", "--help").text().split())
    listed = re.search(r"What to write: ([\w, ]+?) -", text)[1]
    same(re.split(r", | or ", listed), formats())
    same(re.findall(r"^## (\w+):", page, re.M), formats())


def test_what_cannot_be_exported_is_said_and_nothing_is_written():
    out, folder = WORK / "whole", WORK / "folder"
    record = overflow(1, 4)
    cut, bad = WORK / "cut.trace", write("bad.trace", record,
                                         field(2, b"\xff"))
    cut.write_bytes(traced().read_bytes()[:3])  # in the header
    for form in formats():
        out.write_text("as it was")
        if form == "ctf":
            export(form, traced(), "-o", out, code=2)
            same(out.read_text(), "as it was")
            out, whole = folder, out
        for trace in (cut, bad):
            done = export(form, trace, "-o", out, code=1)
            holds(str(trace) in done.err.decode(), done)
            holds("at byte" in done.err.decode(), done)
            holds(form == "ctf" and not out.exists() or
                  out.read_text() == "as it was")
        export(form, WORK / "nosuch.trace", "-o", out, code=4)
        export(form, GUEST, "-o", out, code=1)
        done = export(form, bad, "-o", bad, code=2)
        holds(b"--output" in done.err, done)
        if form == "ctf":
            same(list(WORK.glob("folder.part-*")), [])
            out = whole
            export(form, traced(), code=2)
    done = export("nosuch", traced(), code=2)
    holds(b"'nosuch' is none of folded, json" in done.err, done)
    done = pmuctl("trace", "export", traced(), code=2)
    holds(b"--format is needed" in done.err, done)


def test_names_of_events_do_not_depend_on_what_comes_first():
    """Overflows keep theirs; samples do, unless overflows have it."""
    one, two = overflow(1, 4), sample(2, 8)
    for trace in (write("one-two.trace", one, two),
                  write("two-one.trace", two, one)):
        for form, want in (
                ("folded", {"cycles;S;[unknown] 1",
                            "cycles (sample);S;[unknown] 1"}),
                ("json", {'"cycles"'}), ("chrome", {'"cycles"'}),
                ("callgrind", {"0x4", "0x8"})):
            text = export(form, trace).out.decode()
            same({"folded": lambda t: set(t.splitlines()),
                  "json": lambda t: set(re.findall(r'"event":("[^"]*")', t)),
                  "chrome": lambda t: set(re.findall(
                      r'"name":("cycles[^"]*")', t)),
                  "callgrind": lambda t: set(re.findall("^0x[48]", t, re.M)),
                  }[form](text), want, form)
        names = re.search("^events: (.*)$", text, re.M)[1].split()
        costs = dict(re.findall(r"^(0x[48]) 0 (.*)$", text, re.M))
        same({names[costs[pc].split().index("1")]: pc for pc in costs},
             {"cycles": "0x4", "cycles__sample_": "0x8"}, text)
        for kind in ("overflow", "sample"):
            same(export("folded", trace, "--kind", kind).out,
                 b"cycles;S;[unknown] 1\n")


def test_an_empty_trace_has_no_samples():
    same(export("folded", write("empty.trace")).out, b"")
    same(export("json", write("empty.trace")).out, b"")


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
