# SPDX-License-Identifier: BSD-2-Clause
"""Calls of every kind to a real machine: NAME PMUD PROTO GUEST.

The methods and their messages are read from the protocol's descriptors.
"""

import os
import subprocess
import sys
import tempfile

import grpc
from google.protobuf import descriptor_pool, message_factory
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from details import Details

PMUD, PROTO, GUEST = sys.argv[1:4]
WORK = tempfile.TemporaryDirectory()
PATH = os.path.join(WORK.name, "pmud.sock")
C = grpc.StatusCode


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
        self.details = None  # of the last refusal

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
        several = request if isinstance(request, list) else [request]
        argument = iter(several) if kind[0] else several[0]
        try:
            answer = stub(argument, timeout=timeout, wait_for_ready=True)
            if kind[1]:
                next(answer, None)
                answer.cancel()
            return C.OK, "", answer
        except grpc.RpcError as error:
            self.details = Details(error, path)
            return error.code(), error.details(), None

    def simple(self, service, name, **fields):
        method = POOL.FindServiceByName(f"pmu.v1.{service}").methods_by_name[name]
        request = new(method.input_type)
        for key, value in fields.items():
            setattr(request, key, value)
        return self.call(method, request)

    def made(self):
        """A machine with nothing in it."""
        if self.machine:
            self.simple("MachineService", "DeleteMachine", machine=self.machine)
        code, text, answer = self.simple("MachineService", "CreateMachine")
        assert code == C.OK, text
        self.machine = answer.machine.id

    def fresh(self):
        """A machine with a guest, started and paused."""
        self.made()
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
