#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Files that pmuctl writes: nothing is lost for what was not made."""
import os
import re
import signal
import subprocess
import sys
import tempfile

import bench
import child
from bench import (GUESTS, PMUCTL, PMUD, WORK, daemon, environment, holds,
                   pmuctl, same, start)

OLD = b"what stood there\n"
OVERFLOW = GUESTS["overflow-rv64"]
ECHO = GUESTS["echo-rv64"]


def old(name):
    path = WORK / name
    path.write_bytes(OLD)
    return path


def parts(path):
    return sorted(p.name for p in path.parent.iterdir()
                  if p.name.startswith(path.name + ".part-"))


def records(path):
    return len(pmuctl("trace", "show", path).out.splitlines()) - 1


# options and image of runs that come to nothing, exit code
NOTHING = [
    (["/nonexistent"], 4),
    (["@old"], 2),
    (["--set", "nonsense=1", "@ok"], 2),
    (["--harts", "0", "@ok"], 2),
    (["--mode", "u", "@ok"], 2),
    (["--replay", "/nonexistent", "@ok"], 4),
    (["--replay", "@old", "@ok"], 1),
    (["--dtb", "/nonexistent", "@ok"], 4),
    (["--address", "unix:///nonexistent", "@ok"], 3),
]


def test_a_run_that_comes_to_nothing_leaves_its_files_alone():
    trace, stat, text = old("good.trace"), old("good.stat"), old("text")
    files = {"@ok": OVERFLOW, "@old": text}
    for args, code in NOTHING:
        pmuctl("run", "--trace", trace, "--stat", "-o", stat,
               *[files.get(a, a) for a in args], code=code)
        same(trace.read_bytes(), OLD, args)
        same(stat.read_bytes(), OLD, args)
        same(parts(trace) + parts(stat), [], args)
        pmuctl("run", "--trace", WORK / "new", *[files.get(a, a) for a in args],
               code=code)
        same((WORK / "new").exists(), False, args)
    pmuctl("run", "-o", stat, OVERFLOW, code=2)
    same(stat.read_bytes(), OLD)


def test_a_file_that_the_run_reads_is_refused():
    trace = WORK / "again.trace"
    image = WORK / "image.elf"
    image.write_bytes(OVERFLOW_BYTES)
    pmuctl("run", "--trace", trace, image)
    before = trace.read_bytes()
    os.symlink(trace, WORK / "by-link")
    os.link(trace, WORK / "by-name")
    for args in (["--replay", trace, "--trace", trace],
                 ["--replay", trace, "--trace", WORK / "by-link"],
                 ["--replay", WORK / "by-name", "--trace", trace],
                 ["--replay", trace, "--stat", "-o", trace],
                 ["--trace", image], ["--stat", "-o", image],
                 ["--dtb", trace, "--trace", trace],
                 ["--trace", WORK / "n", "--stat", "-o", WORK / "n"]):
        done = pmuctl("run", *args, image, code=2)
        holds(b"is the same file as" in done.err, done)
        same(trace.read_bytes(), before, args)
        same(image.read_bytes(), OVERFLOW_BYTES, args)
    same((WORK / "n").exists(), False)


# commands of which each of "@f" is one file, under any of its names: "@e" is an
# ELF file, "@k" a kernel, "@m" a machine
ONE_FILE = [
    ["run", "--bios", "@f", "--trace", "@f", "@e"],
    ["run", "--kernel", "@k", "--bios", "@f", "--trace", "@f"],
    ["run", "--bios", "@f", "--serial", "@f"],
    ["run", "--kernel", "@f", "--trace", "@f"],
    ["run", "--kernel", "@k", "--bios", "@f", "--stat", "-o", "@f"],
    ["run", "--kernel", "@k", "--add", "@f:etc/x", "--trace", "@f"],
    ["run", "--kernel", "@k", "--add", "@e:a", "--add", "@f:b",
     "--serial", "@f"],
    ["run", "--kernel", "@k", "--initrd", "@f", "--serial", "@f"],
    ["run", "--dtb", "@f", "--serial", "@f", "@e"],
    ["run", "--dtb", "@f", "--explain", "0:3", "-o", "@f", "@e"],
    ["run", "--replay", "@f", "--serial", "@f", "@e"],
    ["run", "--trace", "@f", "--serial", "@f", "@e"],
    ["run", "--serial", "@f", "--stat", "-o", "@f", "@e"],
    ["run", "--serial", "@f", "@f"],
    ["gdb", "--stdio", "--bios", "@f", "--trace", "@f", "@e"],
    ["gdb", "--stdio", "--kernel", "@f", "--trace", "@f"],
    ["gdb", "--stdio", "--kernel", "@k", "--bios", "@f", "--trace", "@f"],
    ["gdb", "--stdio", "--kernel", "@k", "--initrd", "@f", "--trace", "@f"],
    ["gdb", "--stdio", "--kernel", "@k", "--add", "@f:x", "--trace", "@f"],
    ["gdb", "--stdio", "--dtb", "@f", "--trace", "@f", "@e"],
    ["gdb", "--stdio", "--trace", "@f", "@f"],
    ["gdb", "--exec", "true", "--trace", "@f", "@f"],
    ["record", "-e", "cycles", "-c", "9", "-o", "@f", "--", "run", "@f"],
    ["record", "-e", "cycles", "-c", "9", "-o", "@f", "--", "run", "--serial",
     "@f", "@e"],
    ["record", "-e", "cycles", "-c", "9", "-o", "@f", "--", "run", "--bios",
     "@f", "@e"],
    ["record", "-e", "cycles", "-c", "9", "--symbols", "@f", "--filter",
     "hart == 0", "-o", "@f", "--", "run", "@e"],
    ["record", "-m", "@m", "-e", "cycles", "-c", "9", "--user-symbols",
     "@f@any", "-o", "@f"],
    ["stat", "-e", "cycles", "-o", "@f", "--", "run", "@f"],
    ["stat", "-e", "cycles", "-o", "@f", "--", "run", "--trace", "@f", "@e"],
    ["stat", "-e", "cycles", "-o", "@f", "--", "run", "--serial", "@f", "@e"],
    ["stat", "-e", "cycles", "-o", "@f", "--", "run", "--dtb", "@f", "@e"],
    ["stat", "-e", "cycles", "--", "run", "--trace", "@f", "--serial", "@f",
     "@e"],
    ["monitor", "-o", "@f", "--", "run", "--serial", "@f", "@e"],
    ["monitor", "--symbols", "@f", "-o", "@f", "--", "run", "@e"],
    ["monitor", "-m", "@m", "--symbols", "@f", "-o", "@f"],
    ["trace", "export", "--format", "json", "-o", "@f", "@f"],
    ["trace", "export", "--format", "folded", "--symbols", "@f", "-o", "@f",
     "@t"],
    ["trace", "export", "--format", "folded", "--user-symbols", "@f", "-o",
     "@f", "@t"],
    ["trace", "unwind", "--symbols", "@e", "@f", "@f"],
    ["trace", "unwind", "--symbols", "@f", "@t", "@f"],
    ["trace", "unwind", "--user-symbols", "@f", "@t", "@f"],
]


def named(args, names, files):
    """@args with the files that stand for their words, @f by turns."""
    words, turn = [], 0
    for a in map(str, args):
        if a.startswith("@f"):
            a = f"{names[turn % len(names)]}{a[2:]}"
            turn += 1
        words.append(str(files.get(a, a)))
    return words


def test_one_file_is_not_read_and_written():
    path = old("one")
    os.symlink(path, WORK / "one-link")
    os.link(path, WORK / "one-twin")
    ways = ([path], [path, WORK / "one-link"], [WORK / "one-link", path],
            [path, WORK / "one-twin"], [WORK / "one-twin", path])
    files = {"@e": OVERFLOW, "@k": WORK / "kernel", "@t": WORK / "of.trace",
             "@m": "1"}
    (WORK / "kernel").write_bytes(b"no kernel")
    pmuctl("run", "--trace", files["@t"], OVERFLOW)
    for args in ONE_FILE:
        for names in ways:
            done = pmuctl(*named(args, names, files), code=2)
            why = (args, names, done)
            holds(b" is the same file as " in done.err, why)
            same(len(done.err.splitlines()), 1, why)
            for name in names[:2]:
                holds(str(name) in done.err.decode(), why)
            same(path.read_bytes(), OLD, why)
            same(parts(path), [], why)


# written twice, and not there yet: nothing is begun
NEITHER = [
    ["run", "--trace", "@f", "--serial", "@f", "@e"],
    ["run", "--trace", "@f", "--stat", "-o", "@f", "@e"],
    ["run", "--serial", "@f", "--explain", "0:3", "-o", "@f", "@e"],
    ["record", "-e", "cycles", "-c", "9", "-o", "@f", "--", "run", "--serial",
     "@f", "@e"],
    ["stat", "-e", "cycles", "-o", "@f", "--", "run", "--trace", "@f", "@e"],
    ["monitor", "-o", "@f", "--", "run", "--trace", "@f", "@e"],
]


def test_one_file_is_not_written_twice():
    path, link = WORK / "later", WORK / "to-later"
    os.symlink("later", link)
    for args in NEITHER:
        for names in ([path], [path, link], [link, path]):
            done = pmuctl(*named(args, names, {"@e": OVERFLOW}), code=2)
            holds(b" is the same file as " in done.err, (args, done))
            same(path.exists(), False, args)
            same(parts(path), [], args)


def test_what_the_guest_is_given_is_not_written():
    path = old("typed")
    for args in (["run", "--trace", path, OVERFLOW],
                 ["run", "--serial", path, OVERFLOW],
                 ["record", "-e", "cycles", "-c", "9", "-o", path, "--",
                  "run", OVERFLOW]):
        with open(path, "rb") as stdin:
            run = start(*args, stdin=stdin, stderr=subprocess.PIPE)
            err = run.communicate(timeout=bench.LONG)[1]
        same(run.returncode, 2, err)
        holds(b"is the same file as standard input" in err, err)
        same(path.read_bytes(), OLD, args)


def test_a_record_has_one_name():
    done = pmuctl("record", "-e", "cycles", "-c", "9", "-o", WORK / "a", "--",
                  "run", "--trace", WORK / "b", OVERFLOW, code=2)
    holds(b"--trace is not for a run under record" in done.err, done)


def test_a_run_that_was_whole_replaces_them():
    trace, stat = old("whole.trace"), old("whole.stat")
    trace.chmod(0o640)
    pmuctl("run", "--trace", trace, "--stat", "-o", stat, OVERFLOW)
    holds(records(trace) > 10)
    holds(b"HART EVENT" in stat.read_bytes())
    same(trace.stat().st_mode & 0o777, 0o640)
    same(parts(trace) + parts(stat), [])
    # also one whose guest failed, or that a limit ended
    for options, guest, code in ((["--mode", "m"], "fail-rv64", 42),
                                 (["--mode", "m", "--max-insns", "1000"],
                                  "spin-rv64", 124)):
        trace.write_bytes(OLD)
        done = pmuctl("run", "--trace", trace, *options, GUESTS[guest],
                      code=code)
        holds(b"part" not in done.err, done)
        holds(records(trace) > 0)


def interrupted(number, trace):
    """A run that has begun its trace, then a signal: what it said."""
    run = start("run", "--mode", "m", "--trace", trace, ECHO,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE)
    run.stdin.write(b"x")
    run.stdin.flush()
    same(run.stdout.read(1), b"x")
    run.send_signal(number)
    err = run.communicate(timeout=bench.LONG)[1]
    same(run.returncode in (128 + number, -number), True, err)
    return err.decode()


def test_an_interrupted_run_names_its_part():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        trace = old("kept.trace")
        said = interrupted(number, trace)
        same(trace.read_bytes(), OLD, said)
        found = re.search(r"the incomplete \S+ is in (\S+);", said)
        holds(found, said)
        holds(records(found[1]) > 0, said)
        os.unlink(found[1])
        new = WORK / f"new-{number}.trace"
        said = interrupted(number, new)
        holds(f"{new} is not complete" in said, said)
        holds(records(new) > 0)
        same(parts(trace) + parts(new), [])


def test_a_run_whose_daemon_goes_names_its_part():
    with daemon() as d:
        trace = old("lost.trace")
        run = d.start("run", "--mode", "m", "--trace", trace, ECHO,
                      stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                      stderr=subprocess.PIPE)
        run.stdin.write(b"x")
        run.stdin.flush()
        same(run.stdout.read(1), b"x")
        os.kill(d.machine_pids()[0], signal.SIGKILL)
        err = run.communicate(timeout=bench.LONG)[1].decode()
    same(run.returncode, 126, err)
    same(trace.read_bytes(), OLD, err)
    holds(re.search(r"the incomplete \S+ is in (\S+);", err), err)


def test_pipes_and_devices_are_written_in_place():
    pmuctl("run", "--trace", "/dev/null", "--stat", "-o", "/dev/null",
           OVERFLOW)
    done = pmuctl("run", "--stat", "-o", "/dev/stderr", OVERFLOW)
    holds(b"HART EVENT" in done.err, done)
    fifo = WORK / "fifo"
    os.mkfifo(fifo)
    run = start("run", "--trace", fifo, OVERFLOW, stdout=subprocess.DEVNULL,
                stdin=subprocess.DEVNULL)
    shown = pmuctl("trace", "show", fifo)
    same(run.wait(timeout=bench.LONG), 0)
    holds(len(shown.out.splitlines()) > 10)


def test_a_full_disk_is_told_once():
    trace = WORK / "short.trace"
    pmuctl("run", "--trace", trace, OVERFLOW)
    for args in (["run", "--trace", "/dev/full", OVERFLOW],
                 ["run", "--stat", "-o", "/dev/full", OVERFLOW],
                 ["record", "-e", "cycles", "-c", "101", "-o", "/dev/full",
                  "--", "run", OVERFLOW],
                 *(["trace", "export", "--format", f, "-o", "/dev/full", trace]
                   for f in ("json", "chrome", "perf"))):
        done = pmuctl(*args, code=1)
        same(done.err, b"pmuctl: /dev/full: No space left on device\n", done)


def test_memory_and_traces_of_machines_are_written_so_too():
    with daemon() as d:
        m = d.create("overflow-rv64")
        path = old("memory")
        d.pmuctl("machine", "start", m, "--paused")
        for args in (("0", "16"), ("0x80200000", "x"), ("1x", "16")):
            holds(d.pmuctl("mem", "read", "-m", m, *args, "-o", path,
                           code=1 if args[0] == "0" else 2).err)
            same(path.read_bytes(), OLD)
            same(parts(path), [])
        d.pmuctl("mem", "read", "-m", m, "0x80200000", "2M", "-o", path)
        same(path.stat().st_size, 2 << 20)
        trace = old("saved")
        d.pmuctl("trace", "save", "-m", "none", trace, code=4)
        same(trace.read_bytes(), OLD)
        saving = d.start("trace", "save", "-m", m, trace,
                         stderr=subprocess.PIPE)
        while not parts(trace) or not os.path.getsize(WORK / parts(trace)[0]):
            same(saving.poll(), None)
            os.sched_yield()
        saving.send_signal(signal.SIGINT)
        said = saving.communicate(timeout=bench.LONG)[1].decode()
        same(trace.read_bytes(), OLD, said)
        found = re.search(r"the incomplete \S+ is in (\S+)", said)
        holds(found, said)
        holds(records(found[1]) >= 0)
        d.pmuctl("machine", "resume", m)
        d.pmuctl("machine", "wait", m)
        d.pmuctl("trace", "save", "-m", m, trace)
        holds(records(trace) > 10)


# what is closed; a command that writes @file; its exit status where stdout is
# closed (what writes no data there does not notice), and whether the file that
# stood there then stays
CLOSED = ("<&-", ">&-", "2>&-", "<&- >&-", ">&- 2>&-", "<&- >&- 2>&-")
WRITERS = (
    (["run", "--trace", "@file", OVERFLOW], 1, True),
    (["run", "--serial", "@file", OVERFLOW], 1, True),
    (["run", "--stat", "-o", "@file", OVERFLOW], 1, False),
    (["record", "-e", "cycles", "-c", "10007", "-o", "@file", "--", "run",
      OVERFLOW], 1, True),
    (["stat", "-e", "cycles", "-o", "@file", "--", "run", OVERFLOW], 1, False),
    (["trace", "export", "--format", "json", "-o", "@file", "@trace"], 0,
     False),
    (["trace", "export", "--format", "json", "-o", "/dev/null", "@trace"], 0,
     False),
    (["trace", "show", "@trace"], 1, False),
    (["list"], 1, False),
    (["--version"], 1, False),
    (["--help"], 1, False),
    (["help", "run"], 1, False),
    (["trace", "--help"], 1, False),
    (["run", "--usage"], 1, False),
)


def with_closed(closed, args, env=None):
    """Run by a shell that has closed some descriptors; its exit status."""
    line = ["sh", "-c", f'exec "$@" {closed}', "sh", PMUCTL, *map(str, args)]
    return subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True,
                          check=False, timeout=bench.LONG,
                          env=env or environment())


def test_what_is_closed_is_no_file_that_is_written():
    trace, path = WORK / "all.trace", WORK / "written"
    pmuctl("run", "--trace", trace, OVERFLOW)
    for args, code, stays in WRITERS:
        args = [{"@file": path, "@trace": trace}.get(a, a) for a in args]
        path.unlink(missing_ok=True)
        same(with_closed("", args).returncode, 0, args)
        want = path.read_bytes() if path in args else None
        for closed in CLOSED:
            if path in args:
                path.write_bytes(OLD)
            done = with_closed(closed, args)
            why = (closed, args, done)
            failed = code if ">&-" in closed.replace("2>&-", "") else 0
            same(done.returncode, failed, why)
            if failed and "2>&-" not in closed:
                holds(b"cannot write to standard output" in done.stderr, why)
            if want is not None and not failed:
                same(path.read_bytes(), want, why)
            elif stays:
                same(path.read_bytes(), OLD, why)
            for part in parts(path):
                (WORK / part).unlink()


def test_a_daemon_does_not_write_to_its_sockets():
    with tempfile.TemporaryDirectory() as folder:
        line = f'exec "$0" --socket {folder}/pmud.sock --tcp 0 <&- >&- 2>&-'
        pmud = child.start(["sh", "-c", line, PMUD], env=environment())
        while not os.path.exists(f"{folder}/pmud.sock"):
            same(pmud.poll(), None)
            os.sched_yield()
        for fd in range(3):
            same(os.readlink(f"/proc/{pmud.pid}/fd/{fd}"), "/dev/null")
        pmuctl("run", OVERFLOW, env=environment(folder))
        pmud.terminate()
        same(pmud.wait(timeout=bench.LONG), 0)


OVERFLOW_BYTES = open(OVERFLOW, "rb").read()

if __name__ == "__main__":
    sys.exit(bench.main(globals()))
