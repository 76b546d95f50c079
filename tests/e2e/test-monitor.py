#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""pmuctl monitor: what a machine or a run does, while it does it."""
import contextlib
import json
import signal
import subprocess
import sys

import bench
from bench import GUESTS, WORK, daemon, holds, pmuctl, same

GUEST = {isa: GUESTS[f"overflow-{isa}"] for isa in bench.ISAS}
# all but what the guest prints and accesses to CSRs
KINDS = "overflow,sample,trap,sbi,delivery,input,hart,ebb,reset,absent,stop"


def traced(isa):
    """The trace of the same run, with all that can be stored."""
    path = WORK / f"{isa}.trace"
    if not path.exists():
        pmuctl("run", "--record", "trap,sbi,delivery", "--trace", path,
               GUEST[isa])
    return path


def shown(isa, *args):
    done = pmuctl("trace", "show", "--symbols", GUEST[isa], "-k", KINDS,
                  *args, traced(isa))
    return done.text().splitlines()


@contextlib.contextmanager
def monitored(d, m, *args):
    """monitor of m, which stands; it watches, as its heading says."""
    process = d.start("monitor", "-m", m, *args, stdout=subprocess.PIPE,
                      stderr=subprocess.PIPE)
    line = process.stderr.readline().decode()
    holds("does not run now" in line, line)
    process.heading = process.stdout.readline().decode()
    holds(process.heading.endswith("WHAT\n"), process.heading)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def rest(process, code=0):
    """The lines up to its end."""
    out, err = process.communicate(timeout=bench.LONG)
    same((process.returncode, err), (code, b""))
    return [process.heading.rstrip("\n"), *out.decode().splitlines()]


def test_a_run_says_what_it_does():
    for isa in bench.ISAS:
        plain = pmuctl("run", GUEST[isa])
        done = pmuctl("monitor", "--symbols", GUEST[isa], "--", "run",
                      GUEST[isa])
        same(done.out, plain.out)
        same(done.err.decode().splitlines(), shown(isa))
    for guest, code in (("fail-rv64", 42), ("deadlock-rv64", 125)):
        run = ["run", "--mode", "m", GUESTS[guest]]
        plain = pmuctl(*run, code=code)
        done = pmuctl("monitor", "-k", "stop", "--no-headings", "--", *run,
                      code=code)
        stop = done.err.decode().splitlines()[0]
        holds(" stop " in stop and done.err.endswith(plain.err), done)


def test_what_it_says_is_what_is_asked_for():
    want = {
        "cause == 9 && privilege == S": " trap 9 ",
        "interrupt == 1": " interrupt ",
        "event == instructions": " instructions ",
        "error == INVALID_PARAM": " = INVALID_PARAM",
        "function == sieve": " sieve+",
    }
    for text, word in want.items():
        done = pmuctl("monitor", "--symbols", GUEST["rv64"], "--filter", text,
                      "--", "run", GUEST["rv64"])
        lines = done.err.decode().splitlines()
        same(lines, shown("rv64", "--filter", text), text)
        holds(len(lines) > 1 and all(word in line for line in lines[1:]),
              (text, lines))
    path = WORK / "monitored"
    done = pmuctl("monitor", "-j", "-k", "trap", "-o", path, "--", "run",
                  GUEST["rv64"])
    same(done.err, b"")
    same(path.read_text().splitlines(),
         pmuctl("-j", "trace", "show", "-k", "trap", traced("rv64"))
         .text().splitlines())


def test_calls_have_their_memory_where_it_is_recorded():
    path = WORK / "memory.trace"
    run = ["run", "--record", "sbi-memory", GUEST["rv64"]]
    pmuctl("run", "--trace", path, *run[1:])
    want = pmuctl("trace", "show", "-k", "sbi", path).text().splitlines()
    holds(any("; read " in line for line in want), want)
    done = pmuctl("monitor", "-k", "sbi", "--", *run)
    same(done.err.decode().splitlines(), want)
    with daemon() as d:
        m = d.create("overflow-rv64", "--record", "sbi-memory")
        with monitored(d, m, "-k", "sbi") as process:
            d.pmuctl("machine", "start", m)
            same(rest(process), want)


def test_a_trace_is_the_same_beside_it():
    one, two = WORK / "one.trace", WORK / "two.trace"
    pmuctl("run", "--trace", one, "--record", "none", GUEST["rv64"])
    pmuctl("monitor", "--", "run", "--trace", two, "--record", "none",
           GUEST["rv64"])
    same(pmuctl("trace", "diff", one, two).code, 0)
    kinds = pmuctl("-j", "trace", "summary", two).json()["kinds"]
    holds("trap" not in {k["kind"] for k in kinds}, kinds)


def test_a_machine_says_more_than_it_stores():
    with daemon() as d:
        m = d.create("overflow-rv64")
        with monitored(d, m, "--symbols", GUEST["rv64"]) as every, \
                monitored(d, m, "--filter", "cause == 9") as traps:
            d.pmuctl("machine", "start", m)
            same(rest(every), shown("rv64"))
            same(rest(traps), pmuctl("trace", "show", "--filter", "cause == 9",
                                     traced("rv64")).text().splitlines())
        done = d.pmuctl("trace", "show", "-m", m, "-k", "trap", code=(1, 2))
        holds(b"does not store" in done.err, done)
        stored = d.pmuctl("-j", "trace", "show", "-m", m).text()
        holds(not any("trap" in json.loads(l) for l in stored.splitlines()))
        # what is over is told by others
        done = d.pmuctl("monitor", "-m", m, code=1)
        holds(b"the machine has ended" in done.err, done)
        d.pmuctl("monitor", "-m", "none", code=4)


def test_it_ends_at_ctrl_c():
    path = WORK / "cut"
    with daemon() as d:
        m = d.create("overflow-rv64")
        d.pmuctl("machine", "start", m, "--paused")
        with monitored(d, m) as process:
            d.pmuctl("machine", "until", m, "--cycle", "100000")
            holds(process.stdout.readline(), "it is told of something")
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=bench.LONG)
            same(process.returncode, 128 + signal.SIGINT)
        # the machine is there as before
        same(d.show(m)["state"], "MACHINE_STATE_PAUSED")
        process = d.start("monitor", "-m", m, "-o", path,
                          stderr=subprocess.PIPE)
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        same((process.wait(timeout=bench.LONG), process.stderr.read()),
             (128 + signal.SIGINT, b""))
        process.stderr.close()
        holds(path.exists(), "the file has its name")
    # and so does a run that nobody types for
    process = bench.start("monitor", "-k", "hart", "--", "run", "--batch",
                          "--mode", "m", GUESTS["spin-rv64"],
                          stderr=subprocess.PIPE)
    process.stderr.readline()
    line = process.stderr.readline()
    holds(b"hart started" in line, line)
    process.send_signal(signal.SIGINT)
    same(process.wait(timeout=bench.LONG), 128 + signal.SIGINT)
    process.stderr.close()


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
