#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""A debugger on machines: the real one, and one that misbehaves."""
import os
import pathlib
import random
import socket
import subprocess
import sys

import bench
import child
from bench import GUESTS, ISAS, LONG, PMUCTL, WORK, daemon, holds, same
from debugger import GDB, evaluate, gdb, stub, tell, values

X_NAMES = ("zero ra sp gp tp t0 t1 t2 fp s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 "
           "s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6").split()


def made(guest, *args):
    """The target of a machine that is made for the debugger."""
    return stub(*args, GUESTS[guest])


def test_a_debugger_breaks_steps_and_sees_the_end():
    for isa in ISAS:
        done = gdb(made(f"smp-{isa}", "--mode", "m", "--harts", "4",
                        *bench.isa_options(isa)),
                   "info threads", "break sleeper", "continue",
                   tell("hit", "[gdb.selected_thread().num, "
                        "str(gdb.selected_frame().name())]"),
                   "stepi", tell("pc", evaluate(["pc"])),
                   tell("label", "int(gdb.parse_and_eval("
                        "'(unsigned long)&sleeper'))"),
                   "delete", "continue", symbols=GUESTS[f"smp-{isa}"])
        holds(done.text().count('"hart ') >= 4, done)
        holds("(M running)" in done.text(), done)
        same(values(done, "hit"), [2, "sleeper"], done)
        same(values(done, "pc")["pc"], values(done, "label") + 4, done)
        holds("exited normally" in done.text(), done)


def test_an_exit_code_reaches_the_debugger_and_its_caller():
    for isa in ISAS:
        options = ["--mode", "m", *bench.isa_options(isa)]
        code = bench.start("run", *options, GUESTS[f"fail-{isa}"],
                           stderr=subprocess.DEVNULL).wait(timeout=LONG)
        holds(code not in (0, 1), code)
        done = gdb(made(f"fail-{isa}", *options), "continue")
        holds(f"exited with code 0{code:o}]" in done.text(), done)
        served = Served(*options, GUESTS[f"fail-{isa}"])
        peer = served.peer()
        same(peer.ask("vCont;c"), f"W{code:02x}")
        same(served.wait()[0], code)


def machine_at(d, guest, *args, cycle=3000):
    """A machine that stands in the middle of things."""
    m = d.create(guest, *args)
    d.pmuctl("machine", "start", m, "--paused")
    d.pmuctl("machine", "until", m, "--cycle", cycle)
    return m


def compare_hart(d, m, hart, xlen):
    """All registers and CSRs, as the debugger and as pmuctl read them."""
    regs = d.pmuctl("-j", "reg", "list", "-m", m, "--hart", hart).json()
    csrs = d.pmuctl("-j", "csr", "list", "-m", m, "--hart", hart).json()
    want = {c["name"]: int(c["value"], 0) for c in csrs["csrs"]}
    read = gdb(stub("-m", m, "--paused"), f"thread {hart + 1}",
               tell("x", evaluate([*X_NAMES, "pc", "fcsr"])),
               tell("csr", evaluate(want)),
               env=d.env())
    mask = 2**xlen - 1
    x = values(read, "x")
    same([x[n] & mask for n in X_NAMES],
         [int(v, 0) & mask for v in regs["x"]], read)
    same(x["pc"] & mask, int(regs["pc"], 0) & mask)
    got = values(read, "csr")
    same({n: v & mask for n, v in got.items()},
         {n: v & mask for n, v in want.items()}, read)
    same(len(got) > 60, True)


def test_registers_and_csrs_are_those_that_pmuctl_reads():
    for isa in ISAS:
        with daemon() as d:
            m = machine_at(d, f"smp-{isa}", "--mode", "m", "--harts", "4",
                           *bench.isa_options(isa), cycle=25000)
            for hart in (0, 3):
                compare_hart(d, m, hart, int(isa[2:]))
            same(d.show(m)["state"], "MACHINE_STATE_PAUSED")
            d.pmuctl("machine", "delete", m)


def test_floating_point_registers_are_told_bit_by_bit():
    for isa in ISAS:
        done = gdb(made(f"float-{isa}", "--mode", "m",
                        *bench.isa_options(isa)),
                   "stepi 200",
                   "print/x $fs1", "set $fs1.double = 2.5",
                   "set $fcsr = 0x61", "set $frm = 2", "print/x $fcsr",
                   "print $fs1.double", "print $fflags")
        holds("0x41" in done.text(), done)
        holds("= 2.5" in done.text(), done)
        holds("NX:1" in done.text() or "= 1" in done.text(), done)


# of the thread that has stopped: its number, pc, and the word it adds to
PLACE = ("[gdb.selected_thread().num, int(gdb.parse_and_eval("
         "'(unsigned long)$pc')), "
         "int(gdb.parse_and_eval('*(int*)0x80001000'))]")


def test_a_run_under_a_debugger_has_the_trace_of_one_without():
    for guest, *args in (("smp-rv64", "--mode", "m", "--harts", "4"),
                         ("smp-rv32", "--mode", "m", "--harts", "4",
                          "--set", "xlen=32"),
                         ("overflow-rv64",), ("sse-rv64",)):
        plain, watched = WORK / "plain.trace", WORK / "watched.trace"
        bench.pmuctl("run", *args, "--trace", plain, GUESTS[guest])
        place = "sleeper" if guest.startswith("smp") else "*$pc+40"
        done = gdb(stub(*args, "--record", "trap,sbi,process", "--trace",
                        watched, GUESTS[guest]),
                   f"tbreak {place}", "stepi 300", "continue", "stepi 50",
                   "thread 1", "stepi 20", "info registers", "x/8i $pc",
                   "delete", "continue", symbols=GUESTS[guest])
        holds("exited" in done.text(), done)
        holds("all the same" in bench.pmuctl("trace", "diff", plain,
                                             watched).text(), guest)
        same(plain.read_bytes() == watched.read_bytes(), True, guest)


def test_a_debugger_watches_loads_and_stores():
    for isa in ISAS:
        words = "*(int*)0x80001000"
        done = gdb(made(f"smp-{isa}", "--mode", "m", "--harts", "4",
                        *bench.isa_options(isa)),
                   "stepi 8", tell("loop", "int(gdb.parse_and_eval("
                                   "'(unsigned long)$pc'))"),
                   f"watch {words}", "continue", tell("first", PLACE),
                   "continue", tell("second", PLACE), "delete",
                   "rwatch *(int*)0x80001040", "continue",
                   tell("read", PLACE), "delete",
                   "awatch *(char*)0x80001083", "continue",
                   tell("access", PLACE), "delete",
                   # a device: the word by which harts are sent interrupts
                   "awatch *(int*)0x2000004", "continue",
                   tell("device", PLACE),
                   "delete", "continue", symbols=GUESTS[f"smp-{isa}"])
        first, second, read, access = (
            values(done, n) for n in ("first", "second", "read", "access"))
        amo = int(values(done, "first")[1])
        same([first[0], first[2]], [1, 1], done)
        # behind the amoadd, which is the first of the loop
        same(first[1], values(done, "loop") + 4, done)
        same(second, [1, amo, 2], done)
        same(read[0], 1, done)
        same(read[2], 2000, done)
        same(access[0], 1, done)
        same(values(done, "device")[0], 1, done)
        text = done.text()
        for words in ("Hardware watchpoint 1", "Hardware read watchpoint 2",
                      "Hardware access (read/write) watchpoint 3",
                      "Old value = 0", "New value = 1"):
            holds(words in text, f"{words}\n{done}")
        holds("exited normally" in text, done)


def test_watchpoints_leave_the_trace_as_it_is():
    for guest, *args in (("overflow-rv64",), ("overflow-rv32",
                                              "--set", "xlen=32")):
        plain, watched = WORK / "plain.trace", WORK / "watched.trace"
        bench.pmuctl("run", *args, "--trace", plain, GUESTS[guest])
        done = gdb(stub(*args, "--trace", watched, GUESTS[guest]),
                   "tbreak main", "continue", "awatch -l *(long*)($sp - 64)",
                   "continue", "continue 5", "delete", "continue",
                   symbols=GUESTS[guest])
        holds("Hardware access" in done.text(), done)
        holds("exited" in done.text(), done)
        same(plain.read_bytes() == watched.read_bytes(), True, guest)


def test_what_a_debugger_writes_is_replayed():
    for isa in ISAS:
        options = ["--mode", "m", *bench.isa_options(isa)]
        written, again = WORK / "written.trace", WORK / "again.trace"
        done = gdb(stub(*options, "--max-insns", "5000", "--trace", written,
                        GUESTS[f"spin-{isa}"]),
                   "stepi 100", "set $s11 = 0x1234", "set $mscratch = 77",
                   "set {int}0x80004000 = 0x55667788", "stepi 50",
                   "print/x {int}0x80004000", "print $mscratch",
                   "print/x $s11", "continue")
        holds("0x55667788" in done.text() and "= 77" in done.text() and
              "0x1234" in done.text(), done)
        bench.pmuctl("run", "--replay", written, "--trace", again,
                     GUESTS[f"spin-{isa}"], code=124)
        same(written.read_bytes() == again.read_bytes(), True)
        shown = bench.pmuctl("trace", "show", "-k", "input", written).text()
        same(len(shown.splitlines()) >= 4, True, shown)


class Peer:
    """A debugger of our own, which need not be polite."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(LONG)
        self.socket.connect(str(path))
        self.got = b""

    def send(self, payload):
        raw = payload.encode() if isinstance(payload, str) else payload
        self.raw(b"$" + raw + b"#%02x" % (sum(raw) & 255))

    def raw(self, data):
        self.socket.sendall(data)

    def reply(self):
        """The next packet, its acks left out, its runs expanded."""
        while b"#" not in self.got or len(self.got.split(b"#", 1)[1]) < 2:
            more = self.socket.recv(65536)
            holds(more, f"the stub has closed the connection: {self.got!r}")
            self.got += more
        packet, rest = self.got.split(b"#", 1)
        self.got = rest[2:]
        text, out = packet[packet.index(b"$") + 1:], bytearray()
        at = 0
        while at < len(text):
            if text[at] == ord("}"):
                at += 1
                out.append(text[at] ^ 0x20)
            elif text[at] == ord("*"):
                at += 1
                out += out[-1:] * (text[at] - 29)
            else:
                out.append(text[at])
            at += 1
        return out.decode("latin1")

    def ask(self, payload):
        self.send(payload)
        return self.reply()

    def close(self):
        self.socket.close()


class Served:
    """A stub that listens, and what it serves."""

    def __init__(self, *args, env=None):
        self.path = WORK / f"gdb-{random.getrandbits(40):x}.sock"
        self.process = child.start(
            [PMUCTL, "gdb", "--listen", self.path, *map(str, args)],
            env=env or bench.environment(), stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        while not self.path.exists():
            same(self.process.poll(), None, "the stub ended")
            os.sched_yield()

    def peer(self):
        while True:
            try:
                return Peer(self.path)
            except ConnectionRefusedError:  # bound, does not listen yet
                same(self.process.poll(), None, "the stub ended")

    def wait(self):
        out, err = self.process.communicate(timeout=LONG)
        same(self.path.exists(), False)
        return self.process.returncode, out.decode(), err.decode()


MALFORMED = (
    "G", "G00", "G" + "zz" * 264, "p", "pzz", "pffffffffffffffff",
    "p10000000000000000", "p1042000", "P", "P1", "P1=", "P1=zz",
    "P1=00", "Pffff=00", "m", "m1", "m1,", "m,1", "mg,4", "m80000000;4",
    "m10000000000000000,4", "M80000000,4", "M80000000,4:00", "M80000000,1:0g",
    "M80000000,ffffffffffffffff:00", "X80000000,4:abc", "X80000000,0",
    "X80000000,ffffffffffff:a", "H", "Hg", "Hgx", "Hgffff", "Hg-5", "T",
    "T9999", "Tp", "Z", "Z0", "Z0,", "Z0,80000000", "Z0,g,4", "z0,80000000",
    "vCont", "vCont;", "vCont;x", "vCont;c:", "vCont;C", "vCont;s:9999",
    "vCont;r1:1", "vCont;r1,:1", "vCont;c:1x", "qXfer:features:read:target.xml",
    "qXfer:features:read:target.xml:", "qXfer:features:read:target.xml:0",
    "qXfer:features:read:target.xml:0,", "qXfer:features:read:no.xml:0,10",
    "qXfer:threads:read::", "qXfer:threads:read::z,1", "qThreadExtraInfo,",
    "qThreadExtraInfo,999", "qRcmd", "qRcmd,6", "qRcmd,zz",
    "qRcmd,00", "qRcmd," + "61" * 300, "Qqemu.PhyMemMode:", "cffffff", "C",
    "Sxx", "Z9,1,1", "z9,1,1", "vMustReplyEmpty", "\x00", "\xff\xfe", "")


def test_no_packet_upsets_the_stub():
    served = Served("--mode", "m", GUESTS["spin-rv64"])
    peer = served.peer()
    before = peer.ask("g")
    for packet in MALFORMED:
        answer = peer.ask(packet.encode("latin1"))
        holds(answer == "" or answer[0] == "E", f"{packet!r}: {answer!r}")
    peer.raw(b"$g#00")  # a wrong sum is asked for again, as often as wanted
    peer.raw(b"$g#01+$g#67")
    same(peer.reply(), before)
    peer.send("m80000000," + "0" * 20000 + "4")
    holds(peer.reply().startswith("E"), "too long")
    dice = random.Random(7)
    letters = b"gGpPmMXHTZzvqQcCsS?:;,.-=0189abf" + bytes(range(256))
    for _ in range(1500):
        packet = bytes(dice.choice(letters) for _ in range(dice.randrange(24)))
        if packet[:1] in (b"c", b"C", b"s", b"S", b"D", b"k", b"v"):
            continue
        # escaped as a debugger would
        peer.send(b"".join(b"}" + bytes([b ^ 0x20]) if b in b"#$}*" else
                           bytes([b]) for b in packet))
        peer.reply()
    same(peer.ask("m80000000,4")[:1] != "E", True)
    same(peer.ask("qC"), "QC1")
    peer.send("k")
    same(served.wait()[0], 0)


def test_a_connection_that_breaks_leaves_the_machine_standing():
    with daemon() as d:
        m = d.create("spin-rv64", "--mode", "m")
        served = Served("-m", m, env=d.env())
        for half in (b"$m8000", b"$", b"$vCont;c#", b"$X80000000,4:ab}", b"+"):
            peer = served.peer()
            same(peer.ask("?"), "T05thread:1;")
            peer.raw(half)
            peer.close()
        peer = served.peer()
        peer.send("vCont;c")
        while d.show(m)["state"] != "MACHINE_STATE_RUNNING":
            os.sched_yield()
        peer.close()
        peer = served.peer()
        same(d.show(m)["state"], "MACHINE_STATE_PAUSED")
        same(peer.ask("D"), "OK")
        same(served.wait()[0], 0)
        same(d.show(m)["state"], "MACHINE_STATE_RUNNING")


# What a terminal sends, once the machine runs. Where it stops is timing, that
# it does is not.
CTRL_C = ("python import os, signal, threading; "
          "gdb.events.cont.connect(lambda event: threading.Timer("
          "0.2, os.kill, (os.getpid(), signal.SIGINT)).start())")


def test_ctrl_c_of_the_debugger_stops_the_machine_each_time():
    done = gdb(made("spin-rv64", "--mode", "m", "--harts", "2"), CTRL_C,
               "continue", "continue", "info threads", "kill")
    same(done.text().count("received signal SIGINT"), 2, done)
    same(done.text().count('"hart 1" (M running)'), 1, done)


# By bytes: where the real one happens to be when its Ctrl-C comes is timing.
def test_a_debugger_interrupts_and_detaches():
    with daemon() as d:
        m = d.create("spin-rv64", "--mode", "m", "--harts", "2")
        served = Served("-m", m, env=d.env())
        peer = served.peer()
        same(peer.ask("?"), "T05thread:1;")
        same(peer.ask("qAttached"), "1")
        for packet in ("vCont;c", "vCont;r0,ffffffffffffffff:2;c"):
            peer.send(packet)
            holds(peer.got == b"" or b"T" not in peer.got, peer.got)
            peer.raw(b"\x03")
            same(peer.reply()[:3], "T02")
        same(peer.ask("vCont;s:2")[:3], "T05")
        same(peer.ask("Z0,80000000,4"), "OK")
        same(peer.ask("qRcmd," + b"on-detach pause".hex()), "OK")
        same(peer.ask("D;1"), "OK")
        same(served.wait()[0], 0)
        same(d.show(m)["state"], "MACHINE_STATE_PAUSED")


def test_a_breakpoint_leaves_memory_as_it_is():
    with daemon() as d:
        m = d.create("spin-rv64", "--mode", "m")
        served = Served("-m", m, env=d.env())
        peer = served.peer()
        pc = peer.ask("p20")
        at = f"{int.from_bytes(bytes.fromhex(pc), 'little'):x}"
        out = WORK / "memory"

        def memory():
            d.pmuctl("mem", "read", "-m", m, f"0x{at}", 4, "-o", out)
            return peer.ask(f"m{at},4"), out.read_bytes().hex()
        before = memory()
        same(before[0], before[1])
        # by software, by hardware; on stores, loads, both
        for kind in range(5):
            same(peer.ask(f"Z{kind},{at},4"), "OK")
            same(memory(), before, kind)
        same(peer.ask("vCont;c")[:3], "T05")
        same(memory(), before, "where it has stopped")
        for kind in range(5):
            same(peer.ask(f"z{kind},{at},4"), "OK")
            same(memory(), before, kind)
        same(peer.ask("D"), "OK")
        same(served.wait()[0], 0)


STEPS = """python
import json
traps = {}
for i in range(300):
    gdb.execute('stepi', to_string=True)
    pc, vector, cause = (int(gdb.parse_and_eval('(unsigned long)$' + n))
                         for n in ('pc', 'mtvec', 'mcause'))
    if vector and pc == vector & ~3:
        traps[i] = cause
print('traps=' + json.dumps(len(traps)))
end
"""


def test_a_step_goes_into_a_trap_and_not_behind_its_first_instruction():
    for isa in ISAS:
        script = WORK / "steps.gdb"
        script.write_text(STEPS)
        done = gdb(made(f"traps-{isa}", "--mode", "m",
                        *bench.isa_options(isa)), f"source {script}")
        holds(values(done, "traps") >= 3, done)


def test_commands_for_the_machine():
    done = gdb(made("overflow-rv64"), "monitor help", "monitor nonsense",
               "monitor stat", "monitor state", "monitor explain 0:3",
               "monitor explain x", "monitor physical", "monitor physical on",
               "print/x *(int*)0x80200000", "monitor physical maybe",
               "monitor overflows 0", "monitor on-detach", "monitor eof",
               "tbreak handler", "continue", "monitor overflows 3", "kill",
               symbols=GUESTS["overflow-rv64"])
    text = done.text() + done.err.decode()
    for part in ("HART:COUNTER ", "there is no command 'nonsense'",
                 "HART EVENT ", "cycle 0, 0 instructions of all harts",
                 "does not count", "explain needs HART:COUNTER", "off\n",
                 "'maybe' is not off or on", "'0' is not 1 to 1000", "run\n"):
        holds(part in text, f"{part}\n{done}")


def test_a_debugger_is_started_on_a_machine():
    place = WORK / "a b'c.elf"
    place.write_bytes(pathlib.Path(GUESTS["fail-rv64"]).read_bytes())
    wrapper = WORK / "debugger"
    wrapper.write_text(f"#!/bin/sh\nexec {GDB} -nx -q -batch "
                       "-ex 'set pagination off' \"$@\" -ex 'info threads' "
                       "-ex continue\n")
    wrapper.chmod(0o755)
    for words in ([place], ["--", place]):
        done = bench.pmuctl("gdb", "--exec", wrapper, "--mode", "m", *words)
        holds('"hart 0"' in done.text() and "exited with code" in done.text(),
              done)
    # the exit status is the debugger's, also where a limit ended the run
    wrapper.write_text(f"#!/bin/sh\nexec {GDB} -nx -q -batch \"$@\" "
                       "-ex continue -ex 'quit 7'\n")
    done = bench.pmuctl("gdb", "--exec", wrapper, "--mode", "m", "--max-insns",
                        "1000", GUESTS["spin-rv64"], code=7)
    holds("exited with code 0174" in done.text(), done)


def test_a_wrong_command_line_is_refused():
    for args, words in (
            ([], "one of --machine, an IMAGE, --kernel and"),
            (["-m", "m1", GUESTS["fail-rv64"]], "one of --machine, an"),
            (["-m", "m1", "--trace", "x"], "--trace and --detach are for"),
            (["--stdio", "--listen", "1", GUESTS["fail-rv64"]],
             "only one of"),
            (["--listen", "65536", GUESTS["fail-rv64"]], "no port 65536"),
            (["--listen", "/" + "x" * 200, GUESTS["fail-rv64"]],
             "a path has 1 to")):
        done = bench.pmuctl("gdb", *args, code=2)
        holds(words in done.err.decode(), done)
    taken = WORK / "taken"
    taken.write_text("")
    done = bench.pmuctl("gdb", "--listen", taken, GUESTS["fail-rv64"], code=1)
    holds("cannot listen at" in done.err.decode(), done)
    same(taken.exists(), True)
    done = bench.pmuctl("gdb", "--exec", "/nowhere/gdb", GUESTS["fail-rv64"],
                        code=1)
    holds("/nowhere/gdb" in done.err.decode(), done)


if __name__ == "__main__":
    sys.exit(bench.main(globals()))
