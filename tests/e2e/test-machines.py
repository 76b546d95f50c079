#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Machines that stay: driven by hand, replayed, killed, left and taken up."""
import os
import platform
import shutil
import signal
import struct
import subprocess
import sys

import bench
import child
from bench import GUESTS, ISAS, WORK, daemon, holds, same


def recorder(d, machine, path):
    """`trace save` that is known to follow: the header is in the file."""
    saving = d.start("trace", "save", "-m", machine, path)
    part = path.with_name(f"{path.name}.part-{saving.pid}")
    while not part.exists() or not part.stat().st_size:
        same(saving.poll(), None, "trace save ended")
        os.sched_yield()
    return saving


def replay_is_the_same(d, path, guest):
    again = WORK / "replayed.trace"
    d.pmuctl("run", "--replay", path, "--trace", again, GUESTS[guest])
    done = d.pmuctl("trace", "diff", path, again)
    holds("all the same" in done.text(), done)
    holds(path.read_bytes() == again.read_bytes(), "bytes differ")


def test_a_session_by_hand_replays_to_the_byte():
    for isa in ISAS:
        with daemon() as d:
            m = d.create(f"echo-{isa}", "--mode", "m", "--record",
                         "trap,sbi,process", *bench.isa_options(isa))
            path = WORK / f"hand-{isa}.trace"
            saving = recorder(d, m, path)
            d.pmuctl("machine", "start", m, "--paused")
            d.pmuctl("machine", "step", m, "-c", "20")
            d.pmuctl("reg", "write", "-m", m, "s9", "-1")
            d.pmuctl("machine", "until", m, "--cycle", "5001")
            d.pmuctl("csr", "write", "-m", m, "mscratch", "0x1234")
            d.pmuctl("mem", "write", "-m", m, "0x80001000", "00112233445566")
            d.pmuctl("machine", "input", m, stdin=b"ab")
            d.pmuctl("machine", "resume", m)
            d.pmuctl("machine", "pause", m)
            d.pmuctl("csr", "write", "-m", m, "mhpmcounter3", "77")
            d.pmuctl("machine", "input", m, stdin=b"c")
            d.pmuctl("machine", "resume", m)
            d.pmuctl("machine", "input", m, "--eof", stdin=b"q")
            d.pmuctl("machine", "wait", m)
            same(saving.wait(timeout=bench.LONG), 0)
            inputs = d.pmuctl("-j", "trace", "show", "-k", "input", path)
            same(len(inputs.out.splitlines()) >= 7, True, inputs)
            out = d.pmuctl("machine", "console", m).out
            same(out[0::2], b"abcq\n")
            replay_is_the_same(d, path, f"echo-{isa}")


def test_sbi_calls_by_hand_replay_too():
    with daemon() as d:
        m = d.create("overflow-rv64", "--record", "trap,sbi,process")
        path = WORK / "sbi.trace"
        saving = recorder(d, m, path)
        d.pmuctl("machine", "start", m, "--paused")
        d.pmuctl("machine", "until", m, "--insn", "2000")
        done = d.pmuctl("sbi", "call", "-m", m, "PMU.num_counters")
        holds("SUCCESS" in done.text(), done)
        done = d.pmuctl("-j", "sbi", "call", "-m", m, "0x504d55", "3", "40",
                        "1", code=7)
        holds(done.json()["errorName"] != "SUCCESS", done)
        same(done.json()["reason"], "no counter of the set has an event")
        done = d.pmuctl("sbi", "call", "-m", m, "PMU.counter_config_matching",
                        "3", "1", "0", "3", code=7)
        holds("(-2) value 0: no counter of the set can count event 0x3\n"
              in done.text(), done)
        d.pmuctl("machine", "resume", m)
        d.pmuctl("machine", "wait", m)
        same(saving.wait(timeout=bench.LONG), 0)
        replay_is_the_same(d, path, "overflow-rv64")


def test_a_base_that_linux_takes_by_mistake_is_noted_once():
    with daemon() as d:
        m = d.create("overflow-rv64")
        d.pmuctl("machine", "start", m, "--paused")

        def call(function, *args, code):
            d.pmuctl("sbi", "call", "-m", m, f"PMU.{function}", *args,
                     code=code)

        call("counter_start", "4096", "1", code=7)
        holds("notes" not in d.show(m) or not d.show(m)["notes"], d.show(m))
        call("snapshot_set_shmem", "0x80700000", "0", "0", code=0)
        call("counter_start", "4096", "1", code=7)
        call("counter_start", "4096", "1", code=7)
        notes = d.show(m)["notes"]
        same(len(notes), 1)
        holds("C77" in notes[0] and "snapshot=off" in notes[0], notes)


def test_a_pause_changes_nothing_that_a_guest_sees():
    with daemon() as d:
        plain = WORK / "plain.trace"
        d.pmuctl("run", "--trace", plain, GUESTS["overflow-rv64"])
        m = d.create("overflow-rv64", "--record", "trap,sbi,process")
        path = WORK / "paused.trace"
        saving = recorder(d, m, path)
        d.pmuctl("machine", "start", m, "--paused")
        for insn in (1000, 1001, 123456):
            d.pmuctl("machine", "until", m, "--insn", insn)
            same(int(d.show(m)["insn"]), insn)
            d.pmuctl("stat", "-m", m)
        d.pmuctl("machine", "resume", m)
        d.pmuctl("machine", "wait", m)
        same(saving.wait(timeout=bench.LONG), 0)
        holds(plain.read_bytes() == path.read_bytes(), "a pause left a trace")


# csrrw x5, mscratch, x6; addi x7, x7, 1; j .-8: a third of it is exits
EXITS = struct.pack("<3I", 0x340312f3, 0x00138393, 0xff9ff06f)


def pieces(d, *options):
    """What is said of the engine by a machine that has run EXITS for a while."""
    image = WORK / "exits"
    image.write_bytes(EXITS)
    m = d.pmuctl("machine", "create", "--mode", "m", *options).text().strip()
    d.pmuctl("machine", "load", m, "--flat", "0x80000000", image)
    d.pmuctl("machine", "start", m, "--paused")
    d.pmuctl("machine", "until", m, "--insn", "300000")
    d.pmuctl("machine", "wait", m, code=tuple(range(256)))
    said = d.show(m)["engine"]
    return {p["name"]: p for p in said}, d.pmuctl("machine", "show", m).text()


def test_each_piece_of_the_engine_is_on_where_it_is_made_for():
    made_for = (platform.machine() == "x86_64"
                and os.environ["STATIC_UNICORN"] == "2.1.1")
    with daemon() as d:
        # also in a build of which another one is the default
        said, text = pieces(d, "--set", "engine=auto")
        # of the last two a loop has nothing
        same(list(said), ["blocks", "exits", "quiet", "pages", "clean",
                          "spaces"])
        for name, p in said.items():
            taken, every = int(p["taken"]), int(p["all"])
            busy = name not in ("pages", "clean", "spaces")
            holds(every > 90000 or not busy, p)
            line = f"engine: {name}: on, " if p["on"] else (
                f"engine: {name}: off: {p['whyOff']}\n")
            holds(line in text, text)
            same(p["on"], not p["whyOff"])
            holds(not made_for or p["on"], p)
            holds(not made_for or not busy or taken >= 0.99 * every, p)


def test_a_piece_of_the_engine_that_is_off_says_why():
    with daemon() as d:
        fed = "instructions are stepped, as models are fed"
        # with a Unicorn that a piece is not made for: always
        never, _ = pieces(d, "--set", "engine=auto")
        for options, why in (("engine=portable", "portable is what is wanted"),
                             ("step-only=on", "each instruction is stepped"),
                             ("uarch=small timing=inorder", fed),
                             ("uarch=small uarch-watch=on", fed)):
            said, text = pieces(d, *(word for option in options.split()
                                     for word in ("--set", option)))
            for name, p in said.items():
                if why is fed and name in ("pages", "clean", "spaces"):
                    same(p["on"], never[name]["on"])  # not of blocks
                    continue
                want = never[name]["whyOff"] or why
                same((p["on"], p["whyOff"], p["taken"]), (False, want, "0"))
                holds(f"engine: {name}: off: {want}\n" in text, text)


def test_harts_that_are_stepped_are_told_apart_from_those_that_are_not():
    with daemon() as d:
        m = d.create("overflow-rv64", "--harts", "2", "--set", "uarch=small")
        d.pmuctl("machine", "start", m, "--paused")
        before = {p["name"]: p["on"] for p in d.show(m)["engine"]}
        same(d.show(m)["steppedHarts"], [])
        # hart 1 begins to count loads that miss in its first TLB
        d.pmuctl("csr", "write", "-m", m, "--hart", "1", "mhpmevent3", "0x10019")
        said = d.show(m)
        same(said["steppedHarts"], [1])
        same({p["name"]: p["on"] for p in said["engine"]}, before)
        line = "engine: hart 1: instructions are stepped, as models are fed\n"
        text = d.pmuctl("machine", "show", m).text()
        holds(text.endswith(line), text)


def test_what_is_recorded_is_said_and_kept():
    rows = (
        ((), ("records: overflow, console, input, hart, stop\n",
              "not recorded: trap, sbi, csr, delivery\n"),
         {"trap": 1, "sbi": 1, "csr": 1, "delivery": 1}),
        (("--record", "sbi"), ("hart, stop, sbi\n", "not recorded: trap, csr, delivery\n"),
         {"trap": 1, "sbi": 0}),
        (("--record", "csr"),
         ("hart, stop, csr\n", "not recorded: trap, sbi, delivery\n"),
         {"trap": 1, "csr": 0}),
        (("--record", "sbi,csr,trap,delivery"),
         ("hart, stop, trap, sbi, csr, delivery\n",),
         {"trap": 0, "sbi": 0, "csr": 0, "delivery": 0}),
        (("--record", "none", "--when-full", "end"),
         ("not recorded: trap, sbi, csr, delivery\n", "it is ended\n"), {"sbi": 1}),
    )  # fmt: skip
    with daemon() as d:
        for options, said, kinds in rows:
            m = d.create("overflow-rv64", *options)
            d.pmuctl("machine", "start", m)
            d.pmuctl("machine", "wait", m)
            shown = d.pmuctl("machine", "show", m).text()
            for sentence in said:
                holds(sentence in shown, shown)
            for kind, code in kinds.items():
                done = d.pmuctl("trace", "show", "-m", m, "-k", kind,
                                code=code)
                refusal = f"does not store records of kind {kind}"
                holds(not code or refusal in done.err.decode(), done)
                holds(code or len(done.out.splitlines()) > 1, done)


def test_the_list_knows_how_far_a_machine_is():
    with daemon() as d:
        m = d.create("spin-rv64", "--mode", "m")
        d.pmuctl("machine", "start", m)
        insns = 0
        while not insns:
            (listed,) = d.pmuctl("-j", "machine", "list").json()["machines"]
            insns = int(listed["insn"])
        d.pmuctl("machine", "pause", m)
        (listed,) = d.pmuctl("-j", "machine", "list").json()["machines"]
        same(listed["insn"], d.show(m)["insn"])
        same(listed["cycle"], d.show(m)["cycle"])
        holds(int(listed["insn"]) >= insns, listed)


def test_a_killed_machine_is_reported_and_others_go_on():
    with daemon() as d:
        killed = d.create("spin-rv64", "--mode", "m")
        pids = d.machine_pids()
        same(len(pids), 1)
        other = d.create("spin-rv64", "--mode", "m")
        d.pmuctl("machine", "start", killed)
        d.pmuctl("machine", "start", other)
        os.kill(pids[0], signal.SIGKILL)
        done = d.pmuctl("machine", "wait", killed, code=126)
        holds(b"signal 9" in done.err or b"Killed" in done.err or
              b"SIGKILL" in done.err, done)
        shown = d.show(killed)
        same(shown["state"], "MACHINE_STATE_CRASHED")
        same(shown["cause"], "STOP_CAUSE_CRASH")
        before = int(d.show(other)["cycle"])
        while int(d.show(other)["cycle"]) == before:
            os.sched_yield()
        same(d.show(other)["state"], "MACHINE_STATE_RUNNING")
        d.pmuctl("stat", "-m", killed, code=1)
        d.pmuctl("trace", "show", "-m", killed)


def test_a_run_whose_machine_is_killed_says_so():
    with daemon() as d:
        run = d.start("run", "--mode", "m", GUESTS["echo-rv64"],
                      stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                      stderr=subprocess.PIPE)
        run.stdin.write(b"x")
        run.stdin.flush()
        same(run.stdout.read(1), b"x")
        os.kill(d.machine_pids()[0], signal.SIGKILL)
        _, err = run.communicate(timeout=bench.LONG)
        same(run.returncode, 126, err)
        holds(b"machine process" in err, err)


def ended_by(sig, private=False):
    """What pmuctl run exits with when its pmud ends, and what it says."""
    with daemon() as d:
        run = d.start(*(["-a", "private"] if private else []), "run", "--stat",
                      "--mode", "m", GUESTS["echo-rv64"],
                      stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                      stderr=subprocess.PIPE)
        run.stdin.write(b"x")
        run.stdin.flush()
        same(run.stdout.read(1), b"x")
        if private:
            children = f"/proc/{run.pid}/task/{run.pid}/children"
            with open(children, encoding="ascii") as f:
                os.kill(int(f.read()), sig)
        else:
            d.process.send_signal(sig)
        _, err = run.communicate(timeout=bench.LONG)
        if sig == signal.SIGKILL and not private:
            d.process.wait(timeout=bench.LONG)
            d.process.returncode = 0  # as it was meant
        return run.returncode, err


def test_a_run_whose_pmud_ends_is_told_from_all_that_guests_say():
    for sig in signal.SIGTERM, signal.SIGKILL:
        for private in False, True:
            code, err = ended_by(sig, private)
            same(code, 123, err)
            holds(b"pmud" in err, err)


def test_who_is_attached_is_told_that_pmud_ends():
    with daemon() as d:
        m = d.create("echo-rv64", "--mode", "m")
        d.pmuctl("machine", "start", m)
        attached = d.start("machine", "attach", m, stdin=subprocess.PIPE,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        attached.stdin.write(b"x")
        attached.stdin.flush()
        same(attached.stdout.read(1), b"x")
        d.process.terminate()
        _, err = attached.communicate(timeout=bench.LONG)
        same(attached.returncode, 123, err)


def test_input_for_a_machine_that_is_not_there_is_refused():
    with daemon() as d:
        for stdin in b"", b"x":
            done = d.pmuctl("machine", "input", "m1", stdin=stdin, code=4)
            holds(b"m1" in done.err, done)


# What nobody may give to another's machine.
GIVEN = [([], b""), ([], b"x"), (["--eof"], b"x"), (["--eof"], b"")]


def test_input_for_another_users_machine_is_refused():
    if os.getuid() != 0:
        raise bench.Skipped("only root can be another user")
    with daemon() as d:
        m = d.create("deadlock-rv64", "--mode", "m")
        d.pmuctl("machine", "start", m, "--paused")
        pmuctl = shutil.copy(bench.PMUCTL, d.runtime)
        for path in (WORK, d.runtime):
            os.chmod(path, 0o755)
        os.chmod(d.runtime + "/pmud.sock", 0o666)
        for options, stdin in GIVEN:
            done = subprocess.run(
                child.as_user("nobody", [pmuctl, "machine", "input", m,
                                         *options]),
                input=stdin, env=d.env(), cwd="/", capture_output=True,
                timeout=bench.LONG, check=False)
            same(done.returncode, 6, done)
            holds(b"another user" in done.stderr, done)


def test_input_for_ones_own_machine_is_taken():
    with daemon() as d:
        m = d.create("deadlock-rv64", "--mode", "m")
        d.pmuctl("machine", "start", m, "--paused")
        for options, stdin in GIVEN:
            d.pmuctl("machine", "input", m, *options, stdin=stdin)


def test_only_who_says_so_ends_the_input():
    with daemon() as d:
        m = d.create("deadlock-rv64", "--mode", "m")
        d.pmuctl("machine", "start", m)
        d.pmuctl("machine", "input", m, stdin=b"x")
        d.pmuctl("machine", "pause", m)
        d.pmuctl("machine", "resume", m)
        d.pmuctl("machine", "input", m, "--eof", stdin=b"y")
        d.pmuctl("machine", "wait", m, code=125)


def test_a_step_in_a_trap_loop_says_how_far_it_came():
    for isa in ISAS:
        with daemon() as d:
            m = d.create(f"nowhere-{isa}", "--mode", "m",
                         *bench.isa_options(isa))
            d.pmuctl("machine", "start", m, "--paused")
            done = d.pmuctl("machine", "step", m, "-c", "100", code=1)
            holds(b"executed 2 of 100 instructions: hart 0 takes trap after "
                  b"trap" in done.err, done)
            same(d.show(m)["insn"], "2")


def test_a_step_that_waits_for_input_says_how_far_it_came():
    waits = "all harts wait, and only input can wake one"
    for isa in ISAS:
        with daemon() as d:
            m = d.create(f"echo-plic-{isa}", "--mode", "m",
                         *bench.isa_options(isa))
            d.pmuctl("machine", "start", m, "--paused")
            done = d.pmuctl("machine", "step", m, "-c", "1000", code=1)
            at = int(d.show(m)["insn"])
            holds(100 < at < 1000, at)
            said = f"executed {at} of 1000 instructions: {waits}"
            holds(said in done.err.decode(), done)
            same(d.show(m)["detail"], said)
            d.pmuctl("machine", "pause", m)
            done = d.pmuctl("machine", "step", m, "-c", "50", code=1)
            holds(f"executed 0 of 50 instructions: {waits}"
                  in done.err.decode(), done)
            same(int(d.show(m)["insn"]), at)
            d.pmuctl("machine", "input", m, stdin=b"x")
            d.pmuctl("machine", "wait", m)
            info = d.show(m)
            same(info["state"], "MACHINE_STATE_PAUSED")
            same(int(info["insn"]), at + 50)
            same(info.get("detail", ""), "")


def test_a_guest_without_a_trap_vector_can_be_paused():
    for isa in ISAS:
        with daemon() as d:
            m = d.create(f"nowhere-{isa}", "--mode", "m", "--max-cycles",
                         "1T", *bench.isa_options(isa))
            d.pmuctl("machine", "start", m)
            d.pmuctl("machine", "pause", m)
            info = d.show(m)
            same(info["state"], "MACHINE_STATE_PAUSED")
            same(info["insn"], "2")
            at = int(info["cycle"])
            d.pmuctl("machine", "until", m, "--cycle", at + 12345)
            same(int(d.show(m)["cycle"]), at + 12345)
            same(d.show(m)["insn"], "2")


def test_breakpoints_stop_before_the_instruction():
    with daemon() as d:
        m = d.create("overflow-rv64")
        d.pmuctl("machine", "start", m, "--paused")
        d.pmuctl("machine", "break", m, "0x80200008")
        d.pmuctl("machine", "resume", m)
        d.pmuctl("machine", "wait", m)
        same(d.show(m)["cause"], "STOP_CAUSE_BREAKPOINT")
        regs = d.pmuctl("-j", "reg", "list", "-m", m).json()
        same(int(regs["pc"]), 0x80200008)
        d.pmuctl("machine", "break", m)
        d.pmuctl("machine", "resume", m)
        d.pmuctl("machine", "wait", m)
        same(d.show(m)["state"], "MACHINE_STATE_ENDED")


def test_what_lies_where_is_said_of_several_images():
    data = WORK / "data.bin"
    data.write_bytes(bytes(16))
    with daemon() as d:
        m = d.create("sbi-rv64")
        load = ("machine", "load", m, data, "--flat")
        done = d.pmuctl(*load, "0x80400000")
        lines = done.err.decode().splitlines()
        holds(" of image 1: 0x80200000-" in lines[0], done)
        same(lines[1:], ["pmuctl: image 2: 0x80400000-0x8040000f",
                          "pmuctl: execution begins at 0x80200000, in "
                          + lines[0].split(": ")[1]])
        done = d.pmuctl(*load, "0x803ffff8", code=2)
        holds(b"image 3 (0x10 bytes at 0x803ffff8) overlaps image 2 (0x10 "
              b"bytes at 0x80400000)" in done.err, done)
        done = d.pmuctl(*load, "0x80500000", "--entry", "0x80600000", code=2)
        holds(b"entry 0x80600000 is in nothing that is loaded" in done.err,
              done)
        done = d.pmuctl("-q", *load, "0x80500000", "--entry", "0x80200000")
        same(done.err, b"")
        d.pmuctl("machine", "start", m, "--paused")
        same(int(d.pmuctl("-j", "hart", "list", "-m", m).json()
                 ["harts"][0]["pc"]), 0x80200000)


def test_what_is_written_reads_back():
    for isa in ISAS:
        with daemon() as d:
            m = d.create(f"spin-{isa}", "--mode", "m",
                         *bench.isa_options(isa))
            d.pmuctl("machine", "start", m, "--paused")
            d.pmuctl("reg", "write", "-m", m, "t0", "0x1234")
            same(d.pmuctl("-j", "reg", "list", "-m", m).json()["x"][5],
                 str(0x1234))
            d.pmuctl("mem", "write", "-m", m, "0x80001001", "c0ffee")
            out = WORK / "bytes"
            d.pmuctl("mem", "read", "-m", m, "0x80001000", "5", "-o", out)
            same(out.read_bytes()[1:4], b"\xc0\xff\xee")
            done = d.pmuctl("csr", "write", "-m", m, "mscratch", "0x55")
            same(done.out, b"mscratch 0x55\n")
            same(d.pmuctl("csr", "read", "-m", m, "0x340").out, done.out)
            same(int(d.pmuctl("-j", "hart", "list", "-m", m).json()
                     ["harts"][0]["pc"]), 0x80000000)


# arguments with @ for a paused machine, exit code
ANSWERS = [
    (["machine", "show", "m99"], 4),
    (["machine", "start", "m99"], 4),
    (["machine", "pause", "m99"], 4),
    (["machine", "resume", "m99"], 4),
    (["machine", "step", "m99"], 4),
    (["machine", "step", "@", "-c", "0"], 2),
    (["machine", "until", "m99", "--insn", "1"], 4),
    (["machine", "wait", "m99"], 4),
    (["machine", "console", "m99"], 4),
    (["machine", "delete", "m99"], 4),
    (["machine", "create", "--set", "nonsense=1"], 2),
    (["hart", "list", "-m", "m99"], 4),
    (["stat", "-m", "m99"], 4),
    (["dt", "show", "-m", "m99"], 4),
    (["dt", "show", "--set", "nonsense=1"], 2),
    (["dt", "check", "--set", "nonsense=1"], 2),
    (["trace", "show", "-m", "m99"], 4),
    (["machine", "load", "@", "/nonexistent"], 4),
    (["machine", "load", "@"], 2),
    (["machine", "start", "@"], 1),
    (["machine", "until", "@"], 2),
    (["machine", "until", "@", "--insn", "1", "--pc", "2"], 2),
    (["machine", "break", "@", "1x"], 2),
    (["machine", "break", "@", "x"], 4),
    (["csr", "read", "-m", "@", "nonsense"], 4),
    (["csr", "read", "-m", "@", "--hart", "7", "mstatus"], 4),
    (["csr", "write", "-m", "@", "mscratch", "x"], 2),
    (["reg", "write", "-m", "@", "x32", "0"], 4),
    (["mem", "read", "-m", "@", "0", "16"], 1),
    (["mem", "read", "-m", "@", "0x80000000", "1Q"], 2),
    (["mem", "write", "-m", "@", "0x80000000", "abc"], 2),
    (["mem", "write", "-m", "@", "0x80000000", ""], 2),
    (["mem", "write", "-m", "@", "0x80000000", "0g"], 2),
    (["mem", "write", "-m", "@", "0x80000000", "-1"], 2),
    (["mem", "write", "-m", "@", "0", "00"], 1),
    (["sbi", "call", "-m", "@", "PMU.nonsense"], 2),
    (["sbi", "call", "-m", "@", "16"], 2),
    (["sbi", "call", "-m", "@", "PMU.num_counters"], 1),
    (["machine", "step", "@", "-c", "100G", "--timeout", "0.1"], 5),
]


def test_mistakes_with_machines_have_their_exit_codes():
    with daemon() as d:
        m = d.create("spin-rv64", "--mode", "m")
        d.pmuctl("machine", "start", m, "--paused")
        for args, code in ANSWERS:
            args = [m if a == "@" else a for a in args]
            holds(d.pmuctl(*args, code=code).err, args)


def test_every_table_is_json_too():
    with daemon() as d:
        m = d.create("overflow-rv64")
        d.pmuctl("machine", "start", m)
        d.pmuctl("machine", "wait", m)
        for args in (["machine", "list"], ["machine", "show", m],
                     ["machine", "settings", m], ["machine", "wait", m],
                     ["hart", "list", "-m", m], ["csr", "list", "-m", m],
                     ["csr", "read", "-m", m, "mcycle"],
                     ["list", "csrs", "-m", m], ["reg", "list", "-m", m],
                     ["mem", "read", "-m", m, "0x80000000", "32"],
                     ["stat", "-m", m], ["list"], ["list", "settings"]):
            d.pmuctl("-j", *args).json()
            holds(d.pmuctl(*args).out, args)


def test_stored_records_can_be_asked_for():
    with daemon() as d:
        m = d.create("overflow-rv64")
        d.pmuctl("machine", "start", m)
        d.pmuctl("machine", "wait", m)
        show = ["trace", "show", "-m", m]
        all_of = d.pmuctl(*show, "-k", "overflow").out.splitlines()[1:]
        holds(len(all_of) > 30, all_of)
        same(d.pmuctl(*show, "-k", "overflow", "-n", "7").out.splitlines()[1:],
             all_of[:7])
        of_3 = d.pmuctl(*show, "-k", "overflow", "--counter", "3")
        same([l for l in all_of if b"counter 3 " in l],
             of_3.out.splitlines()[1:])
        followed = d.pmuctl("trace", "follow", "-m", m, "--from-start", "-k",
                            "overflow")
        same(followed.out.splitlines()[1:], all_of)


def test_a_machine_ends_with_its_run_unless_detached():
    with daemon() as d:
        run = d.start("run", "--mode", "m", GUESTS["echo-rv64"],
                      stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                      stderr=subprocess.PIPE)
        run.stdin.write(b"x")
        run.stdin.flush()
        same(run.stdout.read(1), b"x")
        same(len(d.pmuctl("-j", "machine", "list").json()["machines"]), 1)
        run.kill()
        run.communicate()
        while d.pmuctl("-j", "machine", "list").json()["machines"]:
            os.sched_yield()
        name = d.pmuctl("run", "--detach", "--mode", "m",
                        GUESTS["echo-rv64"]).text().strip()
        same(d.show(name)["detached"], True)
        done = d.pmuctl("machine", "attach", name, stdin=b"hiq")
        same(done.out[0::2], b"hiq\n")
        d.pmuctl("machine", "delete", name)
        same(d.pmuctl("-j", "machine", "list").json()["machines"], [])


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
