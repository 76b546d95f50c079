#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""pmuctl trace export: what is seen of it in a browser.

speedscope reads folded, cpuprofile, pprof and chrome, and the page of html is
read as it is laid out, both in a Chromium without a window. What they say is
compared with the trace's own records (exports.py).
"""
import base64
import collections
import functools
import json
import pathlib
import re
import sys
import urllib.parse

import bench
import browser
from bench import SOURCE, WORK, holds, same
from exports import (
    GUEST, both, by_frames, counted, event_of, export, folded_name, made,
    name_of, needs, perf, plain, records, shown, space_of, spans, stacks,
    traced, unwound, waits)

HERE = pathlib.Path(SOURCE, "tests/e2e/speedscope")
PACKAGES = pathlib.Path(SOURCE, ".deps/speedscope")
# What is seen of the page, then of the flame graph with its first function alone,
# with its last one instead, and with a click on that again.
PROBE = """
const text = rows => [...document.querySelectorAll(rows)].map(
  row => [...row.cells].map(cell => cell.innerText));
const path = frame => frame.matches('.frame') ? [
  ...path(frame.parentElement.parentElement),
  frame.firstElementChild.textContent] : [];
const width = frame => frame.getBoundingClientRect().width;
const frames = [...document.querySelectorAll('.frame')];
const said = {
  functions: text('.functions tr'), time: text('.time tr'),
  frames: frames.map(f => [path(f), f.firstElementChild.title, width(f)]),
};
const functions = frames.filter(f => path(f).length == 3);
const widths = () => functions.map(width);
said.clicks = [widths(), ...[0, -1, -1].map(n => {
  functions.at(n).firstElementChild.click();
  return widths();
})];
said;
"""


def chained():
    """Traces whose samples have callers."""
    return {"unwound": unwound(), "frames": by_frames()}


def files():
    """All that speedscope is to open, by names by which it knows formats."""
    for name, (trace, args) in zip(("real", "made"), both()):
        for form in ("folded", "cpuprofile", "pprof"):
            yield f"{name}.{form}", export(form, trace, *args).out
    for name, trace in chained().items():
        for form in ("folded", "pprof"):
            yield f"{name}.{form}", export(
                form, trace, "--symbols", GUEST, "--kind", "sample").out
    for trace in (waits(), spans()):
        yield f"{trace.stem}.chrome", export("chrome", trace).out
    yield "sampled.chrome", export("chrome", traced(), "--kind", "overflow").out
    for form in ("chrome", "callgrind"):
        yield f"real.{form}", export(form, traced()).out
    path = WORK / "perf.data"
    export("perf", traced(), "-o", path, "--symbols", GUEST)
    yield "real.linux-perf.txt", perf("script", "-i", path).encode()


def speedscope(page):
    """What it makes of each file."""
    lock = (HERE / "package-lock.json").read_bytes()
    whole = PACKAGES / "complete"
    holds(whole.exists() and whole.read_bytes() == lock,
          f"{PACKAGES} is not what package-lock.json names: scripts/setup "
          "installs it, for which it needs the network and npm's registry")
    index = PACKAGES / "node_modules/speedscope/dist/release/index.html"
    # a script that it loads is how its command line gives it a file
    nothing = WORK / "nothing.js"
    nothing.touch()
    page.open(f"{index.as_uri()}#view=sandwich&localProfilePath=" +
              urllib.parse.quote(str(nothing)))
    given = [[n, base64.b64encode(d).decode()] for n, d in files()]
    return page.ask(f"const FILES = {json.dumps(given)};\n" +
                    (HERE / "drive.js").read_text())


def pages():
    """Those of html, and what each is to be compared with."""
    for name, (trace, args) in zip(("real", "made"), both()):
        yield name, trace, args
    yield "unwound", unwound(), ["--symbols", GUEST, "--kind", "sample"]


@functools.cache
def seen():
    """All that is seen in a browser, which is started once for all."""
    needs("chromium", "chromium")
    with browser.page(WORK / "chromium", 1200, 2000) as page:
        found = {"speedscope": speedscope(page)}
        for name, trace, args in pages():
            path = WORK / f"{name}.html"
            export("html", trace, "-o", path, *args)
            page.open(path.as_uri())
            found[name] = page.ask(PROBE)
            found[name]["picture"] = page.picture()
    return found


def opened():
    return seen()["speedscope"]


def profiles(name):
    """Those of a file: name, unit, and how much each whole stack weighs."""
    holds("read" in opened()[name], opened()[name])
    read = opened()[name]["read"]
    frames = [f["name"] for f in read["shared"]["frames"]]
    for p in read["profiles"]:
        found, stack, at = collections.Counter(), [], p["startValue"]
        for e in p["events"]:
            found[tuple(stack)] += e["at"] - at
            at = e["at"]
            if e["type"] == "O":
                stack.append(frames[e["frame"]])
            else:
                same(frames[e["frame"]], stack.pop())
        same(stack, [])
        yield p["name"], p["unit"], +found


def profile(name, unit):
    """The only one."""
    (found,) = profiles(name)
    same(found[:2], (name, unit))
    return found[2]


def told(stack):
    """A stack with its event's name as `event_of` has it."""
    return (plain(stack[0]), *stack[1:])


def test_speedscope_reads_all_samples_of_folded_stacks():
    for name, (trace, args) in zip(("real", "made"), both()):
        found = profile(f"{name}.folded", "none")
        same({told(s): n for s, n in found.items()}, dict(counted(
            shown(trace, *args), event_of, space_of,
            lambda r: folded_name(name_of(r)))))
    for name, trace in chained().items():
        same(profile(f"{name}.folded", "none"), stacks(trace))


def test_speedscope_reads_the_default_event_of_pprof():
    """It shows one; which it is stands in the file: the trace's first."""
    for name, (trace, args) in zip(("real", "made"), both()):
        want = shown(trace, *args)
        same(profile(f"{name}.pprof", "none"), counted(
            [r for r in want if event_of(r) == event_of(want[0])], name_of))
    for name, trace in chained().items():
        want, event = collections.Counter(), next(iter(stacks(trace)))[0]
        for (of, _, *frames), n in stacks(trace).items():
            if of == event:
                want[tuple(frames)] += n
        same(profile(f"{name}.pprof", "none"), want)


def test_speedscope_has_the_times_of_a_cpuprofile():
    """Each sample lasts until the next one."""
    for name, (trace, args) in zip(("real", "made"), both()):
        rows, want = shown(trace, *args), collections.Counter()
        hz = 10**9 if args else 5 * 10**8
        times = [int(r["cycle"]) * 10**6 // hz for r in rows]
        for r, at, end in zip(rows, times, times[1:] + times[-1:]):
            want[event_of(r), space_of(r), name_of(r)] += end - at
        found = profile(f"{name}.cpuprofile", "microseconds")
        same({told(s): n for s, n in found.items()}, dict(+want))


def bars(name):
    """Of each row of a timeline: how long each stack of bars was."""
    found = {}
    for row, unit, stacks in profiles(name):
        same(unit, "microseconds")
        found[re.search(r"hart \d+( counter \d+)?", row)[0]] = {
            s: n for s, n in stacks.items() if s}
    return found


def test_speedscope_has_the_bars_of_what_lasts():
    same(bars("waits.chrome"), {
        "hart 0": {("waiting",): 8},
        "hart 1": {("started",): 6, ("started", "waiting"): 6}})
    first, second = ("started", "software event 0x1"), "software event 0x10000"
    same(bars("spans.chrome"), {
        "hart 0": {("started",): 50, first: 20, (*first, second): 10,
                   (*first, "waiting"): 10},
        "hart 1": {("started",): 5, ("started", "waiting"): 5},
        "hart 0 counter 3": {("overflow",): 10},
        "hart 0 counter 7": {("overflow",): 2}})


def test_speedscope_has_a_real_run_as_the_bar_of_its_hart():
    (first, *_), last = records(traced()), int(records(traced())[-1]["cycle"])
    holds("hartChange" in first, first)
    same({name: {s: round(n * 1000) for s, n in found.items()}
          for name, found in bars("real.chrome").items()},
         {"hart 0": {("started",): last}})


def test_what_speedscope_does_not_read_is_known():
    """docs/EXPORTS.md says it."""
    for name, complaint in (("sampled.chrome", "it's empty"),
                            ("real.linux-perf.txt", "Unrecognized format")):
        holds(complaint in opened()[name].get("complaint", ""), name)
    counts = dict(counted(shown(traced()), event_of))
    holds(counts)
    for name, _, found in profiles("real.callgrind"):
        holds(sum(found.values()) != counts[name.split()[-1],], name)


def test_the_table_of_speedscope_has_the_counts_of_functions():
    for name, trace, args in (("real.pprof", traced(), ["--symbols", GUEST]),
                              ("made.pprof", made(), [])):
        want = shown(trace, *args)
        want = counted([r for r in want if event_of(r) == event_of(want[0])],
                       name_of)
        found = {}
        for row in opened()[name]["table"]:
            total, alone = (int(cell.split()[0].replace(",", ""))
                            for cell in row[:2])
            same(total, alone, row)
            found[row[2],] = alone
        same(found, dict(want))


def frames_of(page):
    """The flame graph's: how many samples, by stack, and how wide."""
    found = {}
    for path, title, width in page["frames"]:
        holds(told(path) not in found, path)
        found[told(path)] = int(title.rpartition(": ")[2].split()[0]), width
    return found


def is_the_graph_of(page, leaves):
    """Each frame has the samples of all on it, and is as wide as their part."""
    want, found = collections.Counter(), frames_of(page)
    for stack, n in leaves.items():
        for depth in range(1, len(stack) + 1):
            want[stack[:depth]] += n
    same({s: n for s, (n, _) in found.items()}, dict(want))
    for stack, (n, width) in found.items():
        whole, row = found[stack[:1]]
        holds(row > 1000 and abs(width - row * n / whole) < 1, stack)


def has_the_tables_of(page, rows):
    same({(plain(r[0]), *r[1:3]): int(r[4]) for r in page["functions"][1:]},
         dict(counted(rows, event_of, space_of, name_of)))
    same({(r[0], plain(r[1])): int(r[2]) for r in page["time"]},
         dict(counted(rows, lambda r: f"hart {r['hart']}", event_of)))


def test_the_page_shows_the_counts_of_functions():
    for name, (trace, args) in zip(("real", "made"), both()):
        rows = shown(trace, *args)
        has_the_tables_of(seen()[name], rows)
        is_the_graph_of(seen()[name],
                        counted(rows, event_of, space_of, name_of))


def test_the_page_shows_callers():
    is_the_graph_of(seen()["unwound"], stacks(unwound()))


def test_a_click_shows_one_function_alone_and_another_all_again():
    all_of_them, first, last, again = seen()["real"]["clicks"]
    holds(0 not in all_of_them and max(all_of_them) < 1000, all_of_them)
    # who was clicked at fills its row, and all others are gone
    holds(first[0] > 1000 and last[-1] > 1000, (first, last))
    same(set(first[1:] + last[:-1]), {0}, (first, last))
    same(again, all_of_them)
    holds(seen()["real"]["picture"].startswith(b"\x89PNG"))


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
