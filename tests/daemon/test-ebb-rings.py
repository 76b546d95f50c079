#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""EBB sessions by their rings: test-ebb-rings.py PMUD FAKE PROTO_DIR MACHINE.

The client's side is written here once more, after docs/EBB-HOST.md, and breaks
its rules in every way it can. Prints TAP.
"""

import contextlib
import mmap
import os
import socket
import struct
import subprocess
import sys
import time

import grpc

import harness
from ebbs import Act, Machine, Session, enabled
from harness import WORK, refused, until
from pmu.v1 import common_pb2 as common
from pmu.v1 import harts_pb2 as harts
from pmu.v1 import machines_pb2 as machines

HEAD, TAIL, CONSUMER_WAITS, PRODUCER_WAITS, DATA = 0, 64, 128, 192, 4096
SAID, SAID_BYTES = struct.Struct("<4I4Q72sQ"), 256 << 10
WISH, WISH_BYTES = struct.Struct("<IIQIIQ"), 16 << 10
TOLD, REFUSED, OVER = 1, 2, 3
SELDOM = 10_000_000  # instructions: no ring fills up with these
OTHER = """
import socket, sys
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
s.send(bytes.fromhex(sys.argv[2]))
print(len(socket.recv_fds(s, 4, 8)[1]))
"""
GIVE = """
import fcntl, os, sys
files = [fcntl.fcntl(int(f), fcntl.F_DUPFD_CLOEXEC, 9) for f in sys.argv[1:3]]
for number, file in enumerate(files, 3):
    os.dup2(file, number)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=str(len(files)))
os.execv(sys.argv[3], sys.argv[3:])
"""


def fetch(path, ticket):
    """What a ticket is good for: descriptors, or none."""
    with socket.socket(socket.AF_UNIX) as s:
        s.settimeout(30)
        s.connect(path)
        s.send(ticket)
        return socket.recv_fds(s, 4, 8)[1]


class Ring:
    """The client's side of a session's rings."""

    def __init__(self, session):
        said, wishes, wake = fetch(session.opened.socket,
                                   session.opened.ticket)
        self.said = mmap.mmap(said, DATA + SAID_BYTES)
        self.wishes = mmap.mmap(wishes, DATA + WISH_BYTES)
        self.files = said, wishes
        self.wake = socket.socket(fileno=wake)
        self.taken = self.put = 0

    @staticmethod
    def word(memory, at, value=None):
        if value is None:
            return int.from_bytes(memory[at:at + 8], "little")
        memory[at:at + 8] = value.to_bytes(8, "little")
        return value

    def kick(self):
        with contextlib.suppress(OSError):
            self.wake.send(b"x", socket.MSG_DONTWAIT)

    def wish(self, *wishes):
        """(what, counter, period, masked); all of one return."""
        for i, (what, *rest) in enumerate(wishes):
            counter, period, masked = (*rest, 0, 0, 0)[:3]
            entry = WISH.pack(what, counter, period, masked,
                              i + 1 < len(wishes), 0)
            at = DATA + self.put % WISH_BYTES
            self.wishes[at:at + len(entry)] = entry
            self.put += len(entry)
        self.word(self.wishes, HEAD, self.put)
        self.kick()

    def waits(self):
        return self.word(self.said, HEAD) - self.taken

    def next(self, kind=TOLD):
        """(counters, pc, insn, cycle, since), or a refusal's text."""
        until(self.waits)
        at = DATA + self.taken % SAID_BYTES
        found, _, counters, _, *where, text, _ = SAID.unpack(
            self.said[at:at + SAID.size])
        self.taken += SAID.size
        self.word(self.said, TAIL, self.taken)
        self.kick()
        assert found == kind, (found, kind)
        return (counters, *where) if kind == TOLD \
            else text.split(b"\0")[0].decode()

    def rearm(self, period):
        self.wish((Act.WHAT_REARM, 3, period), (Act.WHAT_RETURN,))

    def is_over(self):
        """The machine's end of the socket is closed."""
        try:
            while self.wake.recv(64, socket.MSG_DONTWAIT):
                pass
        except BlockingIOError:
            return False
        except ConnectionError:
            pass
        return True


def by_ring(machine, period, **how):
    s = Session(machine, ring=True, **how)
    ring = Ring(s)
    s.add(3, period)
    s.simply(Act.WHAT_ENABLE, Act.WHAT_UNMASK)
    return s, ring


def frozen_run(path, ring):
    """A handler that writes and arms again; the trace's bytes."""
    m = Machine(path)
    if ring:
        s, told = by_ring(m, 1000, freezes=True)
    else:
        s, told = enabled(m, 1000, freezes=True)
    m.do("ResumeMachine")
    last = 0
    for i in range(20):
        if ring:
            counters, _, insn, cycle, since = told.next()
            assert (counters, insn, since) == (8, cycle, cycle)
        else:
            cycle = next(told).cycle
        assert cycle == last + 1000 + max(i - 1, 0), cycle
        last = cycle
        m.client.call("HartService", "WriteCsr", harts, machine=m.id,
                      name="mscratch", value=i)
        if ring:
            told.rearm(1000 + i)
        else:
            s.act({"what": Act.WHAT_REARM, "counter": 3, "period": 1000 + i},
                  {"what": Act.WHAT_RETURN})
    if ring:
        told.next()
    else:
        next(told)
    s.simply(Act.WHAT_CLOSE)
    m.do("PauseMachine")
    return [r.SerializeToString() for r in m.records() if r.cycle <= last]


def test_acts_by_a_ring_are_inputs_as_those_by_calls(path):
    first = frozen_run(path, True)
    assert len(first) > 80
    assert frozen_run(path, True) == first
    assert frozen_run(path, False) == first


def test_a_machine_that_runs_on_tells_all_of_them(path):
    n = 20000
    m = Machine(path, max_insns=str(100 * n + 50))
    s, ring = by_ring(m, 100, reloads=True)
    m.do("ResumeMachine")
    for i in range(1, n + 1):
        counters, _, insn, cycle, since = ring.next()
        assert (counters, insn, cycle, since) == (8, *[100 * i] * 3), i
    assert not s.read().alerts and not ring.waits()


def test_a_ring_is_asked_for(path):
    m = Machine(path)
    assert not Session(m).opened.ticket
    assert len(Session(m, ring=True).opened.ticket) == 16


class Given:
    """A pmud whose sockets were made by a service manager."""

    def __init__(self, where, first):
        self.path = os.path.join(where, "given.sock")
        with socket.socket(socket.AF_UNIX) as given, socket.socket() as tcp:
            given.bind(self.path)
            given.listen()
            tcp.bind(("127.0.0.1", 0))
            tcp.listen()
            self.port = tcp.getsockname()[1]
            files = [given.fileno(), tcp.fileno()]
            files = files if first else files[::-1]
            self.process = harness.child.start(
                ["/usr/bin/python3", "-c", GIVE, *map(str, files),
                 harness.PMUD, "--machine-program", sys.argv[4]],
                pass_fds=files)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def of_one_that_was_given(path, first):
    with Given(os.path.dirname(path), first) as given:
        with socket.create_connection(("127.0.0.1", given.port)) as other:
            assert other.recv(9)[3] == 4  # HTTP/2's settings
        m = Machine(given.path)
        s, ring = by_ring(m, 1000, freezes=True)
        assert s.opened.socket == given.path[:-5] + ".fd.sock"
        m.do("ResumeMachine")
        assert ring.next()[3] == 1000
    assert not os.path.exists(s.opened.socket)
    os.unlink(given.path)


def test_there_is_one_of_a_pmud_that_was_given_its_sockets(path):
    of_one_that_was_given(path, True)
    of_one_that_was_given(path, False)


def test_a_ticket_is_good_once(path):
    s = Session(Machine(path), ring=True)
    ticket, where = s.opened.ticket, s.opened.socket
    assert fetch(where, bytes(16)) == []
    assert fetch(where, ticket[:15] + bytes([ticket[15] ^ 1])) == []
    assert len(fetch(where, ticket)) == 3
    assert fetch(where, ticket) == []


def test_a_ticket_ends_with_its_session(path):
    s = Session(Machine(path), ring=True)
    s.client.close()
    until(lambda: not fetch(s.opened.socket, s.opened.ticket))


def test_a_ticket_is_of_no_use_to_another_user(path):
    if os.getuid() != 0:
        raise harness.Skipped("it takes root to be another user")
    s = Session(Machine(path), ring=True)
    os.chmod(WORK.name, 0o755)
    os.chmod(s.opened.socket, 0o666)
    done = subprocess.run(
        harness.child.as_user("nobody", ["/usr/bin/python3", "-c", OTHER,
                                 s.opened.socket, s.opened.ticket.hex()]),
        cwd="/", stdout=subprocess.PIPE, text=True, check=True)
    assert done.stdout == "0\n", done.stdout
    assert len(fetch(s.opened.socket, s.opened.ticket)) == 3


def test_who_says_nothing_is_sent_away(path):
    s = Session(Machine(path), ring=True)
    with socket.socket(socket.AF_UNIX) as slow:
        slow.settimeout(30)
        slow.connect(s.opened.socket)
        slow.send(b"half")
        assert slow.recv(1) == b""


def test_memory_that_is_shared_keeps_its_size(path):
    s = Session(Machine(path), ring=True)
    for file, size in zip(Ring(s).files, (SAID_BYTES, WISH_BYTES)):
        for wrong in (0, DATA, DATA + size - 1, DATA + 2 * size):
            with contextlib.suppress(PermissionError):
                os.ftruncate(file, wrong)
        assert os.stat(file).st_size == DATA + size


def is_alive(machine):
    """It answers, and goes on."""
    before = machine.info().insn
    until(lambda: machine.info().insn > before)
    return machine.info().state == common.MACHINE_STATE_RUNNING


def is_dead(session):
    acts = [r.input.ebb for r in session.machine.records()
            if r.input.WhichOneof("kind") == "ebb"]
    return any(a.what == Act.WHAT_DEATH and a.session == session.number
               for a in acts)


def test_what_no_client_would_write_ends_its_session_alone(path):
    def jump(r):
        r.word(r.wishes, HEAD, 1 << 40)

    def back(r):
        r.word(r.wishes, HEAD, (1 << 64) - 32)

    def half(r):
        r.word(r.wishes, HEAD, r.put + 16)

    def eaten(r):
        r.word(r.said, TAIL, 1 << 50)
        r.wish((Act.WHAT_REARM, 4, 1000), (Act.WHAT_RETURN,))

    m = Machine(path)
    good, told = by_ring(m, SELDOM, reloads=True)
    m.do("ResumeMachine")
    for wrong in (jump, back, half, eaten):
        bad = Session(m, ring=True, freezes=True)
        ring = Ring(bad)
        bad.add(4, 1000)
        bad.simply(Act.WHAT_ENABLE, Act.WHAT_UNMASK)
        until(lambda b=bad: m.info().ebb_session == b.number)
        wrong(ring)
        ring.kick()
        until(ring.is_over)
        until(lambda b=bad: is_dead(b))
        told.next()
    assert is_alive(m) and not is_dead(good)


def test_acts_that_are_none_are_refused_and_nothing_else(path):
    m = Machine(path)
    s, ring = by_ring(m, 1000, freezes=True)
    m.do("ResumeMachine")
    cycle = ring.next()[3]
    for what in (0, Act.WHAT_OPEN, Act.WHAT_ADD, Act.WHAT_CLOSE,
                 Act.WHAT_DEATH, 0xffffffff):
        ring.wish((what, 3, 100))
        assert "rings do not take" in ring.next(REFUSED)
    ring.wish((Act.WHAT_REARM, 5, 100), (Act.WHAT_MASK,), (Act.WHAT_RETURN,))
    assert "does not have counter 5" in ring.next(REFUSED)
    ring.wish((Act.WHAT_REARM, 3, 0), (Act.WHAT_RETURN,))
    assert "period: must be from 1 to" in ring.next(REFUSED)
    assert m.is_frozen() and m.info().cycle == cycle and s.read().unmasked
    ring.rearm(70)
    assert ring.next()[3] == cycle + 70


def test_a_client_that_does_not_read_holds_its_machine_until_released(path):
    m = Machine(path)
    s, ring = by_ring(m, 10, reloads=True)
    m.do("ResumeMachine")
    until(lambda: m.info().ebb_session == s.number)
    info = m.info()
    assert info.detail.startswith("held: the client of EBB session 1 does not")
    assert info.state == common.MACHINE_STATE_RUNNING
    until(lambda: ring.waits() == SAID_BYTES)
    time.sleep(0.05)
    assert m.info().insn == info.insn
    m.client.call("HartService", "ReadCsr", harts, machine=m.id, name="mcycle")
    for i in range(1, SAID_BYTES // SAID.size + 100):
        assert ring.next()[3] == 10 * i
    until(lambda: m.info().ebb_session == s.number)
    s.simply(Act.WHAT_CLOSE)
    assert is_alive(m) and ring.is_over()


def test_a_flood_of_acts_stops_neither_calls_nor_other_sessions(path):
    m = Machine(path)
    good, told = by_ring(m, SELDOM, reloads=True)
    bad = Session(m, ring=True)
    flood = Ring(bad)
    m.do("ResumeMachine")
    for i in range(200):
        room = flood.word(flood.wishes, TAIL) + WISH_BYTES - flood.put
        flood.wish(*[(Act.WHAT_UNMASK + i % 2,)] * (room // WISH.size))
        m.info()
    told.next()
    while flood.word(flood.said, HEAD) < SAID_BYTES:  # of refusals
        room = flood.word(flood.wishes, TAIL) + WISH_BYTES - flood.put
        for _ in range(room // WISH.size):
            flood.wish((Act.WHAT_RETURN,))
    assert is_alive(m) and good.read().scheduled
    m.do("PauseMachine")
    m.do("ResumeMachine")


def test_whoever_closes_only_the_ring_is_released_with_the_session(path):
    m = Machine(path)
    s, ring = by_ring(m, 1000, freezes=True)
    m.do("ResumeMachine")
    ring.next()
    ring.wake.close()
    assert m.is_frozen()
    s.client.close()
    until(lambda: not m.is_frozen())
    assert is_dead(s)


def test_nobody_waits_for_who_closed_its_ring(path):
    n = 2 * SAID_BYTES // SAID.size
    m = Machine(path, max_insns=str(10 * n))
    s, ring = by_ring(m, 10, reloads=True)
    ring.wake.close()
    m.do("ResumeMachine")
    until(lambda: m.info().state == common.MACHINE_STATE_ENDED)
    assert ring.waits() <= SAID_BYTES
    told = [r for r in m.records()
            if r.WhichOneof("kind") == "ebb_delivery"]
    assert len(told) == n and not is_dead(s), len(told)


def test_a_session_that_a_recording_ends_has_no_ring_any_more(path):
    """Its number is known before it is there."""
    ends = machines.Input(cycle=1000,
                          ebb=Act(what=Act.WHAT_DEATH, session=1))
    m = Machine(path, inputs=[ends])
    s, ring = by_ring(m, SELDOM, reloads=True)
    assert s.number == 1
    m.do("ResumeMachine")
    until(lambda: is_dead(s))
    for _ in range(3):
        ring.wish((Act.WHAT_UNMASK,))
    until(ring.is_over)
    assert is_alive(m)


def test_the_end_of_a_session_and_of_its_machine_is_seen(path):
    m = Machine(path)
    s, ring = by_ring(m, 1000)
    _, other = by_ring(m, 1000)
    s.simply(Act.WHAT_CLOSE)
    ring.next(OVER)
    assert ring.is_over() and not other.is_over()
    m.do("DeleteMachine")
    until(other.is_over)


def test_a_session_by_a_ring_is_claimed_and_read_as_ever(path):
    m = Machine(path)
    sessions = [by_ring(m, 1000) for _ in range(32)]
    refused(grpc.StatusCode.RESOURCE_EXHAUSTED, "at most 32", Session, m,
            ring=True)
    assert [s.read().scheduled for s, _ in sessions].count(True) == 1
    for s, _ in sessions:
        s.simply(Act.WHAT_CLOSE)
    assert by_ring(m, 1000)[0].read().scheduled


if __name__ == "__main__":
    sys.exit(harness.run(globals(), "--machine-program", sys.argv[4]))
