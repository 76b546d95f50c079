# SPDX-License-Identifier: BSD-2-Clause
"""What the daemon's tests share: a pmud of their own, clients, TAP.

A test program is called with PMUD FAKE PROTO_DIR.
"""

import contextlib
import os
import shlex
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import traceback

import grpc

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import asserted  # noqa: E402 - found by the line above

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import child  # noqa: E402 - found by the line above

PMUD, FAKE, PROTO = (os.path.abspath(a) for a in sys.argv[1:4])
WORK = tempfile.TemporaryDirectory()
PID = []  # of the pmud of the present test


def compile_protocol():
    names = []
    for folder, _, files in os.walk(PROTO):
        names += [os.path.join(folder, f) for f in files if f.endswith(".proto")]
    names = [n for n in names if os.sep + "pmu" + os.sep in n]
    subprocess.run(
        ["protoc", "-I", PROTO, "--python_out", WORK.name, *names], check=True
    )
    sys.path.insert(0, WORK.name)


compile_protocol()
from pmu.v1 import common_pb2 as common  # noqa: E402
from pmu.v1 import machines_pb2 as machines  # noqa: E402
from pmu.v1 import traces_pb2 as traces  # noqa: E402

STREAMS = {"WatchMachine", "ReadConsole", "StreamRecords", "QueryRecords"}


class Client:
    """One connection; methods by name, requests as keywords."""

    def __init__(self, path):  # of a socket, or HOST:PORT
        where = path if ":" in path else "unix://" + path
        options = [
            ("grpc.use_local_subchannel_pool", 1),
            # what is not read waits in pmud, not here
            ("grpc.http2.bdp_probe", 0),
            ("grpc.http2.lookahead_bytes", 64 << 10),
        ]
        self.channel = grpc.insecure_channel(where, options)

    def call(self, service, method, module, **fields):
        request = getattr(module, method + "Request")(**fields)
        path = f"/pmu.v1.{service}/{method}"
        kind = (
            self.channel.unary_stream
            if method in STREAMS
            else self.channel.unary_unary
        )
        stub = kind(
            path,
            request_serializer=lambda m: m.SerializeToString(),
            response_deserializer=getattr(module, method + "Response").FromString,
        )
        if method in STREAMS:
            return stub(request)
        return stub(request, timeout=30, wait_for_ready=True)

    def trace(self, method, **fields):
        return self.call("TraceService", method, traces, **fields)

    def machine(self, method, **fields):
        return self.call("MachineService", method, machines, **fields)

    def create(self, how="", detach=False, **recording):
        return self.create_later(how, detach, **recording).result().machine

    def create_later(self, how="", detach=False, **recording):
        """Return a CreateMachine in progress.

        All kinds are stored unless `recording` says otherwise.
        """
        config = common.MachineConfig(
            settings=[common.Setting(key="mvendorid", value=how)]
        )
        stub = self.channel.unary_unary(
            "/pmu.v1.MachineService/CreateMachine",
            request_serializer=lambda m: m.SerializeToString(),
            response_deserializer=machines.CreateMachineResponse.FromString,
        )
        request = machines.CreateMachineRequest(
            config=config,
            detach=detach,
            recording=common.Recording(
                **{"traps": True, "sbi_calls": True, **recording}
            ),
        )
        return stub.future(request, timeout=30, wait_for_ready=True)

    def upload(self, *parts):
        stub = self.channel.stream_unary(
            "/pmu.v1.MachineService/LoadImage",
            request_serializer=lambda m: m.SerializeToString(),
            response_deserializer=machines.LoadImageResponse.FromString,
        )
        return stub(iter(parts), timeout=30)

    def close(self):
        self.channel.close()


def children_of_pmud():
    with open(f"/proc/{PID[0]}/task/{PID[0]}/children", encoding="ascii") as f:
        return [int(pid) for pid in f.read().split()]


def kill_machines():
    for pid in children_of_pmud():
        os.kill(pid, signal.SIGKILL)


def until(condition):
    """Wait for what is bound to come, but not without end."""
    left = 3000
    while left and not condition():
        left -= 1
        time.sleep(0.01)
    assert left, "it did not come"


def forever():
    """Block a thread of a client's for the rest of the test."""
    time.sleep(60)


def fake_program():
    """Return a program without arguments that is the fake.

    pmud hands on none of its environment, so the words are in the program.
    """
    path = os.path.join(WORK.name, "machine")
    if not os.path.exists(path):
        with open(path, "w", encoding="utf-8") as f:
            f.write("#!/bin/sh\n"
                    f"PMU_PYTHON={shlex.quote(WORK.name)}\n"
                    "export PMU_PYTHON\n"
                    f"exec /usr/bin/python3 -B {shlex.quote(FAKE)}\n")
        os.chmod(path, 0o755)
    return path


@contextlib.contextmanager
def daemon(*options):
    path = tempfile.mktemp(dir=WORK.name, suffix=".sock")
    pmud = child.start(
        [PMUD, "--socket", path, "--machine-program", fake_program(),
         "-d", WORK.name]
        + list(options),
    )
    PID[:] = [pmud.pid]
    try:
        while not os.path.exists(path):
            if pmud.poll() is not None:
                raise AssertionError("pmud did not start")
            time.sleep(0.01)
        yield path
    finally:
        pmud.terminate()
        code = pmud.wait(timeout=30)
        if code != 0:
            raise AssertionError(f"pmud ended with {code}")


class Skipped(Exception):
    """What a test raises that has nothing to show here, and why."""


def refused(code, text, function, *args, **kwargs):
    """The call fails with this status and says this."""
    try:
        result = function(*args, **kwargs)
        if hasattr(result, "__next__"):
            list(result)
    except grpc.RpcError as error:
        assert error.code() == code, f"{error.code()}: {error.details()}"
        assert text in error.details(), error.details()
        return
    raise AssertionError("the call succeeded")


def run(tests, *options):
    """Run the functions named test_ of a module's globals, print TAP.

    Each has a pmud of its own, started with these options.
    """
    prefix = "test_" + os.environ.get("DAEMON_TEST", "")  # to run some only
    only = os.environ.get("TESTS_ONLY", "").split(",")  # or just these
    tests = [
        (n, f)
        for n, f in tests.items()
        if n.startswith(prefix) and (only == [""] or n in only)
    ]
    failed = 0
    for number, (name, function) in enumerate(tests, 1):
        try:
            with daemon(*options) as path, asserted.demanded():
                function(path)
            print(f"ok {number} - {name}", flush=True)
        except Skipped as why:
            print(f"ok {number} - {name} # SKIP {why}", flush=True)
        except Exception:  # noqa: BLE001 - a test may fail in any way
            failed += 1
            print(f"not ok {number} - {name}")
            for line in traceback.format_exc().splitlines():
                print(f"# {line}", flush=True)
    print(f"1..{len(tests)}")
    return failed != 0
