#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""pmud's RPC server and the clients of others: test-interop.py PMUD BUF.

Debian's gRPC for Python, buf by reflection, plain curl, and bytes that no
client would send. Prints TAP.
"""

import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback

import grpc

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import asserted  # noqa: E402 - found by the line above

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import child  # noqa: E402 - found by the line above

PMUD, BUF = sys.argv[1:3]
WORK = tempfile.TemporaryDirectory()
PATH = os.path.join(WORK.name, "pmud.sock")
GET = "/pmu.v1.MachineService/GetMachine"
LIST = "/pmu.v1.EventService/ListEvents"


def channel():
    options = [
        ("grpc.use_local_subchannel_pool", 1),
        ("grpc.max_send_message_length", -1),
    ]
    return grpc.insecure_channel("unix://" + PATH, options)


def call(method, request, where=None, **how):
    """A call with bytes for messages; (status, text, answer)."""
    where = where or channel()
    stub = where.unary_unary(method)
    try:
        answer = stub(request, timeout=30, wait_for_ready=True, **how)
        return grpc.StatusCode.OK, "", answer
    except grpc.RpcError as error:
        return error.code(), error.details(), b""


def expect(got, code, text=""):
    assert got[0] == code and text in got[1], got


def test_a_call_from_python(_):
    got = call(LIST, b"")
    assert got[0] == grpc.StatusCode.OK and b"instructions" in got[2], got


def test_an_unknown_method_is_unimplemented(_):
    code = grpc.StatusCode.UNIMPLEMENTED
    expect(call("/pmu.v1.MachineService/Nothing", b""), code)
    expect(call("/no.such.Service/At", b""), code)


def test_a_malformed_message_is_an_invalid_argument(_):
    expect(call(GET, b"\xff\xff\xff"), grpc.StatusCode.INVALID_ARGUMENT)


def test_bytes_that_are_no_utf8_are_answered(_):
    code, text, _ = call(GET, b"\x0a\x02\xff\xfe")
    assert code in (
        grpc.StatusCode.NOT_FOUND,
        grpc.StatusCode.INVALID_ARGUMENT,
    ), (code, text)


def test_a_message_too_large_is_refused_and_the_connection_lives(_):
    where = channel()
    name = b"\x0a\x80\x80\x80\x03" + b"x" * (6 << 20)
    expect(call(GET, name, where), grpc.StatusCode.RESOURCE_EXHAUSTED)
    expect(call(GET, b"\x0a\x01x", where), grpc.StatusCode.NOT_FOUND, "'x'")


def test_a_compressed_request_is_unimplemented(_):
    got = call(GET, b"\x0a\x01x" * 500, compression=grpc.Compression.Gzip)
    expect(got, grpc.StatusCode.UNIMPLEMENTED)


def test_text_comes_back_as_it_was(_):
    name = "äö %41".encode()
    got = call(GET, bytes([0x0A, len(name)]) + name)
    expect(got, grpc.StatusCode.NOT_FOUND, "'äö %41'")


def test_a_deadline_ends_a_stream(_):
    stub = channel().unary_stream("/grpc.health.v1.Health/Watch")
    stream = stub(b"", timeout=0.3)
    assert next(stream) == b"\x08\x01"
    try:
        next(stream)
        raise AssertionError("the stream went on")
    except grpc.RpcError as error:
        assert error.code() == grpc.StatusCode.DEADLINE_EXCEEDED


def test_streams_are_cancelled_and_the_rest_goes_on(_):
    where = channel()
    stub = where.unary_stream("/grpc.health.v1.Health/Watch")
    streams = [stub(b"") for _ in range(50)]
    for stream in streams:
        next(stream)
        stream.cancel()
    expect(call(LIST, b"", where), grpc.StatusCode.OK)


def test_many_calls_at_once(_):
    where = channel()
    stub = where.unary_unary(LIST)
    waiting = [stub.future(b"", timeout=60) for _ in range(500)]
    assert len({w.result() for w in waiting}) == 1


def test_health_knows_the_services(_):
    check = "/grpc.health.v1.Health/Check"
    assert call(check, b"")[2] == b"\x08\x01"
    name = b"pmu.v1.HartService"
    assert call(check, bytes([0x0A, len(name)]) + name)[2] == b"\x08\x01"
    expect(call(check, b"\x0a\x01x"), grpc.StatusCode.NOT_FOUND)


def buf(*arguments):
    return subprocess.run(
        [BUF, "curl", "--unix-socket", PATH, "--http2-prior-knowledge",
         "--protocol", "grpc", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    ).stdout


def test_reflection_lists_and_describes(_):
    services = buf("http://localhost", "--list-services").split()
    assert "pmu.v1.TraceService" in services, services
    assert "grpc.health.v1.Health" in services, services
    methods = buf("http://localhost", "--list-methods")
    assert "pmu.v1.TraceService/StreamRecords" in methods, methods
    answer = buf("http://localhost/pmu.v1.EventService/ListEvents", "-d", "{}")
    assert '"fw_set_timer"' in answer, answer
    answer = buf("http://localhost" + GET, "-d", '{"machine":"x"}')
    assert "not_found" in answer, answer


def curl(*arguments, data=b""):
    return subprocess.run(
        ["curl", "-s", "-i", "--unix-socket", PATH, *arguments],
        input=data, stdout=subprocess.PIPE, check=False,
    ).stdout


def test_plain_curl_gets_an_answer_and_its_trailer(_):
    got = curl(
        "--http2-prior-knowledge", "-H", "content-type: application/grpc",
        "-H", "te: trailers", "--data-binary", "@-", "http://localhost" + LIST,
        data=bytes(5),
    )
    assert b"grpc-status: 0" in got and b"instructions" in got, got


def test_what_is_not_grpc_is_told_so_by_http(_):
    got = curl("--http2-prior-knowledge", "http://localhost" + LIST)
    assert got.startswith(b"HTTP/2 405"), got
    got = curl(
        "--http2-prior-knowledge", "-H", "content-type: text/plain", "-d", "x",
        "http://localhost" + LIST,
    )
    assert got.startswith(b"HTTP/2 415"), got


def test_noise_harms_nobody(_):
    for noise in (b"", b"GET / HTTP/1.1\r\n\r\n", os.urandom(64), b"\0" * 4096):
        s = socket.socket(socket.AF_UNIX)
        s.connect(PATH)
        s.sendall(noise)
        s.shutdown(socket.SHUT_WR)
        while s.recv(4096):
            pass
        s.close()
    expect(call(LIST, b""), grpc.StatusCode.OK)


def test_one_user_has_so_many_connections_and_no_more(_):
    sockets = []
    for _ in range(80):
        s = socket.socket(socket.AF_UNIX)
        s.connect(PATH)
        s.settimeout(20)
        sockets.append(s)
    # those above the limit are closed at once
    closed = 0
    for s in sockets[64:]:
        data = s.recv(4096)
        while data:
            data = s.recv(4096)
        closed += 1
        s.close()
    for s in sockets:
        s.close()
    assert closed == 16, closed


def test_a_signal_lets_clients_go_in_good_order(pmud):
    stub = channel().unary_stream("/grpc.health.v1.Health/Watch")
    # pmud may still be closing the connections of the test before
    stream = stub(b"", wait_for_ready=True)
    next(stream)
    pmud.terminate()
    threading.Timer(20, stream.cancel).start()
    try:
        list(stream)
    except grpc.RpcError as error:
        assert error.code() == grpc.StatusCode.UNAVAILABLE, error
    assert pmud.wait(timeout=20) == 0
    assert not os.path.exists(PATH)


def main():
    tests = [(n, f) for n, f in globals().items() if n.startswith("test_")]
    pmud = child.start([PMUD, "--socket", PATH, "-d", WORK.name])
    while not os.path.exists(PATH):
        time.sleep(0.01)
    failed = 0
    for number, (name, function) in enumerate(tests, 1):
        try:
            with asserted.demanded():
                function(pmud)
            print(f"ok {number} - {name}", flush=True)
        except Exception:  # noqa: BLE001 - a test may fail in any way
            failed += 1
            print(f"not ok {number} - {name}")
            for line in traceback.format_exc().splitlines():
                print(f"# {line}", flush=True)
    print(f"1..{len(tests)}")
    pmud.kill()
    child.leave(failed)


if __name__ == "__main__":
    main()
