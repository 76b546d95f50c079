#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""What one hostile user does to another: attack.py PMUD [ATTACK...].

Starts a pmud, has one user attack it over many connections, and measures the
health calls of another meanwhile: their p50, p99 and greatest time, and the
greatest RssAnon of pmud. Needs root, to be two users. Figures depend on the
machine, so no test of the suites does this; the load is printed with them.
"""

import argparse
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING = 0, 1, 3, 4, 6
END_STREAM, ACK, END_HEADERS = 1, 1, 4
HONEST, HOSTILE = 65533, 65532  # and those below, with --users


def frame(kind, flags, sid, payload=b""):
    size = struct.pack(">I", len(payload))[1:]
    return size + bytes([kind, flags]) + struct.pack(">I", sid) + payload


def request(path):
    """The header block of a gRPC call, without the dynamic table."""
    literal = bytes([len(path)]) + path.encode()
    return (b"\x83\x86\x04" + literal + b"\x01\x04test"
            b"\x0f\x10\x10application/grpc")


HEALTH = request("/grpc.health.v1.Health/Check")
EMPTY = b"\0\0\0\0\0"
SMALL = frame(SETTINGS, 0, 0)
ENTRY = b"\x40\x01a\x7f\xdd\x1d" + b"x" * 3932  # one that fills the table
WIDE = frame(SETTINGS, 0, 0, b"\0\4\x7f\xff\xff\xff") + frame(
    8, 0, 0, b"\x7f\xff\0\0")


def calls(sid, block, *frames):
    return frame(HEADERS, END_HEADERS, sid, block) + b"".join(frames)


def bombs(sid):
    """One byte in a frame of 16 kB is a header of 3.9 kB."""
    block = HEALTH + (ENTRY if sid == 1 else b"")
    return frame(HEADERS, END_HEADERS | END_STREAM, sid,
                 block + b"\xbe" * (16000 - len(block)))


def small_bombs(sid):
    """As many calls as fit a block, each as large as gets a status."""
    return b"".join(
        frame(HEADERS, END_HEADERS | END_STREAM, sid + i,
              HEALTH + (ENTRY if sid + i == 1 else b"") + b"\xbe" * 15)
        for i in range(0, 200, 2))


def resets(sid):
    return b"".join(
        calls(sid + i, HEALTH, frame(RST_STREAM, 0, sid + i, b"\0\0\0\x08"))
        for i in range(0, 200, 2))


def health(sid):
    return b"".join(
        calls(sid + i, HEALTH, frame(DATA, END_STREAM, sid + i, EMPTY))
        for i in range(0, 100, 2))


def catalogue(sid):
    """Small requests, large answers."""
    block = request("/pmu.v1.EventService/ListEvents")
    return b"".join(
        calls(sid + i, block, frame(DATA, END_STREAM, sid + i, EMPTY))
        for i in range(0, 100, 2))


def parts(sid):
    """A message of the greatest size, made of the smallest parts."""
    body = b"\x12\0" * (1 << 17)  # settings of a configuration
    inner = b"\x0a" + varint(len(body)) + body
    message = b"\0" + struct.pack(">I", len(inner)) + inner
    blocks = [message[i:i + 16384] for i in range(0, len(message), 16384)]
    return calls(sid, request("/pmu.v1.MachineService/CreateMachine"),
                 *[frame(DATA, 0, sid, b) for b in blocks],
                 frame(DATA, END_STREAM, sid))


def field(number, body):
    return varint(number << 3 | 2) + varint(len(body)) + body


def data(sid, message):
    """A whole request, in frames of the greatest size."""
    whole = b"\0" + struct.pack(">I", len(message)) + message
    blocks = [whole[i:i + 16384] for i in range(0, len(whole), 16384)]
    return [frame(DATA, 0, sid, b) for b in blocks] + [
        frame(DATA, END_STREAM, sid)]


def many_settings(sid, number):
    """Settings of all harts, of a machine that nobody may have."""
    one = field(4, field(1, b"isa") + field(2, b"rv64i"))
    config = one * number + b"\x10" + varint(15 << 30)
    return calls(sid, request("/pmu.v1.MachineService/CreateMachine"),
                 *data(sid, field(1, config)))


def reflect(sid):
    """Thousands of the smallest questions in one call, which goes on."""
    block = request("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo")
    ask = frame(DATA, 0, 1, b"\0\0\0\0\2\x1a\0" * 2285) * 8
    return (calls(1, block) if sid == 1 else b"") + ask


def varint(n):
    out = b""
    while n > 127:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])


def halves(sid):
    """A message that never becomes whole: all of it has to be kept."""
    block = request("/pmu.v1.MachineService/CreateMachine")
    return calls(sid, block, *[
        frame(DATA, 0, sid, (b"\0\0\x3f\xff\xff" if not i else b"") + bytes(16000))
        for i in range(250)])


def idlers(sid):
    """As many calls as may be open, which nothing ends."""
    if sid > 1:
        return b""
    block = request("/grpc.health.v1.Health/Watch")
    return b"".join(
        calls(sid + i, block, frame(DATA, END_STREAM, sid + i, EMPTY))
        for i in range(0, 200, 2))


def pings(sid):
    return frame(PING, 0, 0, b"12345678") * 200


def settings(sid):
    return frame(SETTINGS, 0, 0, b"\0\4\0\0\x40\0") * 200


def streams(sid):
    """Calls that are not ended, far above the limit."""
    return b"".join(calls(sid + i, HEALTH) for i in range(0, 200, 2))


FAT = b"\x38\0" * 32700  # a configuration of parts that nobody knows


def fat_machines(sid):
    """As many machines as there may be, then lists of them."""
    make = request("/pmu.v1.MachineService/CreateMachine")
    if sid == 1:
        return b"".join(calls(sid + i, make, *data(sid + i, field(1, FAT)))
                        for i in range(0, 32, 2))
    block = request("/pmu.v1.MachineService/ListMachines")
    return b"".join(
        calls(sid + i, block, frame(DATA, END_STREAM, sid + i, EMPTY))
        for i in range(0, 100, 2))


# name: what is sent again and again, whether answers are read, the windows
ATTACKS = {
    "none": None,
    "bombs": (bombs, True, SMALL),
    "small-bombs": (small_bombs, True, SMALL),
    "resets": (resets, True, SMALL),
    "health": (health, True, WIDE),
    "catalogue": (catalogue, True, WIDE),
    "catalogue-unread": (catalogue, False, WIDE),
    "parts": (parts, True, WIDE),
    "settings": (lambda sid: many_settings(sid, 4000), True, WIDE),
    "reflect": (reflect, True, WIDE),
    "fat-machines": (fat_machines, True, WIDE),
    "halves": (halves, True, WIDE),
    "idlers": (idlers, True, WIDE),
    "pings": (pings, True, SMALL),
    "pings-unread": (pings, False, SMALL),
    "settings-unread": (settings, False, SMALL),
    "streams-unread": (streams, False, SMALL),
}


class Attacker:
    """One hostile connection, which comes again when it is closed."""

    def __init__(self, path, attack):
        self.path, (self.make, self.reads, self.hello) = path, attack
        self.socket = None

    def open(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(self.path)
        self.socket.setblocking(False)
        self.out, self.sid = PREFACE + self.hello, 1

    def turn(self):
        """Send what the socket takes; whether anything went."""
        try:
            if not self.socket:
                self.open()
            if self.reads:
                self.drain()
            if not self.out:
                self.out = self.make(self.sid)
                self.sid += 200
            sent = self.socket.send(self.out) if self.out else 0
            self.out = self.out[sent:]
            return sent
        except BlockingIOError:
            return 0
        except OSError:
            if self.socket:
                self.socket.close()
            self.socket = None
            return 0

    def drain(self):
        try:
            while self.socket.recv(1 << 16):
                pass
        except BlockingIOError:
            return
        raise ConnectionResetError


def attack_for_ever(path, name, connections, rate, uid):
    """Attack with @rate bytes a second in sum, 0: as many as go."""
    os.setgroups([])
    os.setgid(uid)
    os.setuid(uid)
    all_of_them = [Attacker(path, ATTACKS[name]) for _ in range(connections)]
    start, sent = time.monotonic(), 0
    while True:
        moved = 0
        for attacker in all_of_them:
            moved += attacker.turn()
        sent += moved
        ahead = sent / rate - (time.monotonic() - start) if rate else 0
        if ahead > 0 or not moved:
            time.sleep(max(ahead, 0.001))


class Victim:
    """Health calls by hand, one after the other."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.socket.sendall(PREFACE + WIDE)
        self.sid, self.buffer = 1, b""

    def next_frame(self):
        while len(self.buffer) < 9 or len(self.buffer) < 9 + self.size():
            more = self.socket.recv(1 << 16)
            assert more, "pmud hung up"
            self.buffer += more
        whole = self.buffer[:9 + self.size()]
        self.buffer = self.buffer[len(whole):]
        return whole

    def size(self):
        return int.from_bytes(self.buffer[:3], "big")

    def call(self):
        start = time.monotonic()
        self.socket.sendall(calls(self.sid, HEALTH,
                                  frame(DATA, END_STREAM, self.sid, EMPTY)))
        while True:
            head = self.next_frame()
            if head[3] == SETTINGS and not head[4] & ACK:
                self.socket.sendall(frame(SETTINGS, ACK, 0))
            sid = int.from_bytes(head[5:9], "big")
            if sid == self.sid and head[4] & END_STREAM:
                break
        self.sid += 2
        return time.monotonic() - start


def rss_anon(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("RssAnon"):
                return int(line.split()[1])
    return 0


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def as_victim(path, number, pid, pause):
    """The times of @number calls, and the greatest RssAnon meanwhile."""
    os.seteuid(HONEST)
    victim = Victim(path)
    os.seteuid(0)
    times, most = [], 0
    for _ in range(number):
        times.append(victim.call())
        most = max(most, rss_anon(pid))
        time.sleep(pause)
    return sorted(times), most


def measure(args, name, path, pmud):
    attackers = []
    if ATTACKS[name]:
        for n in range(args.processes):
            pid = os.fork()
            if not pid:
                try:
                    attack_for_ever(path, name,
                                    args.connections // args.processes,
                                    args.rate / args.processes,
                                    HOSTILE - n % args.users)
                finally:
                    os._exit(1)
            attackers.append(pid)
    time.sleep(args.ahead)
    begun, cpu = time.monotonic(), cpu_seconds(pmud.pid)
    times, most = as_victim(path, args.calls, pmud.pid, args.pause)
    cpu = (cpu_seconds(pmud.pid) - cpu) / (time.monotonic() - begun)
    for pid in attackers:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    p50, p99 = times[len(times) // 2], times[len(times) * 99 // 100]
    print(f"{name:17} p50 {p50 * 1e3:7.2f} ms  p99 {p99 * 1e3:7.2f} ms  "
          f"max {times[-1] * 1e3:7.2f} ms  RssAnon {most / 1024:5.1f} MiB  "
          f"pmud {cpu * 100:3.0f} %  load {os.getloadavg()[0]:.1f}",
          flush=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pmud")
    parser.add_argument("attacks", nargs="*", metavar="ATTACK",
                        help=f"of: {' '.join(ATTACKS)} (all)")
    parser.add_argument("--connections", type=int, default=50)
    parser.add_argument("--processes", type=int, default=2,
                        help="that share the connections")
    parser.add_argument("--users", type=int, default=1,
                        help="that the processes are in turn")
    parser.add_argument("--rate", type=float, default=0,
                        help="bytes a second in sum (0: as many as go)")
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--pause", type=float, default=0.002,
                        help="seconds between two calls")
    parser.add_argument("--ahead", type=float, default=2,
                        help="seconds of attack before the first call")
    args = parser.parse_intermixed_args()
    for name in args.attacks:
        if name not in ATTACKS:
            parser.error(f"no attack '{name}'")
    if os.geteuid():
        parser.error("needs root, to be two users")
    return args


def main():
    args = parse()
    with tempfile.TemporaryDirectory() as work:
        os.chmod(work, 0o755)
        path = os.path.join(work, "sock")
        for name in args.attacks or ATTACKS:
            with subprocess.Popen([args.pmud, "--socket", path]) as pmud:
                while not os.path.exists(path):
                    time.sleep(0.01)
                os.chmod(path, 0o666)
                try:
                    measure(args, name, path, pmud)
                finally:
                    pmud.terminate()


if __name__ == "__main__":
    sys.exit(main())
