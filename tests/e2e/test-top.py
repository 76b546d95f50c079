#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""pmuctl top: intervals of the guest's time, as lines and as a screen."""
import contextlib
import json
import re
import signal
import subprocess
import sys

import bench
from bench import GUESTS, WORK, daemon, holds, pmuctl, same
from terminal import Terminal

GUEST = "overflow-rv64"
ELF = GUESTS[GUEST]
INTERVAL = 100000  # cycles
PERIOD = 1000


def standing(d):
    m = d.create(GUEST)
    d.pmuctl("machine", "start", m, "--paused")
    return m


@contextlib.contextmanager
def topped(d, m, *args, **more):
    """top of m, which has begun; what it printed is in its text."""
    process = d.start("top", "-m", m, "-e", "cycles", "-c", PERIOD, "-I",
                      f"{INTERVAL}c", "--symbols", ELF, *args,
                      stderr=subprocess.PIPE,
                      **{"stdout": subprocess.PIPE} | more)
    line = process.stderr.readline().decode()
    holds("sampling from cycle 0 on" in line, line)
    yield process
    if process.stdout:
        process.text = process.stdout.read().decode()
        process.stdout.close()
    same(process.wait(timeout=bench.LONG), 0, process.stderr.read())
    process.stderr.close()


def finish(d, m):
    d.pmuctl("machine", "resume", m)
    d.pmuctl("machine", "wait", m)


def top(*args):
    with daemon() as d:
        m = standing(d)
        with topped(d, m, "--batch", *args) as process:
            finish(d, m)
    return process.text


def from_record():
    """{interval: {function: samples}} of a record of the same run."""
    path = WORK / "whole.trace"
    pmuctl("record", "-e", "cycles", "-c", PERIOD, "-o", path, "--", "run",
           ELF)
    found = {}
    done = pmuctl("-j", "trace", "show", "-k", "sample", "--symbols", ELF,
                  path)
    for line in done.text().splitlines():
        r = json.loads(line)
        rows = found.setdefault((int(r["cycle"]) - 1) // INTERVAL, {})
        name = r["function"]
        rows[name] = rows.get(name, 0) + int(r["sample"]["periods"])
    return found


def test_intervals_have_what_a_record_has():
    want = from_record()
    with daemon() as d:
        m = standing(d)
        with topped(d, m, "-j") as process:
            finish(d, m)
    found = [json.loads(line) for line in process.text.splitlines()]
    same([(int(f["from"]), int(f["to"])) for f in found],
         [(n * INTERVAL, (n + 1) * INTERVAL) for n in sorted(want)])
    same([{r["function"]: int(r["samples"]) for r in f["functions"]}
          for f in found], [want[n] for n in sorted(want)])
    same([int(f["samples"]) for f in found],
         [sum(want[n].values()) for n in sorted(want)])
    holds(len(found) > 3, found)


def test_lines_are_the_same_twice():
    text = top()
    same(top(), text)
    holds(text.startswith(f"cycle 0 to {INTERVAL}: 100 samples\nEVENT "), text)
    same(len(re.findall(r"^cycle \d+ to", text, re.M)), len(from_record()))
    percent = [float(p) for p in re.findall(r"^cycles +(\d+\.\d\d) ",
                                            text.split("\n\n")[0], re.M)]
    holds(abs(sum(percent) - 100) < 0.1, percent)
    same(percent, sorted(percent, reverse=True))


def test_it_ends_behind_so_many_and_the_machine_goes_on():
    with daemon() as d:
        m = standing(d)
        with topped(d, m, "--batch", "-n", 2) as process:
            d.pmuctl("machine", "until", m, "--cycle", 3 * INTERVAL)
            same(process.wait(timeout=bench.LONG), 0)
        same(re.findall(r"^cycle (\d+) to (\d+)", process.text, re.M),
             [("0", str(INTERVAL)), (str(INTERVAL), str(2 * INTERVAL))])
        same(d.show(m)["state"], "MACHINE_STATE_PAUSED")
        finish(d, m)


def test_a_filter_chooses():
    whole = from_record()
    text = top("--filter", "function == sieve")
    same([int(n) for n in re.findall(r": (\d+) samples$", text, re.M)],
         [whole[n]["sieve"] for n in sorted(whole) if "sieve" in whole[n]])
    same(set(re.findall(r"^cycles .* (\w+)$", text, re.M)), {"sieve"})


def test_a_terminal_has_a_screen_that_goes_again():
    with Terminal(30, 6) as t, daemon() as d:
        m = standing(d)
        with topped(d, m, stdout=t.slave, stdin=t.slave) as process:
            d.pmuctl("machine", "until", m, "--cycle", 2 * INTERVAL)
            shown = t.read_until(process, b"\x1b[J")
            process.send_signal(signal.SIGINT)
            shown += t.rest(process)
    begin, _, rest = shown.partition(b"\x1b[H")
    same(begin, b"\x1b[?1049h\x1b[?25l")
    screen, _, rest = rest.partition(b"\x1b[J")
    lines = [line.replace(b"\x1b[K", b"") for line in screen.split(b"\r\n")]
    same(len(lines), 6, "as high as the terminal")
    holds(all(len(line) <= 30 for line in lines), lines)
    holds(lines[0].startswith(b"cycle 0 to 100000: 100 samp"), lines)
    holds(b"\x1b[?25h\x1b[?1049l" in rest, rest)
    left = rest.partition(b"\x1b[?1049l")[2]
    holds(b"cycle 100000 to 200000: " in left, left)


def test_cycles_are_sampled_if_nothing_is_said():
    with daemon() as d:
        m = standing(d)
        done = d.start("top", "-m", m, "--batch", "-n", 1,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        done.stderr.readline()
        finish(d, m)
        out = done.communicate(timeout=bench.LONG)[0].decode()
        same(done.returncode, 0)
        holds("cycle 0 to 100000000: 5 samples" in out, out)
        for args in (["-e", "cycles"], ["-c", 5], ["-e", "cycles", "-c", 0]):
            done = d.pmuctl("top", "-m", m, *args, code=2)
            holds("need each other" in done.err.decode(), done)
        done = d.pmuctl("top", "-m", m, "-I", "fast", code=2)
        holds("--interval: 'fast'" in done.err.decode(), done)
    pmuctl("top", "-m", "none", code=(2, 3, 4))


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
