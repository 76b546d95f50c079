#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""pmuctl run: exit codes, console, limits, traces, replay, ways to leave."""
import json
import os
import pathlib
import pty
import signal
import struct
import subprocess
import sys
import termios

import bench
from bench import GUESTS, ISAS, WORK, holds, pmuctl, same, start

# guest, options, exit code
CODES = [
    ("straight", ["--mode", "m"], 0),
    ("traps", ["--mode", "m"], 0),
    ("sbi", [], 0),
    ("fail", ["--mode", "m"], 42),
    ("htif", ["--mode", "m"], 7),
    ("htif-edge", ["--mode", "m"], 7),
    ("htif-outside", ["--mode", "m"], 7),
    ("htif-page", ["--mode", "m"], 7),
    ("deadlock", ["--mode", "m"], 125),
    ("nowhere", ["--mode", "m", "--max-cycles", "20k"], 124),
    ("spin", ["--mode", "m", "--max-insns", "1M"], 124),
    ("spin", ["--mode", "m", "--max-cycles", "1M"], 124),
    ("smp", ["--mode", "m", "--harts", "4"], 0),
    ("sbi-harts", ["--harts", "4"], 0),
]
# What must give one trace, whatever engine ran it.
TRACED = [
    ("overflow", []),
    ("traps", ["--mode", "m"]),
    ("overflow-user", ["--mode", "m"]),
    ("paging", ["--mode", "m"]),
    ("smp", ["--mode", "m", "--harts", "4"]),
    ("sbi-harts", ["--harts", "4"]),
    ("nowhere", ["--mode", "m", "--max-cycles", "20000"]),
]
WAYS = [["engines=2"], ["engines=1"], ["step-only=on"],
        ["engines=1", "host-slice=1"]]


def guest(name, isa):
    return GUESTS[f"{name}-{isa}"]


def sets(settings):
    return [word for s in settings for word in ("--set", s)]


def traced(name, *args, stdin=b""):
    path = WORK / name
    pmuctl("run", "--trace", path, *args, stdin=stdin)
    return path


def test_the_exit_code_is_the_guests():
    for isa in ISAS:
        for name, options, code in CODES:
            pmuctl("run", *options, guest(name, isa), code=code)


def words(*values):
    return struct.pack(f"<{len(values)}I", *values)


# system_reset(type, reason): li a0, li a1, li a6, lui and addi a7, ecall
def reset(kind, reason):
    return words(0x513 | kind << 20, 0x593 | reason << 20, 0x813, 0x535258b7,
                 0x35488893, 0x73)


def test_a_system_reset_ends_with_its_reason():
    flat = WORK / "flat.bin"
    for kind, reason, code in ((0, 0, 0), (0, 1, 1)):
        flat.write_bytes(reset(kind, reason))
        for isa in ISAS:
            pmuctl("run", "--flat", "0x80200000",
                   *bench.isa_options(isa), flat, code=code)


@bench.shows("C207")
def test_a_tohost_outside_ram_is_noted():
    done = pmuctl("run", "--mode", "m", "--memory", "64K",
                  "--max-cycles", "99", guest("htif-outside", "rv64"),
                  code=124)
    holds(b"tohost (0x80100000) is no aligned 8-byte word of RAM" in done.err,
          done)


def test_a_flat_image_begins_where_entry_says():
    flat = WORK / "flat.bin"
    flat.write_bytes(words(0) + reset(0, 1))
    options = ["run", "--flat", "0x80200000", "--entry"]
    trace = WORK / "entry.trace"
    done = pmuctl(*options, "0x80200004", "--trace", trace, flat, code=1)
    for line in (b"image 1: 0x80200000-0x8020001b",
                 b"execution begins at 0x80200004, in image 1"):
        holds(line in done.err.replace(b"pmuctl: ", b"").split(b"\n"), done)
    again = WORK / "again.trace"
    pmuctl("run", "--replay", trace, "--trace", again, flat, code=1)
    same(again.read_bytes(), trace.read_bytes())
    for entry in ("0x8020001c", "0x801ffffc", "0x80200005"):
        done = pmuctl(*options, entry, flat, code=2)
        holds(entry.encode() in done.err, done)


def test_the_console_is_stdout_byte_for_byte():
    done = pmuctl("run", "--mode", "m", guest("htif", "rv64"), code=7)
    same(done.out, b"HTIF!\n")
    same(done.err, b"")
    done = pmuctl("run", "--mode", "m", guest("htif-page", "rv64"), code=7)
    same(done.out, b"A")
    done = pmuctl("run", guest("overflow", "rv32"))
    same(done.err, b"")
    same(done.out.splitlines()[-1], b"done")


def test_why_a_run_was_cut_short_is_told_on_stderr():
    done = pmuctl("run", "--mode", "m", "--max-insns", "100",
                  guest("spin", "rv64"), code=124)
    holds(b"max-insns" in done.err, done)
    done = pmuctl("-q", "run", "--mode", "m", "--max-insns", "100",
                  guest("spin", "rv64"), code=124)
    same(done.err, b"")


LOOP = (b"pmuctl: hart 0 takes trap 1 (instruction access fault) at 0x0 again "
        b"and again (1000 times): after trap 11 (ecall from M)")


def test_a_trap_loop_is_told_and_ends_the_run_if_wanted():
    for isa in ISAS:
        traces = [WORK / f"loop-{i}" for i in range(2)]
        options = ["run", "--mode", "m", "--max-cycles", "50000"]
        for path in traces:
            done = pmuctl(*options, "--trace", path, guest("sbi", isa),
                          code=124)
            lines = done.err.splitlines()
            same(len(lines), 2, done)
            holds(lines[0].startswith(LOOP), done)
            holds(lines[0].endswith(b"a guest for S-mode must not start in "
                                    b"M-mode"), done)
        same(traces[0].read_bytes(), traces[1].read_bytes())
        done = pmuctl(*options, "--stop-on-trap-loop", guest("sbi", isa),
                      code=125)
        holds(b"the run ended: trap-loop: hart 0 takes trap 1" in done.err,
              done)
        same(done.err.count(b"again and again"), 1, done)
        n = stat("--stop-on-trap-loop", "--mode", "m", guest("sbi", isa),
                 code=125)
        holds(1000 < total(n, "exceptions") < 1010, n)


def test_a_trap_loop_behind_the_firmware_is_told():
    """Nothing that is code, in S-mode, and no handler for it."""
    raw = WORK / "raw"
    raw.write_bytes(bytes(64))
    for isa in ISAS:
        options = ["run", "--max-cycles", "50000",
                   *bench.isa_options(isa, "--flat", "0x80400000", raw)]
        done = pmuctl(*options, code=124)
        same([line for line in done.err.splitlines() if b"takes" in line],
             [b"pmuctl: hart 0 takes trap 1 (instruction access fault) at 0x0 "
              b"again and again (1000 times): after trap 2 (illegal "
              b"instruction) at 0x80400000, stvec is 0, no handler was set"],
             done)
        done = pmuctl(*options, "--stop-on-trap-loop", code=125)
        holds(b"the run ended: trap-loop: hart 0 takes trap 1" in done.err,
              done)


def stat(*args, code=0):
    path = WORK / "stat.json"
    pmuctl("run", "--json", "--stat", "-o", path, *args, code=code)
    return json.loads(path.read_text())


def total(numbers, event):
    return sum(int(t["value"]) for t in numbers["totals"]
               if t["event"] == event)


def test_stat_counts_what_ran():
    for isa in ISAS:
        n = stat("--mode", "m", "--max-insns", "1000001", guest("spin", isa),
                 code=124)
        same(total(n, "instructions"), 1000001)
        same(total(n, "cycles"), 1000001)
        same(total(n, "branches"), 500000)
        n = stat("--mode", "m", "--max-cycles", "20000", guest("nowhere", isa),
                 code=124)
        same(total(n, "instructions"), 2)
        same(total(n, "cycles"), 20000)
        same(total(n, "exceptions"), 20000 - 2)


def test_stat_is_a_table_on_stderr():
    done = pmuctl("run", "--stat", guest("overflow", "rv64"))
    holds(b"HART EVENT" in done.err, done)
    holds(b"per cycle" in done.err, done)
    holds(b"HART COUNTER" in done.err, done)
    holds(b"HART" not in done.out, done)


def test_firmware_events_of_our_own_agree_with_the_trace():
    for isa in ISAS:
        trace = WORK / "own.trace"
        n = stat("--trace", trace, guest("overflow", isa))
        for event, kind in (("fw_sbi_call", "sbi"),
                            ("fw_lcofi_taken", "overflow")):
            shown = pmuctl("trace", "show", "--kind", kind, trace).out
            same(total(n, event), len(shown.splitlines()) - 1)
            holds(total(n, event) > 10, event)


def test_a_refused_call_of_a_guest_is_recorded_with_its_reason():
    for isa in ISAS:
        trace = WORK / "refused.trace"
        pmuctl("run", "--harts", "2", "--record", "sbi", "--trace", trace,
               guest("susp", isa))
        shown = pmuctl("trace", "show", "--kind", "sbi", trace).text()
        holds("= DENIED, 0: another hart is not stopped\n" in shown, shown)
        for line in shown.splitlines():
            holds(not ("= SUCCESS" in line and ": " in line), line)


def test_every_engine_gives_the_same_trace():
    for isa in ISAS:
        for name, options in TRACED:
            args = [*options, guest(name, isa)]
            code = 124 if name == "nowhere" else 0
            traces = []
            for way in WAYS + WAYS[:1]:
                path = WORK / "way.trace"
                pmuctl("run", "--trace", path, *sets(way), *args, code=code)
                traces.append(path.read_bytes())
            holds(len(traces[0]) > 100, name)
            for way, trace in zip(WAYS + WAYS[:1], traces):
                holds(trace == traces[0], f"{name} {isa} differs with {way}")


def test_a_trace_diff_tells_runs_apart():
    args = [guest("overflow", "rv64")]
    a, b = traced("a", *args), traced("b", *args)
    c = traced("c", "--set", "quantum=5000", *args)
    d = traced("d", "--set", "trap-cycles=2", *args)
    holds("all the same" in pmuctl("trace", "diff", a, b).text())
    done = pmuctl("trace", "diff", a, c, code=1)
    holds("setting quantum: 200000 and 5000" in done.text(), done)
    holds("all the same" in done.text(), done)
    done = pmuctl("trace", "diff", a, d, code=1, )
    holds("is the first that differs" in done.text(), done)
    done = pmuctl("-j", "trace", "diff", a, d, code=1)
    same(done.json()["recordsSame"], False)
    same(done.json()["a"]["pc"], done.json()["b"]["pc"])


def test_console_input_reaches_the_guest_and_replays():
    for isa in ISAS:
        args = ["--mode", "m", guest("echo", isa)]
        first = WORK / "echo.trace"
        done = pmuctl("run", "--trace", first, *args, stdin=b"hello q")
        letters = done.out[0::2]
        same(letters, b"hello q\n", done)
        again = WORK / "again.trace"
        replayed = pmuctl("run", "--trace", again, "--replay", first,
                          guest("echo", isa))
        same(replayed.out, done.out)
        holds(first.read_bytes() == again.read_bytes(), "replay differs")


def test_replay_tells_another_image():
    trace = traced("image.trace", "--mode", "m", guest("straight", "rv64"))
    done = pmuctl("run", "--replay", trace, guest("loop", "rv64"))
    holds(b"is not an image of the traced run" in done.err, done)
    done = pmuctl("run", "--replay", trace, guest("straight", "rv64"))
    same(done.err, b"")


def test_the_end_of_stdin_is_the_end_of_input():
    # echo waits for ever, but spins: a limit ends it; with WFI it is a deadlock
    pmuctl("run", "--mode", "m", "--max-cycles", "1M", guest("echo", "rv64"),
           code=124)
    pmuctl("run", "--mode", "m", guest("deadlock", "rv64"), code=125)


# what is wrong, arguments, exit code, what the message names
WRONG = [
    (["run"], 2, "IMAGE"),
    (["run", "--frobnicate", "x"], 2, "frobnicate"),
    (["run", "a", "b"], 2, "too many"),
    (["run", "/nonexistent"], 4, "/nonexistent"),
    (["run", "/"], 1, "regular file"),
    (["run", "/dev/null"], 1, "regular file"),
    (["run", "@text"], 2, "ELF"),
    (["run", "@cut"], 2, "image"),
    (["run", "--set", "nonsense=1", "@ok"], 2, "nonsense"),
    (["run", "--set", "quantum=0", "@ok"], 2, "quantum"),
    (["run", "--set", "quantum", "@ok"], 2, "KEY=VALUE"),
    (["run", "--harts", "0", "@ok"], 2, "harts"),
    (["run", "--harts", "4000000000", "@ok"], 2, "hart"),
    (["run", "--harts", "x", "@ok"], 2, "harts"),
    (["run", "--memory", "0", "@ok"], 2, "memory"),
    (["run", "--memory", "1", "@ok"], 2, "memory"),
    (["run", "--memory", "128X", "@ok"], 2, "memory"),
    (["run", "--mode", "u", "@ok"], 2, "mode"),
    (["run", "--max-insns", "0", "@ok"], 2, "max-insns"),
    (["run", "--flat", "0x1000", "@ok"], 2, "image"),
    (["run", "--dtb", "@text", "@ok"], 2, "`dtc -O dtb'"),
    (["run", "--dtb", "/nonexistent", "@ok"], 4, "/nonexistent"),
    (["run", "--replay", "/nonexistent", "@ok"], 4, "/nonexistent"),
    (["run", "--replay", "@text", "@ok"], 1, "not a trace"),
    (["run", "--trace", "/nonexistent/t", "@ok"], 4, "/nonexistent/t"),
    (["run", "--trace", "/dev/full", "@ok"], 1, "No space"),
    (["run", "--output", "x", "@ok"], 2, "--stat"),
    (["run", "--detach", "--stat", "@ok"], 2, "--detach"),
    (["run", "--detach", "@ok"], 3, "private"),
    (["run", "--address", "unix:///nonexistent", "@ok"], 3, "nonexistent"),
    (["run", "--address", "nonsense", "@ok"], 2, "nonsense"),
    (["machine", "list"], 3, "private"),
    (["stat", "-m", "m1"], 3, "private"),
    (["stat"], 2, "--machine"),
    (["nonsense"], 2, "nonsense"),
    (["machine", "nonsense"], 2, "nonsense"),
    ([], 2, "command"),
    (["list", "--timeout", "0"], 2, "timeout"),
    (["trace", "show", "@text"], 1, "not a trace"),
    (["trace", "show"], 2, "FILE"),
    (["trace", "show", "--kind", "nonsense", "@trace"], 2, "nonsense"),
    (["trace", "show", "--counter", "2", "@trace"], 2, "counter"),
    (["trace", "show", "--symbols", "@text", "@trace"], 1, "@text"),
    (["trace", "diff", "@trace", "/nonexistent"], 4, "/nonexistent"),
]


def test_a_mistake_is_named_and_has_its_exit_code():
    ok = guest("straight", "rv64")
    text, cut = WORK / "text", WORK / "cut"
    text.write_text("this is no image at all, and no trace either\n")
    with open(ok, "rb") as f:
        cut.write_bytes(f.read(200))
    files = {"@ok": ok, "@text": text, "@cut": cut,
             "@trace": traced("wrong.trace", "--mode", "m", ok)}
    for args, code, names in WRONG:
        done = pmuctl(*[files.get(a, a) for a in args], code=code)
        holds(str(files.get(names, names)) in done.err.decode(), done)
        same(done.out.startswith(b"{"), False, done)


def test_an_address_that_is_named_is_never_replaced():
    env = bench.environment(PMUD_ADDRESS="unix:///nonexistent/pmud.sock")
    pmuctl("run", guest("overflow", "rv64"), code=3, env=env)
    pmuctl("list", code=3, env=env)


def with_system(system, runtime=None):
    """No address is given, and the system's pmud is, if at all, @system's."""
    env = bench.environment(runtime=runtime)
    del env["PMUD_ADDRESS"]
    # LD_PRELOAD is parted at blanks, which the tree's path may have.
    module = WORK / "system-socket.so"
    if not module.exists():
        module.symlink_to(os.environ["SYSTEM_SOCKET_MODULE"])
    return env | {
        "LD_PRELOAD": str(module),
        "SYSTEM_SOCKET": str(system / "pmud.sock"),
        "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") +
                        ":verify_asan_link_order=0"}


def test_with_no_daemon_a_private_one_is_started():
    nowhere = WORK / "nowhere"
    nowhere.mkdir()
    env = with_system(nowhere, nowhere)
    pmuctl("run", guest("overflow", "rv64"), env=env)
    pmuctl("machine", "list", code=3, env=env)
    pmuctl("run", "--detach", guest("overflow", "rv64"), code=3, env=env)


def test_a_daemon_of_the_system_is_found_after_the_users():
    with bench.daemon() as ours, bench.daemon() as theirs:
        system = pathlib.Path(theirs.runtime)
        pmuctl("machine", "create", env=with_system(system))
        same(len(machines(theirs)), 1)
        pmuctl("machine", "create", env=with_system(system, ours.runtime))
        same((len(machines(ours)), len(machines(theirs))), (1, 1))


def machines(d):
    return d.pmuctl("-j", "machine", "list").json().get("machines", [])


def test_a_daemon_of_the_user_is_found():
    with bench.daemon() as d:
        env = d.env()
        del env["PMUD_ADDRESS"]
        name = pmuctl("machine", "create", env=env).text().strip()
        same(d.show(name)["state"], "MACHINE_STATE_NEW")


def test_lists_need_no_daemon():
    holds("instructions" in pmuctl("list").text())
    names = [e["name"] for e in pmuctl("-j", "list", "events").json()["events"]]
    holds("cycles" in names, names)
    keys = [s["key"]
            for s in pmuctl("-j", "list", "settings").json()["settings"]]
    holds("quantum" in keys, keys)


def interrupted(number, *args):
    """A run that is known to be running, then a signal: code and console."""
    run = start("run", "--mode", "m", *args, guest("echo", "rv64"),
                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE)
    run.stdin.write(b"x")
    run.stdin.flush()
    same(run.stdout.read(1), b"x")
    run.send_signal(number)
    run.communicate(timeout=bench.LONG)
    return run.returncode


def test_a_signal_ends_the_run_in_order():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        trace = WORK / f"signal-{number}.trace"
        same(interrupted(number, "--trace", trace), 128 + number)
        holds(len(pmuctl("trace", "show", trace).out.splitlines()) > 2)
    same(interrupted(signal.SIGKILL), -signal.SIGKILL)
    while bench.mine():  # pmud sees the closed socket and goes
        os.sched_yield()


def test_a_reader_that_goes_ends_the_run():
    run = start("run", guest("overflow", "rv64"), stdout=subprocess.PIPE,
                stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    run.stdout.close()
    run.communicate(timeout=bench.LONG)
    holds(run.returncode in (-signal.SIGPIPE, 1), run.returncode)
    while bench.mine():
        os.sched_yield()


def is_raw(fd):
    return not termios.tcgetattr(fd)[3] & termios.ICANON


def in_terminal(keys):
    """The echo guest on a terminal of its own: exit code and its output.

    Messages go elsewhere: where the guest is slow, a line of progress would
    stand between its answers.
    """
    master, slave = pty.openpty()
    before = termios.tcgetattr(slave)
    run = start("run", "--mode", "m", guest("echo", "rv64"), stdin=slave,
                stdout=slave, stderr=subprocess.DEVNULL,
                start_new_session=True)
    while not is_raw(slave):
        same(run.poll(), None)
        os.sched_yield()
    out = b""
    for key in keys:
        os.write(master, key)
        if key[:1] != b"\1":  # the guest answers with two bytes
            out += os.read(master, 1)
            out += os.read(master, 1)
    code = run.wait(timeout=bench.LONG)
    same(termios.tcgetattr(slave), before, "the terminal is as it was")
    os.close(slave)
    os.close(master)
    return code, out


def test_a_terminal_is_the_guests_but_for_the_way_out():
    code, out = in_terminal([b"a", b"\3", b"\32", b"\1x"])
    same(code, 130)
    same(out[0::2], b"a\3\32")
    code, out = in_terminal([b"\r", b"q"])
    same(code, 0)
    same(out[0::2], b"\rq")


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
