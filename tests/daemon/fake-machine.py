#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""A pmud-machine that only speaks the protocol, and misbehaves on demand.

The setting that a test gives it as `mvendorid` says how: pmud hands settings
on without reading them. "records 500 1000": once it is started, it records 500
traps of about 1000 bytes, and a stop.
"""

import ctypes
import mmap
import os
import signal
import socket
import struct
import sys
import time

sys.path.insert(0, os.environ["PMU_PYTHON"])
from pmu.internal import machine_pb2 as internal  # noqa: E402
from pmu.v1 import common_pb2 as common  # noqa: E402
from pmu.v1 import events_pb2 as events  # noqa: E402
from pmu.v1 import harts_pb2 as harts  # noqa: E402
from pmu.v1 import machines_pb2 as machines  # noqa: E402
from pmu.v1 import traces_pb2 as traces  # noqa: E402

PR_SET_PDEATHSIG = 1
SOCKET, RING, DATA, SPACE = 3, 4, 5, 6  # daemon/ipc/passed.h
HEAD_BYTES = 4096  # of the ring: indexes first, the data behind them
HEAD, TAIL, PRODUCER_WAITS = 0, 8, 24  # words of 8 bytes
INSN, CYCLE = 32, 33
PREFIX = struct.Struct(">BI")  # of a message: a flag, its length


class Ring:
    """The producer's side of proto/shared/ring.c.

    The other side looks at the words at any time: they are stored as a whole,
    which struct.pack_into() does not do.
    """

    def __init__(self):
        self.size = os.fstat(RING).st_size - HEAD_BYTES
        self.map = mmap.mmap(RING, HEAD_BYTES + self.size)
        self.words = memoryview(self.map).cast("Q")
        self.head = 0
        os.set_blocking(SPACE, True)

    def has_room(self, size):
        return self.size - (self.head - self.words[TAIL]) >= size

    def put(self, data, full):
        """Append; full() is called before waiting for room."""
        while not self.has_room(len(data)):
            self.words[PRODUCER_WAITS] = 1
            self.wake()
            if not self.has_room(len(data)):
                full()
                os.read(SPACE, 8)
        at = HEAD_BYTES + self.head % self.size
        first = min(len(data), HEAD_BYTES + self.size - at)
        self.map[at : at + first] = data[:first]
        self.map[HEAD_BYTES : HEAD_BYTES + len(data) - first] = data[first:]
        self.head += len(data)
        self.words[HEAD] = self.head

    def wake(self):
        os.write(DATA, struct.pack("=Q", 1))


def prefix(size):
    return PREFIX.pack(0, size)


def varint(number):
    data = b""
    while number >= 0x80:
        data += bytes([number & 0x7F | 0x80])
        number >>= 7
    return data + bytes([number])


def field(message):
    """Return a record as it stands in a trace: tag, length, bytes."""
    data = message.SerializeToString()
    return b"\x12" + varint(len(data)) + data


class Fake:
    def __init__(self):
        self.socket = socket.socket(fileno=SOCKET)
        self.info = common.MachineInfo(state=common.MACHINE_STATE_NEW)
        self.received = 0
        self.total = 0
        self.ring = Ring()

    def send(self, message, answer=b""):
        self.send_pair(message.SerializeToString(), answer)

    def send_pair(self, head, body=b""):
        pair = struct.pack("<I", len(head)) + head + body
        self.socket.sendall(prefix(len(pair)) + pair)

    def receive(self):
        head = self.socket.recv(PREFIX.size, socket.MSG_WAITALL)
        if len(head) < PREFIX.size:
            sys.exit(0)
        size = PREFIX.unpack(head)[1]
        pair = self.socket.recv(size, socket.MSG_WAITALL)
        begin = 4 + struct.unpack_from("<I", pair)[0]
        return internal.Call.FromString(pair[4:begin]), pair[begin:]

    def reply(self, call, answer=None, **error):
        """Without an answer and an error: a part of a stream is taken."""
        reply = internal.Reply(id=call.id, **error)
        reply.taken = answer is None and not error
        self.send(
            internal.FromMachine(reply=reply),
            answer.SerializeToString() if answer is not None else b"",
        )

    def configured(self, call):
        self.reply(call, internal.ConfigureResponse(machine=self.info))

    def configure(self, call, request):
        how = ""
        for setting in request.config.settings:
            if setting.key == "mvendorid":
                how = setting.value
        self.how = how.split()
        misdeed = getattr(self, "on_" + how.partition(" ")[0], None)
        if misdeed:
            misdeed(call)
        else:
            self.configured(call)

    def on_refuse(self, call):
        self.reply(call, code=3, text="mvendorid: 'refuse' is bad")

    def on_abort(self, _):
        print("the engine gave up", file=sys.stderr, flush=True)
        os.abort()

    def on_stammer(self, _):
        os.write(2, b"w")
        time.sleep(0.1)
        sys.stderr.write("well, " * 50000)
        sys.stderr.flush()
        sys.exit(3)

    def on_binary(self, _):
        os.write(2, b"caf\xc3\xa9, \xff\xfe\x1b[1m\n")
        sys.exit(3)

    def on_nonsense(self, _):
        self.socket.sendall(prefix(3) + b"\xff\xff\xff")

    def on_endless(self, _):
        self.socket.sendall(prefix(0xFFFFFFFF))

    def on_flag(self, _):
        self.socket.sendall(b"\x02")

    def on_parts(self, _):
        """Settings without end: little to send, much to unpack."""
        config = b"\x22\x00" * (1 << 20)
        notice = b"\x42" + varint(len(config)) + config
        message = b"\x12" + varint(len(notice)) + notice
        self.send_pair(message)

    def on_latin1(self, _):
        message = b"\x12\x03\x0a\x01\xff"  # notice { id: "\xff" }
        self.send_pair(message)

    def on_long(self, _):
        self.info.detail = "long" * (1 << 18)
        self.send(internal.FromMachine(notice=self.info))

    def on_silent(self, _):
        self.socket.close()
        signal.pause()

    def on_never(self, _):
        pass

    def on_code(self, call):
        self.reply(call, code=4242, text="no such code")

    def on_headless(self, _):
        """A pair whose head would be longer than all of it."""
        self.socket.sendall(prefix(8) + struct.pack("<II", 5, 0))

    def on_taken(self, call):
        """Takes what is no part of a stream."""
        self.reply(call)

    def on_stateless(self, call):
        """Answers without the state that makes up the answer."""
        self.reply(call, internal.ConfigureResponse())

    def on_talkative(self, call):
        self.info.detail = "long" * (1 << 18)
        self.configured(call)

    def on_other(self, call):
        """Answers to calls that nobody made, then the right one."""
        for number in (0, call.id + 1, (1 << 64) - 1):
            self.send(internal.FromMachine(reply=internal.Reply(id=number)))
        self.send(internal.FromMachine())
        self.configured(call)

    def on_ring(self, _):
        self.ring.map[:HEAD_BYTES] = b"\xff" * HEAD_BYTES
        self.ring.wake()
        signal.pause()

    def on_spoilt(self, _):
        """Ends before anybody has looked at its ring."""
        self.ring.map[:HEAD_BYTES] = b"\xff" * HEAD_BYTES
        sys.exit(0)

    def on_cut(self, call):
        """Ends in the middle of a record."""
        self.configured(call)
        self.record(0)
        self.ring.put(field(self.trap(1))[:-1], lambda: None)
        sys.exit(4)

    def on_leave(self, call):
        """Records, and is gone before anybody has looked."""
        self.configured(call)
        for number in range(int(self.how[1])):
            self.record(number, int(self.how[2]))
        os.kill(os.getpid(), signal.SIGKILL)

    def on_progress(self, call):
        """Is far, and tells nobody but those who look."""
        self.ring.words[INSN] = 12345
        self.ring.words[CYCLE] = 67890
        self.configured(call)

    def on_chatter(self, call):
        """Talks on stderr without end."""
        self.configured(call)
        while True:
            os.write(2, b"so it goes\n" * 100)

    def on_notices(self, call):
        """Says without end that its state changed."""
        self.configured(call)
        self.info.detail = "x" * 1000
        notices = []
        for self.info.cycle in range(2):
            notices.append(internal.FromMachine(notice=self.info))
        while True:
            for notice in notices:
                self.send(notice)

    def on_flood(self, call):
        """Records without end, as fast as it can."""
        self.configured(call)
        block = b"".join(field(self.trap(n)) for n in range(1000))
        while True:
            self.ring.put(block, lambda: None)
            self.ring.wake()

    def trap(self, number):
        return traces.Record(
            insn=number,
            cycle=10 * number,
            hart=number % 4,
            trap=traces.Trap(cause=number % 16),
        )

    def record(self, number, size=0):
        """Traps; each seventh an overflow, of counter 3, 4, 5, 3 ..."""
        record = self.trap(number)
        if number % 7 == 0:
            record.overflow.counter = 3 + number // 7 % 3
        elif size:
            record.trap.ClearField("cause")
            record.sbi_call.args.extend([1 << 63] * (size // 10))
        self.ring.put(field(record), self.is_full)

    def is_full(self):
        if self.info.state != common.MACHINE_STATE_WAITING:
            self.info.state = common.MACHINE_STATE_WAITING
            self.send(internal.FromMachine(notice=self.info))

    def records(self):
        count, size = int(self.how[1]), int(self.how[2])
        for number in range(count):
            self.record(number, size)
        stop = traces.Record(insn=count, cycle=10 * count, stop=traces.Stop())
        self.ring.put(field(stop), self.is_full)
        self.ring.wake()
        self.info.state = common.MACHINE_STATE_ENDED
        self.send(internal.FromMachine(notice=self.info))

    def load_image(self, call, part):
        if part.HasField("start"):
            self.total, self.received = part.start.total_bytes, 0
        self.received += len(part.chunk)
        if self.how == ["held"] and self.received:
            return  # never answered
        if self.received == self.total:
            self.reply(call, machines.LoadImageResponse(entry=self.received))
        else:
            self.reply(call)

    def start_machine(self, call, _):
        self.info.state = common.MACHINE_STATE_RUNNING
        self.send(internal.FromMachine(notice=self.info))
        self.reply(call, machines.StartMachineResponse(machine=self.info))
        if self.how[:1] == ["records"]:
            self.records()

    def pause_machine(self, call, _):
        self.info.state = common.MACHINE_STATE_PAUSED
        self.send(internal.FromMachine(notice=self.info))
        self.reply(call, machines.PauseMachineResponse(machine=self.info))

    def get_machine(self, call, _):
        self.info.cycle += 1
        self.reply(call, machines.GetMachineResponse(machine=self.info))

    def set_recording(self, call, wanted):
        self.info.detail = " ".join(
            ["traps"] * wanted.traps
            + ["sbi"] * wanted.sbi_calls
            + ["csr"] * wanted.csr_accesses
            + ["deliveries"] * wanted.deliveries
        )
        header = traces.Header(version=1, xlen=64)
        self.reply(call, internal.SetRecordingResponse(header=header))

    def read_csr(self, call, _):
        """Answer what belongs to another question."""
        self.reply(call, events.ReadTotalsResponse(cycle=1))

    def step_machine(self, call, _):
        pass  # never answered

    def serve(self):
        answers = {
            "Configure": (self.configure, internal.ConfigureRequest),
            "LoadImage": (self.load_image, machines.LoadImageRequest),
            "StartMachine": (self.start_machine, machines.StartMachineRequest),
            "PauseMachine": (self.pause_machine, machines.PauseMachineRequest),
            "GetMachine": (self.get_machine, machines.GetMachineRequest),
            "SetRecording": (self.set_recording, internal.SetRecordingRequest),
            "ReadCsr": (self.read_csr, harts.ReadCsrRequest),
            "StepMachine": (self.step_machine, machines.StepMachineRequest),
        }
        while True:
            call, request = self.receive()
            if call.method in answers:
                handle, kind = answers[call.method]
                handle(call, kind.FromString(request))
            else:
                self.reply(call, code=12, text="the fake cannot")


if __name__ == "__main__":
    # whatever it waits for, it goes when pmud has gone
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    Fake().serve()
