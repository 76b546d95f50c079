#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Which process of Linux a record is of: what the kernel itself says of it.

perf in the guest knows whose each of its samples is, and each of them is an
overflow of the trace. Samples from outside say the same of the same programs.
"""
import collections
import functools
import json
import re
import subprocess
import sys

import linux
from linux import PMUCTL, WORK, boot, holds, same

PERIOD = 20011
LOOPS = 1000000
LOOP = 2  # instructions
# Processes that run other programs, threads of the kernel, two at once.
GUEST = f"""
perf record -q --sample-cpu -o /tmp/data -e instructions:u -c {PERIOD} \\
    sh -c 'pmutest loop {LOOPS} & pmutest branch {LOOPS}; wait;
    exec pmutest loop {LOOPS}'
echo == samples
perf script -i /tmp/data -F comm,pid,tid,cpu,time,ip
"""
SAMPLED = f"""
pmutest loop {LOOPS} &
echo == job $!
wait
sh -c 'echo == then $$; exec pmutest loop {LOOPS}'
"""


def process(record):
    """Return (comm, pid, tid) of a record, or None."""
    said = record.get("process")
    return said and (said.get("comm", ""), said.get("pid", 0),
                     said.get("tid", 0))


@functools.lru_cache(maxsize=None)
def guest():
    return boot(GUEST, what="slim", harts=2)


@functools.lru_cache(maxsize=None)
def sampled():
    return boot(SAMPLED, record=("-e", "instructions", "-c", PERIOD))


@functools.lru_cache(maxsize=None)
def samples():
    return list(linux.records(sampled().trace, "sample"))


def pids():
    """Return the pids of both runs of pmutest, as the guest's shell has them.
    """
    return [int(re.search(rf"^== {name} (\d+)$", sampled().text, re.M)[1])
            for name in ("job", "then")]


def test_each_overflow_is_of_the_process_that_perf_in_the_guest_says():
    found = collections.defaultdict(list)
    for comm, pid, tid, cpu, ip in re.findall(
            r"^ *(\S.*?) +(\d+)/(\d+) +\[(\d+)\] +[\d.]+: +([0-9a-f]+) *$",
            guest().section("samples"), re.M):
        found[int(cpu)].append((comm, int(pid), int(tid), int(ip, 16)))
    want = collections.defaultdict(list)
    for interrupt, overflows in linux.kept(guest()):
        want[interrupt["hart"]] += [(*process(o), o["pc"]) for o in overflows]
    print(f"# {[len(all) for all in found.values()]} samples")
    same(dict(found), dict(want))
    commands = {s[0] for all in found.values() for s in all}
    holds({"sh", "pmutest"} <= commands, commands)
    holds(len({s[1] for all in found.values() for s in all}) >= 3, found)
    same(len(found), 2)


def test_samples_of_a_program_are_all_of_its_process():
    users = collections.Counter(process(s) for s in samples()
                                if s["privilege"] == "PRIVILEGE_U")
    holds(None not in users, users)
    for pid in pids():
        n = users["pmutest", pid, pid]
        # and what its start takes
        holds(LOOPS * LOOP // PERIOD <= n <= LOOPS * LOOP // PERIOD + 30,
              users)
    same({p for p in users if p[0] == "pmutest"},
         {("pmutest", pid, pid) for pid in pids()})


def test_the_kernel_works_for_processes_and_for_itself():
    of_kernel = [process(s) for s in samples()
                 if s["privilege"] == "PRIVILEGE_S"]
    known = {p for p in of_kernel if p}
    holds({("swapper", 0, 0), ("swapper/0", 1, 1), ("init", 1, 1),
           ("kthreadd", 2, 2), ("pmutest", pids()[0], pids()[0]),
           ("sh", pids()[1], pids()[1])} <= known, known)
    # before there are page tables, and where a task's address is ambiguous
    unknown = of_kernel.count(None)
    print(f"# {unknown} of {len(of_kernel)} samples of the kernel are nobody's")
    holds(unknown * 200 < len(of_kernel), unknown)


def test_a_filter_chooses_a_process():
    for expression, chosen in (
            ('comm == "pmutest"', lambda p: p and p[0] == "pmutest"),
            (f"pid == {pids()[1]} && comm != sh",
             lambda p: p and p[1] == pids()[1] and p[0] != "sh"),
            ("tid != 0", lambda p: not p or p[2])):
        done = subprocess.run(
            [PMUCTL, "report", "-j", "--filter", expression, sampled().trace],
            check=True, capture_output=True)
        want = sum(bool(chosen(process(s))) for s in samples())
        holds(want, expression)
        same(sum(int(f["samples"])
                 for f in json.loads(done.stdout)["functions"]), want)


def test_perf_on_the_host_shows_the_same_processes():
    path = WORK / "perf.data"
    subprocess.run([PMUCTL, "trace", "export", "--format", "perf", "-o", path,
                    sampled().trace], check=True)
    done = subprocess.run(
        ["perf", "script", "-i", path, "-F", "comm,pid,tid,ip"], check=True,
        capture_output=True, text=True, env=linux.bench.environment(
            HOME=str(WORK), PERF_CONFIG="/dev/null", PAGER="cat"))
    found = [(comm, int(pid), int(tid)) for comm, pid, tid in re.findall(
        r"^ *(\S.*?) +(\d+)/(\d+) +[0-9a-f]+", done.stdout, re.M)]
    same(len(found), len(samples()))
    same([p for p, s in zip(found, samples()) if process(s)],
         [process(s) for s in samples() if process(s)])


def test_a_replay_on_another_engine_has_the_same_records():
    linux.recorded_alike(sampled(), boot(
        SAMPLED, record=("-e", "instructions", "-c", PERIOD),
        replay=sampled().trace, options=("--set", "engines=1")))


if __name__ == "__main__":
    linux.payload("slim")
    sys.exit(linux.bench.main(dict(globals())))
