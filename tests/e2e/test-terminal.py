#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""pmuctl on a terminal and not: width, colours, pager, progress."""
import os
import re
import signal
import subprocess
import sys

import bench
from bench import GUESTS, WORK, holds, pmuctl, same, start
from terminal import WIDTH, Terminal

ERASED = b"\r\x1b[K"
RED, YELLOW = b"\x1b[1;31m", b"\x1b[33m"
TRACE = WORK / "overflow.pmu"
# The user's own wishes are not the test's.
PLAIN = {"TERM": "xterm", "NO_COLOR": "", "PAGER": "", "COLUMNS": "",
         "LINES": "", "LESS": ""}


def environment(**more):
    return bench.environment(**PLAIN | more)


def shown(*args, code=0, width=WIDTH, **env):
    """What the command shows on a terminal of its own."""
    with Terminal(width) as t:
        run = start(*args, env=environment(**env), stdin=t.slave,
                    stdout=t.slave, stderr=t.slave, start_new_session=True)
        out = t.rest(run)
        same(run.wait(timeout=bench.LONG), code, out)
    return out.replace(b"\r\n", b"\n")


def bare(text):
    return re.sub(rb"\x1b\[[0-9;]*m", b"", text)


def trace():
    if not TRACE.exists():
        pmuctl("run", "-q", "--trace", TRACE, GUESTS["overflow-rv64"])
    return TRACE


def letters(text):
    return sorted(re.sub(rb"\s", b"", text))


def test_tables_fit_the_terminal_and_lose_nothing():
    for what in ("events", "settings"):
        whole = pmuctl("list", what).out
        holds(max(map(len, whole.splitlines())) > WIDTH, whole)
        for width in (WIDTH, 100, 1000):
            text = shown("list", what, width=width)
            holds(all(len(l) <= width for l in text.splitlines()), text)
            same(letters(text), letters(whole))
        same(shown("list", what, width=1000).splitlines()[1].split(),
             whole.splitlines()[1].split())


def test_what_is_too_wide_all_the_same_is_cut():
    whole = pmuctl("trace", "show", trace()).out.splitlines()
    lines = shown("trace", "show", trace(), "--color", "never").splitlines()
    same(len(lines), len(whole))
    holds(any(len(l) > WIDTH for l in whole), whole)
    for line, full in zip(lines, whole):
        fits = len(full) <= WIDTH
        same(line, full if fits else full[:WIDTH - 1] + b">")


def test_a_terminal_without_a_size_has_80_columns_or_what_is_said():
    for width, env in ((80, {}), (60, {"COLUMNS": "60"})):
        text = shown("trace", "show", trace(), width=0, **env)
        same(max(len(bare(l)) for l in text.splitlines()), width)


def test_help_is_as_wide_as_the_terminal_and_its_columns_line_up():
    """In all lines of options; argp adds an empty one behind a text that just fits."""
    for width in (40, 66, 80, 93, 132):
        for command in ("", "run", "record", "trace show", "machine create"):
            text = bare(shown(*command.split(), "--help", width=width)).decode()
            options = re.search(r"\n\n(  .*?)\n\n", text, re.S)[1].splitlines()
            holds(len(options) > 9, text)
            for line in options:
                holds(line.strip() or width != 80, text)
                found = re.match(r" {2,6}-\S.*?  +(\S)| +(\S|$)", line)
                same(found.start(found.lastindex) if line.strip() else 37, 37, line)
            widest = max(map(len, text.splitlines()))
            holds(max(width, 66) - 14 < widest < max(width, 66), (width, widest, text))


def test_errors_and_overflows_have_colours_on_a_terminal():
    show = ["trace", "show", trace(), "--kind", "overflow"]
    for env, options, want in (
            ({}, [], True), ({"NO_COLOR": "1"}, [], False),
            ({"TERM": "dumb"}, [], False),
            ({}, ["--color=never"], False),
            ({"NO_COLOR": "1"}, ["--color=always"], True)):
        text = shown(*show, *options, **env)
        same(YELLOW in text, want, text)
        same(b"\x1b" in text, want, text)
        text = shown("csr", "list", *options, code=2, **env)
        same(RED in text, want, text)
        holds(b"pmuctl:" in text, text)


def test_pipes_have_colours_only_if_that_is_said():
    show = ["trace", "show", trace()]
    plain = pmuctl(*show, env=environment()).out
    holds(b"\x1b" not in plain, plain)
    colored = pmuctl(*show, "--color", "always", env=environment()).out
    holds(YELLOW in colored, colored)
    same(bare(colored), plain)
    same(pmuctl(*show, "--color", "pink", code=2).out, b"")


def test_an_overflow_is_marked_among_the_counters():
    run = ["run", GUESTS["counters-rv64"], "--mode", "m", "--stat"]
    plain = pmuctl(*run, env=environment()).err
    colored = pmuctl(*run, "--color=always", env=environment()).err
    same(bare(colored), plain)
    same(re.findall(rb"(?<=\x1b\[33m)\w+", colored),
         re.findall(rb"\bOF\b", plain)[1:])  # the first is the heading


def test_a_long_table_goes_to_the_pager():
    seen = WORK / "seen"
    pager = f"tee {seen}; echo the pager ends"
    for args in (["list"], ["trace", "show", trace()]):
        text = shown(*args, PAGER=pager)
        holds(text.endswith(b"the pager ends\n"), text)
        same(text[:-len("the pager ends\n")], seen.read_bytes())
        seen.unlink()
        same(shown(*args, "--no-pager", PAGER=pager),
             text[:-len("the pager ends\n")])
        pmuctl(*args, env=environment(PAGER=pager))
        holds(not seen.exists())
    text = shown("explain", "event", "cycles", PAGER=pager)
    holds(b"the pager ends" not in text, text)


def test_less_is_told_how_to_behave():
    seen = WORK / "less"
    env = {"PAGER": f'echo "$LESS" >{seen}; cat >/dev/null'}
    env["PATH"] = os.environ["PATH"]
    environment_without = environment(**env)
    del environment_without["LESS"]
    with Terminal() as t:
        run = start("list", env=environment_without, stdout=t.slave)
        same(run.wait(timeout=bench.LONG), 0)
        same(seen.read_text(), "FRX\n")


def test_who_reads_no_further_is_no_failure():
    same(shown("trace", "show", trace(), PAGER="head -n 1").count(b"\n"), 1)
    same(shown("list", PAGER="exec true"), b"")


def test_ctrl_c_is_the_pagers():
    text = shown("list",
                 PAGER="kill -INT $PPID; echo still here; cat >/dev/null")
    same(text, b"still here\n")


def test_without_headings_rows_are_all():
    for args in (["list"], ["list", "settings"], ["trace", "show", trace()],
                 ["trace", "summary", trace()]):
        whole = pmuctl(*args).out.splitlines()
        rows = pmuctl(*args, "--no-headings").out.splitlines()
        holds(whole[0].split()[0].isupper(), whole[0])
        same([l for l in whole if l in rows], rows)
        holds(whole[0] not in rows)
        same(pmuctl(*args, "-j", "--no-headings").out, pmuctl(*args, "-j").out)


def begin(*options, **streams):
    """A run that does not end by itself; stderr is a terminal."""
    t = Terminal()
    run = start("run", "--mode", "m", GUESTS["spin-rv64"], *options,
                env=environment(), stdin=subprocess.DEVNULL,
                start_new_session=True, **{"stderr": t.slave} | streams)
    return run, t


def end(run, t):
    """What it has still to say."""
    with t:
        run.send_signal(signal.SIGINT)
        out = t.rest(run)
        same(run.wait(timeout=bench.LONG), 130)
    return out


def spin(*options):
    """A run that ends when it has said how far it is."""
    run, t = begin(*options, stdout=subprocess.DEVNULL)
    return t.read_until(run, b"guest time") + end(run, t)


def test_a_long_run_says_how_far_it_is_and_leaves_nothing():
    out = spin()
    line = rb"\r(\d+) instructions, \d+\.\d MIPS, \d+\.\d+ s of guest time"
    found = [int(n) for n in re.findall(line, out)]
    holds(found and found[-1] > 0, out)
    same(found, sorted(found))
    holds(out.endswith(ERASED), out)


def test_guest_time_is_by_the_machines_clock():
    out = spin("--set", "clock-hz=10000000")
    insns, time = re.search(rb"(\d+) instructions.* ([\d.]+) s of",
                            out).groups()
    # spin: one cycle an instruction; the two are not of one moment
    holds(0.5 < float(time) / (int(insns) / 1e7) < 2, out)


def test_numbers_do_not_follow_progress_on_its_line():
    out = spin("--stat")
    holds(b"\ncycle " in out, out)
    holds(b"guest time\x1b[K\r\n" not in out, out)


def test_progress_is_not_shown_to_files_or_who_wants_quiet():
    err = WORK / "progress"
    with open(err, "wb") as file:
        runs = [begin("-q", stdout=subprocess.DEVNULL),
                begin(stdout=subprocess.DEVNULL, stderr=file)]
    spin()
    spin()  # by then they would have shown it, too
    same([end(*run) for run in runs], [b"", b""])
    same(err.read_bytes(), b"")


def test_progress_changes_nothing_of_the_run():
    insns, path, out = 100_000_000, WORK / "spin.pmu", b""
    args = ["run", "--mode", "m", GUESTS["spin-rv64"], "--trace", path]
    while b"MIPS" not in out:
        insns *= 2
        out = shown(*args, "--max-insns", insns, code=124)
    watched = path.read_bytes()
    pmuctl(*args, "--max-insns", insns, code=124)
    same(path.read_bytes(), watched)


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
