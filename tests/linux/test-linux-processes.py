#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Which process of Linux a record is of, and which file its code is from: what
the kernel itself says of it.

perf in the guest knows whose each of its samples is, and each of them is an
overflow of the trace. Samples from outside say the same of the same programs.
"""
import collections
import functools
import json
import re
import shutil
import subprocess
import sys

import linux
from linux import PMUCTL, WORK, boot, holds, same

PERIOD = 20011
LOOPS = 1000000
LOOP = 2  # instructions
EBB = ("--set", "xpmuebb=on")  # a user may write a counter that it has
# Processes that run other programs, threads of the kernel, two at once.
GUEST = f"""
perf record -q --sample-cpu -o /tmp/data -e instructions:u -c {PERIOD} \\
    sh -c 'pmutest loop {LOOPS} & pmutest branch {LOOPS}; wait;
    exec pmutest loop {LOOPS}'
echo == samples
perf script -i /tmp/data -F comm,pid,tid,cpu,time,ip
echo == files
perf script -i /tmp/data -F pid,ip,dso
"""
SAMPLED = f"""
echo == kernel
head -n 40 /proc/kallsyms
echo == run
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


def mapped(records):
    """Yield each record with the file that its code is from, None: unknown."""
    there = {}
    for record in records:
        said = record.get("process") or {}
        mine = there.setdefault(said.get("pid", 0), [])
        for new in said.get("mappings", []):
            start, end, offset, size = (
                int(new[k]) for k in ("start", "end", "offset", "fileBytes"))
            mine[:] = [m for m in mine if m[0] >= end or m[1] <= start]
            mine.append((start, end, new["file"], offset, size))
        what = record.get("sample") or record.get("overflow")
        pc = int(what["lastPc"])
        found = [m for m in mine if m[0] <= pc < m[1]]
        yield record, found[0] if found else None


@functools.lru_cache(maxsize=None)
def sysroot():
    """Return a folder that has pmutest where the guest has it."""
    folder = WORK / "sysroot"
    (folder / "usr/bin").mkdir(parents=True)
    shutil.copy(linux.payload("pmutest"), folder / "usr/bin/pmutest")
    return folder


@functools.lru_cache(maxsize=None)
def guest():
    return boot(GUEST, what="slim", harts=2)


@functools.lru_cache(maxsize=None)
def sampled():
    return boot(SAMPLED, record=("-e", "instructions", "-c", PERIOD),
                options=EBB)


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


def test_each_overflow_is_in_the_file_that_perf_in_the_guest_says():
    found = {(int(pid), int(ip, 16), dso) for pid, ip, dso in re.findall(
        r"^ *(\d+) +([0-9a-f]+) +\((\S+)\) *$", guest().section("files"),
        re.M)}
    holds(found, guest().section("files"))
    seen = {(r["process"]["pid"], r["pc"], m[2])
            for r, m in mapped(guest().overflows) if m}
    known = {f for f in found if f[2] != "[unknown]"}
    print(f"# {len(known)} of {len(found)} places have a file")
    same(known - seen, set())
    same({f[2] for f in known}, {"/usr/bin/busybox", "/usr/bin/pmutest"})


def test_code_of_users_is_from_the_files_that_ran():
    users = [(s, m) for s, m in mapped(samples())
             if s["privilege"] == "PRIVILEGE_U"]
    same({m and m[2] for _, m in users},
         {"/usr/bin/busybox", "/usr/bin/pmutest"})
    program = sysroot() / "usr/bin/pmutest"
    same({m[4] for s, m in users if m[2] == "/usr/bin/pmutest"},
         {program.stat().st_size})
    told = sum(len(s["process"]["mappings"]) for s, _ in users)
    holds(told * 10 < len(users), told)


def counted(*options):
    """Return {name: samples} of a report."""
    done = subprocess.run([PMUCTL, "report", "-j", *options, sampled().trace],
                          check=True, capture_output=True)
    rows, = json.loads(done.stdout).values()
    return {tuple(r.values())[-1]: int(r["samples"]) for r in rows}


def test_functions_of_users_are_known_by_the_files_in_a_folder():
    found = counted("--sysroot", sysroot())
    # each round of both; the kernel, when it interrupts them, may get a sample
    # that a loop were due, or have one of its own put off into the loop
    holds(abs(found["w_loop"] - 2 * LOOPS * LOOP / PERIOD) <= 4,
          found["w_loop"])
    same(found["w_loop"], sum(
        int(n) for name, n in counted(
            "--user-symbols", linux.payload("pmutest"), "--filter",
            "comm == pmutest").items() if name == "w_loop"))
    by_file = collections.Counter(m[2] if m else "[unknown]" for s, m in
                                  mapped(samples())
                                  if s["privilege"] == "PRIVILEGE_U")
    files = counted("--sort", "file")
    same({f: n for f, n in files.items() if f[0] == "/"}, dict(by_file))
    same(counted("--sort", "process")[f"pmutest {pids()[1]}"],
         sum(process(s) == ("pmutest", pids()[1], pids()[1])
             for s in samples()))


def writer(d, m, *options):
    """Return what is said of who wrote counter 3, as text and as a fact."""
    explain = ("explain", "counter", "-m", m, *options, "0:3")
    line, = (text for text in d.pmuctl(*explain).text().splitlines()
             if " value: " in text)
    fact, = (f for f in d.pmuctl("-j", *explain).json()["facts"]
             if f["text"].startswith("value: "))
    return line, fact


def write_counter(d, m, pc):
    """Let the user at @pc do so; return what is said, now and at the end."""
    for csr, value in (("mebben", 8), ("sebbown", 8), ("sebbcs", 1)):
        d.pmuctl("csr", "write", "-m", m, csr, value)
    code = WORK / "code"
    d.pmuctl("mem", "read", "-m", m, "--virtual", pc, 4, "--output", code)
    # csrw ebbctr3, zero
    d.pmuctl("mem", "write", "-m", m, "--virtual", pc, "73103082")
    d.pmuctl("machine", "step", m)
    d.pmuctl("mem", "write", "-m", m, "--virtual", pc,
             code.read_bytes().hex())
    d.pmuctl("reg", "write", "-m", m, "pc", pc)
    found = [writer(d, m), writer(d, m, "--sysroot", sysroot())]
    d.pmuctl("machine", "resume", m)
    d.pmuctl("machine", "wait", m)
    return [*found, writer(d, m)]


@functools.lru_cache(maxsize=None)
def stops():
    """Samples, each with what is said of a machine that is held there.

    And what is said of the last's code, which wrote a counter.
    """
    mine = [s for s in samples() if process(s)]
    users = [(s, m) for s, m in mapped(mine)
             if s["privilege"] == "PRIVILEGE_U" and m]
    chosen = [
        # where pmutest has code, too, and later in it
        min((s for s, m in users if m[2] == "/usr/bin/busybox"),
            key=lambda s: s["pc"]),
        [s for s, m in users if m[2] == "/usr/bin/pmutest"][-1],
        [s for s in mine if s["privilege"] == "PRIVILEGE_S" and
         process(s)[0] == "pmutest"][0],
    ]
    found = []
    with linux.held(SAMPLED, options=EBB) as (d, m):
        d.pmuctl("machine", "symbols", m, linux.payload("pmutest"))
        for sample in sorted(chosen, key=lambda s: s["cycle"]):
            d.pmuctl("machine", "until", m, "--cycle", sample["cycle"])
            d.pmuctl("machine", "kallsyms", m, "--output", "/dev/null")
            found.append((sample, *(
                d.pmuctl("machine", "wait", m, *options).text()
                .splitlines()[-1] for options in
                ((), ("--sysroot", sysroot())))))
        return found, write_counter(d, m, found[-1][0]["pc"])


def test_a_machine_that_is_held_says_whose_code_it_is_in():
    same(len(stops()[0]), 3)
    names = []
    for sample, said, by_files in stops()[0]:
        comm, pid, tid = process(sample)
        mode, pc = sample["privilege"][-1], sample["pc"]
        found = re.fullmatch(rf"hart 0 {mode} {pc:#x}(?: (\w+)\+0x\w+)?"
                             rf"(?: in (\S+))? of {comm} {pid}/{tid}: \S.*",
                             said)
        holds(found, (sample, said))
        same(by_files, said)
        names.append(found.groups())
    # it is stripped, and its addresses are no other file's
    holds((None, "/usr/bin/busybox") in names, stops()[0])
    holds(("w_loop", "/usr/bin/pmutest") in names, stops()[0])
    holds(any(name and not file for name, file in names), stops()[0])


def test_code_that_wrote_a_counter_is_of_the_process_that_ran():
    sample = stops()[0][-1][0]
    comm, pid, tid = process(sample)
    now, by_files, at_end = stops()[1]
    same(comm, "pmutest", sample)
    for line, fact in now, by_files:
        holds(re.search(rf" value: written by U at pc {sample['pc']:#x} .*, in "
                        rf"w_loop\+0x\w+(?: \S+)? in /usr/bin/pmutest of "
                        rf"pmutest {pid}/{tid}$", line), line)
        same(fact["place"]["function"], "w_loop", fact)
        same(process(fact), (comm, pid, tid), fact)
    # which is no more
    holds(at_end[0].endswith(", in [unknown]"), at_end)
    same((at_end[1]["satp"], at_end[1].get("process")),
         (now[1]["satp"], None), at_end)


def test_callers_are_found_by_the_files_in_a_folder():
    trace = boot("echo\npmutest loop 1\n", record=(
        "-e", "instructions:u", "-c", 211, "--filter", "comm == pmutest",
        "--stack", "4K")).trace
    found = []
    for option in (("--sysroot", sysroot()),
                   ("--user-symbols", linux.payload("pmutest"))):
        path = WORK / f"unwound{option[0]}"
        subprocess.run([PMUCTL, "trace", "unwind", *option, trace, path],
                       check=True)
        found.append(path)
    same(found[0].read_bytes(), found[1].read_bytes())
    # few functions of the C library have tables, those of its linker do
    script = subprocess.run(
        [PMUCTL, "script", "--sysroot", sysroot(), found[0]], check=True,
        capture_output=True, text=True).stdout
    chains = re.findall(r"(\S+)\+0x\w+ .* from (\S+) chain", script)
    holds(any(at == "do_lookup_x" and
              re.match(r"_dl_lookup_symbol_x\+0x\w+,_dl_non_dynamic_init\+",
                       callers) for at, callers in chains), script)


def test_perf_on_the_host_shows_kernel_and_users_in_one_profile():
    names, path = WORK / "kallsyms", WORK / "both.data"
    names.write_text(sampled().section("kernel"))
    holds(" _text\n" in names.read_text(), names.read_text())
    subprocess.run([PMUCTL, "trace", "export", "--format", "perf", "-o", path,
                    "--symbols", names, "--sysroot", sysroot(),
                    sampled().trace], check=True)
    done = subprocess.run(
        ["perf", "report", "-i", path, "--stdio", "--kallsyms", names, "-n",
         "--sort", "dso,sym", "-t", ","], check=True, capture_output=True,
        text=True, env=linux.bench.environment(
            HOME=str(WORK), PERF_CONFIG="/dev/null", PAGER="cat"))
    rows = [[c.strip() for c in line.split(",")]
            for line in done.stdout.splitlines() if "[.]" in line or
            "[k]" in line]
    loop, = (int(r[1]) for r in rows if r[2:] == ["pmutest", "[.] w_loop"])
    same(loop, counted("--sysroot", sysroot())["w_loop"])
    same(sum(int(r[1]) for r in rows if r[3].startswith("[k]")),
         sum(s["privilege"] == "PRIVILEGE_S" for s in samples()))
    # the list has the kernel's first functions alone
    holds(any(r[2] == "[kernel.kallsyms]" and "0x" not in r[3] for r in rows),
          rows[:50])
    holds(any(r[2] == "busybox" for r in rows), rows[:50])


def test_a_replay_on_another_engine_has_the_same_records():
    linux.recorded_alike(sampled(), boot(
        SAMPLED, record=("-e", "instructions", "-c", PERIOD),
        replay=sampled().trace, options=("--set", "engines=2")))


if __name__ == "__main__":
    linux.payload("slim")
    sys.exit(linux.bench.main(dict(globals())))
