# SPDX-License-Identifier: BSD-2-Clause
"""Machines of four instructions, and sessions of EbbService on them."""

from harness import Client
from pmu.v1 import common_pb2 as common
from pmu.v1 import ebb_pb2 as ebb
from pmu.v1 import harts_pb2 as harts
from pmu.v1 import machines_pb2 as machines

BASE = 0x80000000
LOOP = b"".join(w.to_bytes(4, "little") for w in (0x13, 0x13, 0x13, 0xFF5FF06F))
INSNS = 2
Act = machines.EbbInput


class Machine:
    """Stands before its first instruction."""

    def __init__(self, path, inputs=(), **settings):
        self.path, self.client = path, Client(path)
        config = common.MachineConfig(
            memory_bytes=16 << 20, start_mode=common.START_MODE_M,
            settings=[common.Setting(key=k.replace("_", "-"), value=v)
                      for k, v in settings.items()])
        self.id = self.client.machine("CreateMachine", config=config).machine.id
        start = machines.ImageStart(
            machine=self.id, kind=machines.IMAGE_KIND_FLAT, address=BASE,
            total_bytes=len(LOOP))
        self.client.upload(machines.LoadImageRequest(start=start),
                           machines.LoadImageRequest(chunk=LOOP))
        if inputs:
            self.queue(inputs)
        self.do("StartMachine", paused=True)

    def queue(self, inputs):
        stub = self.client.channel.stream_unary(
            "/pmu.v1.MachineService/QueueInputs",
            request_serializer=lambda m: m.SerializeToString(),
            response_deserializer=machines.QueueInputsResponse.FromString)
        stub(iter([machines.QueueInputsRequest(machine=self.id,
                                               inputs=inputs)]), timeout=30)

    def do(self, method, **fields):
        return self.client.machine(method, machine=self.id, **fields)

    def csr(self, name):
        return self.client.call("HartService", "ReadCsr", harts,
                                machine=self.id, name=name).csr.value

    def info(self):
        return self.do("GetMachine").machine

    def is_frozen(self):
        return self.info().detail.startswith("frozen")

    def records(self):
        answers = self.client.trace("QueryRecords", machine=self.id)
        return [r for a in answers for r in a.records]


class Session:
    """On a connection of its own; @opened is what pmud answered."""

    def __init__(self, machine, **how):
        self.machine, self.client = machine, Client(machine.path)
        stub = self.client.channel.unary_stream(
            "/pmu.v1.EbbService/OpenEbb",
            request_serializer=lambda m: m.SerializeToString(),
            response_deserializer=ebb.OpenEbbResponse.FromString)
        self.life = stub(ebb.OpenEbbRequest(machine=machine.id, **how))
        self.opened = next(self.life)
        self.number = self.opened.session

    def act(self, *acts):
        inputs = [machines.Input(ebb=Act(session=self.number, **a))
                  for a in acts]
        return self.client.call("EbbService", "ActOnEbb", ebb,
                                machine=self.machine.id, inputs=inputs)

    def simply(self, *whats):
        return self.act(*[{"what": what} for what in whats])

    def add(self, counter, period):
        return self.act({"what": Act.WHAT_ADD, "counter": counter,
                         "event": INSNS, "period": period})

    def read(self):
        return self.client.call("EbbService", "ReadEbb", ebb,
                                machine=self.machine.id, session=self.number)

    def told(self):
        """Deliveries as they come."""
        stream = self.client.trace("StreamRecords", machine=self.machine.id,
                                   filter={"ebb_session": self.number})
        assert next(stream).WhichOneof("item") == "header"
        return (r for m in stream for r in m.batch.records
                if r.WhichOneof("kind") == "ebb_delivery")


def enabled(machine, period, **how):
    s = Session(machine, **how)
    s.add(3, period)
    told = s.told()
    s.simply(Act.WHAT_ENABLE, Act.WHAT_UNMASK)
    return s, told
