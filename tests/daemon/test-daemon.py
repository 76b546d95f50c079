#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""pmud with machines that misbehave: test-daemon.py PMUD FAKE PROTO_DIR.

Every test starts a pmud of its own with the fake machine program. Prints TAP.
"""

import os
import pathlib
import subprocess
import sys

import grpc

import harness
from harness import PMUD, WORK, Client, child, children_of_pmud, refused
from pmu.v1 import common_pb2 as common
from pmu.v1 import events_pb2 as events
from pmu.v1 import harts_pb2 as harts
from pmu.v1 import machines_pb2 as machines
from pmu.v1 import system_pb2 as system


def test_a_machine_is_created_listed_and_deleted(path):
    client = Client(path)
    machine = client.create()
    assert machine.id == "m1" and machine.owner_uid == os.getuid()
    assert machine.config.settings[0].key == "mvendorid"
    listed = client.machine("ListMachines").machines
    assert [m.id for m in listed] == ["m1"]
    client.machine("DeleteMachine", machine="m1")
    assert not client.machine("ListMachines").machines
    refused(
        grpc.StatusCode.NOT_FOUND, "'m1'", client.machine, "GetMachine", machine="m1"
    )


def test_a_configuration_that_is_refused_leaves_no_machine(path):
    client = Client(path)
    refused(
        grpc.StatusCode.INVALID_ARGUMENT, "mvendorid: 'refuse'", client.create, "refuse"
    )
    assert not client.machine("ListMachines").machines


def dies(path, how, text):
    client = Client(path)
    other = client.create()
    refused(grpc.StatusCode.UNAVAILABLE, text, client.create, how)
    assert client.machine("GetMachine", machine=other.id).machine.cycle == 1


def test_an_abort_is_reported_with_signal_and_last_words(path):
    dies(path, "abort", "killed by signal 6 (Aborted): the engine gave up")


def test_a_malformed_message_ends_the_machine_only(path):
    dies(path, "nonsense", "it sent a malformed message")


def test_a_message_of_an_unknown_form_ends_the_machine_only(path):
    dies(path, "flag", "it sent a malformed message")


def test_a_message_without_end_ends_the_machine_only(path):
    dies(path, "endless", "it sent a message that is too long")


def test_a_closed_control_socket_ends_the_machine_only(path):
    dies(path, "silent", "closed its control socket")


def test_a_hostile_ring_ends_the_machine_only(path):
    dies(path, "ring", "its trace ring is corrupt")


def test_a_hostile_ring_is_told_of_a_machine_that_has_ended(path):
    dies(path, "spoilt", "its trace ring is corrupt; it exited with status 0")


def test_last_words_may_be_a_letter_and_then_more_than_a_pipe_holds(path):
    dies(path, "stammer", "exited with status 3: ")


def test_last_words_are_told_as_text(path):
    dies(path, "binary", "exited with status 3: caf??, ???[1m")


def test_a_message_that_unpacks_to_far_more_ends_the_machine_only(path):
    dies(path, "parts", "it sent a malformed message")


def test_a_message_with_text_that_is_none_ends_the_machine_only(path):
    dies(path, "latin1", "it sent a malformed message")


def test_a_machine_that_says_too_much_of_itself_is_ended(path):
    dies(path, "long", "it sent a malformed message")


def test_a_machine_that_says_too_much_in_an_answer_is_ended(path):
    dies(path, "talkative", "it sent a malformed message")


def test_a_machine_that_does_not_say_its_state_is_ended(path):
    dies(path, "stateless", "it sent a malformed message")


def test_a_message_whose_head_is_longer_than_it_ends_the_machine_only(path):
    dies(path, "headless", "it sent a malformed message")


def test_a_machine_that_takes_what_is_no_part_of_a_stream_is_ended(path):
    dies(path, "taken", "it sent a malformed message")


def test_a_status_that_does_not_exist_is_unknown(path):
    client = Client(path)
    refused(grpc.StatusCode.UNKNOWN, "no such code", client.create, "code")


def test_answers_that_nobody_waits_for_are_ignored(path):
    client = Client(path)
    assert client.create("other").id == "m1"


def crashed(client, machine):
    got = client.machine("GetMachine", machine=machine).machine
    return got if got.state == common.MACHINE_STATE_CRASHED else None


def test_a_machine_that_dies_inside_a_record_is_told_to_have_died(path):
    client = Client(path)
    machine = client.create("cut").id
    watch = client.machine("WatchMachine", machine=machine)
    while next(watch).machine.state != common.MACHINE_STATE_CRASHED:
        pass
    assert "status 4" in crashed(client, machine).detail
    stored = client.trace("QueryRecords", machine=machine)
    assert [r.insn for a in stored for r in a.records] == [0]


def others_go_on(path, how):
    """A machine that never rests leaves pmud time for all the others."""
    client, other = Client(path), Client(path)
    restless = client.create(how)
    machine = other.create()
    for number in range(50):
        got = other.machine("GetMachine", machine=machine.id).machine
        assert got.cycle == number + 1
    client.machine("DeleteMachine", machine=restless.id)


def test_endless_talk_does_not_starve_others(path):
    others_go_on(path, "chatter")


def test_endless_notices_do_not_starve_others(path):
    others_go_on(path, "notices")


def test_endless_records_do_not_starve_others(path):
    others_go_on(path, "flood")


def test_a_watcher_that_does_not_read_is_given_up(path):
    client, other = Client(path), Client(path)
    machine = client.create("notices")
    watch = client.machine("WatchMachine", machine=machine.id)
    next(watch)
    for _ in range(50):
        other.machine("ListMachines")
    refused(grpc.StatusCode.RESOURCE_EXHAUSTED, "too slow", list, watch)


def test_a_configuration_has_a_limit(path):
    client = Client(path)
    refused(grpc.StatusCode.RESOURCE_EXHAUSTED,
            "config: must be at most 65536 bytes", client.create, "x" * (64 << 10))


def test_a_killed_machine_stays_to_be_read(path):
    client = Client(path)
    machine = client.create()
    watch = client.machine("WatchMachine", machine=machine.id)
    assert next(watch).machine.state == common.MACHINE_STATE_NEW
    for pid in children_of_pmud():
        os.kill(pid, 9)
    last = next(watch).machine
    assert last.state == common.MACHINE_STATE_CRASHED
    assert "signal 9" in last.detail and last.exit_code == 126
    got = client.machine("GetMachine", machine=machine.id).machine
    assert got.state == common.MACHINE_STATE_CRASHED
    refused(
        grpc.StatusCode.UNAVAILABLE,
        "signal 9",
        client.machine,
        "StartMachine",
        machine=machine.id,
    )


def test_an_upload_is_passed_on_piece_by_piece(path):
    client = Client(path)
    machine = client.create()
    start = machines.LoadImageRequest(
        start=machines.ImageStart(machine=machine.id, total_bytes=3 << 20)
    )
    chunk = machines.LoadImageRequest(chunk=bytes(1 << 20))
    assert client.upload(start, chunk, chunk, chunk).entry == 3 << 20


def test_an_upload_that_does_not_begin_right_is_refused(path):
    client = Client(path)
    client.create()
    chunk = machines.LoadImageRequest(chunk=b"x")
    refused(grpc.StatusCode.INVALID_ARGUMENT, "`start`", client.upload, chunk)
    refused(grpc.StatusCode.INVALID_ARGUMENT, "nothing", client.upload)


def test_a_chunk_that_is_too_long_is_refused(path):
    client = Client(path)
    machine = client.create()
    start = machines.LoadImageRequest(
        start=machines.ImageStart(machine=machine.id, total_bytes=2 << 20)
    )
    chunk = machines.LoadImageRequest(chunk=bytes((1 << 20) + 1))
    refused(grpc.StatusCode.INVALID_ARGUMENT, "1 MiB", client.upload, start, chunk)


def test_a_machine_dies_with_its_connection(path):
    client, other = Client(path), Client(path)
    leased = client.create()
    kept = client.create(detach=True)
    watch = other.machine("WatchMachine", machine=leased.id)
    next(watch)
    client.close()
    assert not list(watch)  # the stream ends in good order
    assert [m.id for m in other.machine("ListMachines").machines] == [kept.id]


def test_a_detached_machine_outlives_its_connection(path):
    client, other = Client(path), Client(path)
    machine = client.create()
    client.machine("DetachMachine", machine=machine.id)
    client.close()
    assert other.machine("GetMachine", machine=machine.id).machine.detached


def test_one_user_has_so_many_machines_and_no_more(path):
    client = Client(path)
    for _ in range(16):
        client.create()
    refused(grpc.StatusCode.RESOURCE_EXHAUSTED, "you have 16 machines", client.create)


def test_another_users_machine_is_out_of_reach(path):
    if os.getuid() != 0:
        raise harness.Skipped("it takes root to be another user")
    client = Client(path)
    machine = client.create()
    os.chmod(WORK.name, 0o755)
    os.chmod(path, 0o666)
    script = (
        "import grpc, sys; sys.path.insert(0, sys.argv[2])\n"
        "from pmu.v1 import machines_pb2 as m\n"
        "c = grpc.insecure_channel('unix://' + sys.argv[1])\n"
        "f = c.unary_unary('/pmu.v1.MachineService/DeleteMachine',\n"
        "  request_serializer=lambda r: r.SerializeToString(),\n"
        "  response_deserializer=m.DeleteMachineResponse.FromString)\n"
        "try: f(m.DeleteMachineRequest(machine=sys.argv[3]), timeout=30)\n"
        "except grpc.RpcError as e: print(e.code().name, e.details())\n"
    )
    out = subprocess.run(
        child.as_user("nobody", ["/usr/bin/python3", "-c", script, path,
                                 WORK.name, machine.id]),
        cwd="/",
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout
    assert out.startswith("PERMISSION_DENIED"), out
    assert client.machine("GetMachine", machine=machine.id).machine.id == machine.id


def test_an_answer_of_the_wrong_kind_ends_the_machine_only(path):
    client = Client(path)
    machine, other = client.create(), client.create()
    refused(
        grpc.StatusCode.UNAVAILABLE,
        "it sent a malformed message",
        client.call,
        "HartService",
        "ReadCsr",
        harts,
        machine=machine.id,
        number=0x300,
    )
    assert crashed(client, machine.id)
    assert client.machine("GetMachine", machine=other.id).machine.cycle == 1


def test_a_call_that_waits_ends_with_its_machine(path):
    client, other = Client(path), Client(path)
    machine = client.create()
    request = machines.StepMachineRequest(machine=machine.id)
    waiting = client.channel.unary_unary(
        "/pmu.v1.MachineService/StepMachine",
        request_serializer=lambda m: m.SerializeToString(),
        response_deserializer=machines.StepMachineResponse.FromString,
    ).future(request, timeout=30)
    other.machine("GetMachine", machine=machine.id)
    other.machine("DeleteMachine", machine=machine.id)
    refused(grpc.StatusCode.UNAVAILABLE, "deleted", waiting.result)


def test_a_record_stream_begins_with_the_header(path):
    client = Client(path)
    machine = client.create()
    stream = client.trace("StreamRecords", machine=machine.id)
    assert next(stream).header.xlen == 64
    stored = client.trace("QueryRecords", machine=machine.id)
    assert not list(stored)


def test_a_place_that_is_not_usable_is_named_at_the_start(_):
    for option, value in (("--state-dir", "/nowhere/at/all"),
                          ("--machine-program", "/nowhere/machine")):
        done = subprocess.run(
            [PMUD, "--socket", WORK.name + "/unused.sock", option, value],
            capture_output=True, text=True, check=False, timeout=30)
        assert done.returncode == 1, done
        assert f"{option} {value}: No such file" in done.stderr, done


def test_catalogues_need_no_machine(path):
    client = Client(path)
    listed = client.call("EventService", "ListEvents", events).events
    by_name = {e.name: e for e in listed}
    assert by_name["cycles"].selector == 1
    assert by_name["fw_set_timer"].selector == 0xF0005
    assert by_name["cycles"].settings == ""
    assert by_name["bus-cycles"].settings == "bus-hz"
    assert not by_name["bus-cycles"].watched
    assert by_name["cache-misses"].settings == "uarch"
    assert by_name["cache-misses"].watched
    settings = client.machine("ListSettings").settings
    assert "quantum" in {s.key for s in settings}


def test_pmud_says_which_version_it_is(path):
    answer = Client(path).call("SystemService", "GetVersion", system)
    said = subprocess.run([PMUD, "--version"], capture_output=True, text=True,
                          check=True).stdout
    assert said == f"pmud {answer.version}\n", said
    assert answer.protocol == "pmu.v1", answer
    assert answer.trace_version == 1, answer


def test_a_second_pmud_on_a_path_says_who_has_it(path):
    done = subprocess.run([PMUD, "--socket", path], capture_output=True,
                          text=True, check=False, timeout=30)
    assert done.returncode == 1, done
    assert f"{path}: process {harness.PID[0]} serves it" in done.stderr, done
    assert not Client(path).machine("ListMachines").machines


def test_a_pmud_without_an_event_loop_says_so(_):
    kqueue = "8"  # which Linux has not
    done = subprocess.run([PMUD, "--socket", WORK.name + "/none.sock"],
                          env=dict(os.environ, LIBEV_FLAGS=kqueue),
                          capture_output=True, text=True, check=False, timeout=30)
    assert done.returncode == 1, done
    said = "pmud: cannot serve: libev makes no event loop\n"
    assert done.stderr == said, done


def test_a_port_is_told_and_knows_nobody(_):
    words = [PMUD, "--machine-program", harness.fake_program(), "-d", WORK.name]
    said = pathlib.Path(WORK.name, "said")
    with open(said, "wb") as f:
        pmud = child.start(words + ["--socket", WORK.name + "/1.sock", "--tcp=0"],
                           stderr=f)
    try:
        harness.until(lambda: said.read_text().endswith("\n"))
        head, port = said.read_text().strip().rsplit(":", 1)
        assert head == "pmud: also on 127.0.0.1" and int(port) > 0, head
        client = Client(f"127.0.0.1:{port}")
        assert client.call("EventService", "ListEvents", events).events
        refused(grpc.StatusCode.UNAUTHENTICATED, "use the Unix socket",
                client.create)
        taken = subprocess.run(
            words + ["--socket", WORK.name + "/2.sock", "--tcp=" + port],
            capture_output=True, text=True, check=False, timeout=30)
        assert taken.returncode == 1, taken
        used = "Address already in use\n"
        assert taken.stderr == (f"pmud: 127.0.0.1:{port}: {used}"
                                f"pmud: cannot serve: {used}"), taken.stderr
    finally:
        pmud.terminate()
        assert pmud.wait(timeout=30) == 0
    assert said.read_text().count("\n") == 1, said.read_text()


if __name__ == "__main__":
    sys.exit(harness.run(globals()))
