#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Every field of every request, out of range: test-fields.py PMUD PROTO GUEST.

The requests are read from the protocol's descriptors, so a new field is tested
the day it is added. Each is sent to a real machine, once with every field at
each of its edges; the answer is a success or an error that names its cause, and
daemon and machine live on. Prints TAP.
"""

import os
import subprocess
import sys
import tempfile
import traceback

import grpc
from google.protobuf import descriptor_pool, message_factory
from google.protobuf.descriptor import FieldDescriptor as F
from google.protobuf.descriptor_pb2 import FileDescriptorSet

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import child  # noqa: E402 - found by the line above

PMUD, PROTO, GUEST = sys.argv[1:4]
WORK = tempfile.TemporaryDirectory()
PATH = os.path.join(WORK.name, "pmud.sock")
C = grpc.StatusCode
FINE = {
    C.OK, C.INVALID_ARGUMENT, C.NOT_FOUND, C.OUT_OF_RANGE,
    C.FAILED_PRECONDITION, C.RESOURCE_EXHAUSTED, C.DEADLINE_EXCEEDED,
}
# DEADLINE_EXCEEDED is a good answer of what waits for the guest only
MAY_WAIT = {"StepMachine", "ReadConsole", "StreamRecords"}
# what would take away the machine that the other rows need
ENDS = {"DeleteMachine"}

EDGES = {
    F.TYPE_UINT32: [0, 1, 31, 32, 63, 64, 4095, 4096, 2**31, 2**32 - 1],
    F.TYPE_INT32: [0, -1, -(2**31), 2**31 - 1],
    F.TYPE_UINT64: [0, 1, 2**32, 2**63, 2**64 - 1],
    F.TYPE_INT64: [0, -1, -(2**63), 2**63 - 1],
    F.TYPE_BOOL: [True, False],
    F.TYPE_STRING: ["", "x", "mstatus", "ä" * 100, "x" * 100000],
    F.TYPE_BYTES: [b"", b"\0", b"x" * 70000, b"x" * (2 << 20)],
    F.TYPE_ENUM: [0, 1, 99, -1, 2**31 - 1],
}


def load_protocol():
    out = os.path.join(WORK.name, "set.pb")
    names = sorted(
        os.path.join("pmu/v1", n) for n in os.listdir(f"{PROTO}/pmu/v1")
        if n.endswith(".proto")
    )
    subprocess.run(["protoc", "-I", PROTO, "--include_imports",
                    f"--descriptor_set_out={out}", *names],
                   check=True, cwd=PROTO)
    files = FileDescriptorSet()
    with open(out, "rb") as f:
        files.ParseFromString(f.read())
    pool = descriptor_pool.DescriptorPool()
    services = []
    for file in files.file:
        pool.Add(file)
        services += [f"{file.package}.{s.name}" for s in file.service]
    return pool, services


POOL, SERVICES = load_protocol()
FACTORY = message_factory.MessageFactory(POOL)


def new(descriptor):
    return FACTORY.GetPrototype(descriptor)()


class Bench:
    def __init__(self):
        self.channel = grpc.insecure_channel("unix://" + PATH)
        self.machine = ""

    def call(self, method, request, timeout=20):
        path = f"/{method.containing_service.full_name}/{method.name}"
        streams = {
            (False, False): self.channel.unary_unary,
            (False, True): self.channel.unary_stream,
            (True, False): self.channel.stream_unary,
        }
        kind = method_kind(method)
        stub = streams[kind](
            path,
            request_serializer=lambda m: m.SerializeToString(),
            response_deserializer=FACTORY.GetPrototype(
                method.output_type).FromString,
        )
        argument = iter([request]) if kind[0] else request
        try:
            answer = stub(argument, timeout=timeout, wait_for_ready=True)
            if kind[1]:
                next(answer, None)
                answer.cancel()
            return C.OK, "", answer
        except grpc.RpcError as error:
            return error.code(), error.details(), None

    def simple(self, service, name, **fields):
        method = POOL.FindServiceByName(f"pmu.v1.{service}").methods_by_name[name]
        request = new(method.input_type)
        for key, value in fields.items():
            setattr(request, key, value)
        return self.call(method, request)

    def fresh(self):
        """A machine with a guest, started and paused."""
        if self.machine:
            self.simple("MachineService", "DeleteMachine", machine=self.machine)
        code, text, answer = self.simple("MachineService", "CreateMachine")
        assert code == C.OK, text
        self.machine = answer.machine.id
        service = POOL.FindServiceByName("pmu.v1.MachineService")
        load = service.methods_by_name["LoadImage"]
        with open(GUEST, "rb") as f:
            image = f.read()
        parts = [new(load.input_type), new(load.input_type)]
        parts[0].start.machine = self.machine
        parts[0].start.total_bytes = len(image)
        parts[1].chunk = image
        stub = self.channel.stream_unary(
            "/pmu.v1.MachineService/LoadImage",
            request_serializer=lambda m: m.SerializeToString(),
            response_deserializer=lambda b: b)
        stub(iter(parts), timeout=20)
        code, text, _ = self.simple("MachineService", "StartMachine",
                                    machine=self.machine, paused=True)
        assert code == C.OK, text


STREAM_OUT = {"WatchMachine", "ReadConsole", "StreamRecords", "QueryRecords"}
STREAM_IN = {"LoadImage", "QueueInputs"}


def method_kind(method):
    return method.name in STREAM_IN, method.name in STREAM_OUT


def requests(method, machine):
    """Every field at each of its edges, the others as a good call has them."""

    def base():
        request = new(method.input_type)
        names = method.input_type.fields_by_name
        if "machine" in names:
            request.machine = machine
        if method.name == "LoadImage":
            request.start.machine = machine
        return request

    yield "as it is", base()
    yield from edges(method.input_type, base, lambda request: request, "")


def edges(descriptor, base, reach, prefix):
    for field in descriptor.fields:
        name = prefix + field.name
        repeated = field.label == F.LABEL_REPEATED
        if field.type == F.TYPE_MESSAGE:

            def inner(request, reach=reach, field=field, repeated=repeated):
                at = getattr(reach(request), field.name)
                if repeated:
                    return at[0] if at else at.add()
                at.SetInParent()
                return at

            yield from edges(field.message_type, base, inner, name + ".")
            continue
        for value in EDGES[field.type]:
            request = base()
            at = reach(request)
            if repeated:
                getattr(at, field.name).extend([value] * 3)
            else:
                setattr(at, field.name, value)
            yield f"{name} = {str(value)[:20]!r}", request


def check_method(bench, method):
    bench.fresh()
    tried = 0
    for what, request in requests(method, bench.machine):
        waits = method.name in MAY_WAIT
        code, text, _ = bench.call(method, request, 0.5 if waits else 20)
        where = f"{method.name}, {what}: {code.name}: {text}"
        assert code in FINE, where
        assert code == C.OK or text, where
        assert waits or code != C.DEADLINE_EXCEEDED, where
        tried += 1
        code, text, answer = bench.simple("MachineService", "GetMachine",
                                          machine=bench.machine)
        if code == C.NOT_FOUND and method.name in ENDS:
            bench.fresh()
            continue
        assert code == C.OK, f"after {where}: {text}"
        state = answer.machine.state
        assert state != 6, f"after {where}: crashed: {answer.machine.detail}"
        if state not in (1, 3):
            bench.fresh()
    return tried


def main():
    pmud = child.start([PMUD, "--socket", PATH, "-d", WORK.name])
    bench = Bench()
    methods = [m for s in SERVICES for m in POOL.FindServiceByName(s).methods]
    failed = 0
    print(f"1..{len(methods) + 1}")
    for number, method in enumerate(methods, 1):
        try:
            tried = check_method(bench, method)
            print(f"ok {number} - {method.name}: {tried} requests", flush=True)
        except Exception:  # noqa: BLE001 - a test may fail in any way
            failed += 1
            print(f"not ok {number} - {method.name}")
            for line in traceback.format_exc().splitlines():
                print(f"# {line}", flush=True)
    pmud.terminate()
    ended = pmud.wait(timeout=60) == 0
    print(f"{'' if ended else 'not '}ok {len(methods) + 1} - pmud ends in order")
    child.leave(failed or not ended)


if __name__ == "__main__":
    main()
