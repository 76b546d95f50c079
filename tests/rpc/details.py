# SPDX-License-Identifier: BSD-2-Clause
"""What a refusal says to programs, read as clients of others read it.

Any and map are protobuf's own here, and not what pmud builds them with.
"""
import os
import subprocess
import sys
import tempfile

SOURCE = """
syntax = "proto3";
package google.rpc;
import "google/protobuf/any.proto";
message Status {
  int32 code = 1;
  string message = 2;
  repeated google.protobuf.Any details = 3;
}
message ErrorInfo {
  string reason = 1;
  string domain = 2;
  map<string, string> metadata = 3;
}
message BadRequest {
  message FieldViolation { string field = 1; string description = 2; }
  repeated FieldViolation field_violations = 1;
}
"""
WORK = tempfile.TemporaryDirectory()
KEY = "grpc-status-details-bin"


def compile_source():
    with open(os.path.join(WORK.name, "rpc_details.proto"), "w",
              encoding="ascii") as f:
        f.write(SOURCE)
    subprocess.run(["protoc", "-I", WORK.name, "-I", "/usr/include",
                    "--python_out", WORK.name, "rpc_details.proto"],
                   check=True)
    sys.path.insert(0, WORK.name)


compile_source()
import rpc_details_pb2 as rpc  # noqa: E402 - made by the line above


class Details:
    """Field and reason of a grpc.RpcError; "" where there is none."""

    def __init__(self, error, method):
        self.field = self.reason = ""
        found = [v for k, v in error.trailing_metadata() or () if k == KEY]
        if not found:
            return
        assert len(found) == 1, found
        status = rpc.Status.FromString(found[0])
        assert status.code == error.code().value[0], status
        assert status.message == error.details(), status
        for detail in status.details:
            self.take(detail, error, method)

    def take(self, detail, error, method):
        info, bad = rpc.ErrorInfo(), rpc.BadRequest()
        if detail.Unpack(info):
            assert info.domain == "pmud", info
            assert dict(info.metadata) == {"method": method}, info
            assert info.reason == info.reason.upper(), info
            self.reason = info.reason
            return
        assert detail.Unpack(bad), detail
        violation, = bad.field_violations
        assert violation.description == error.details(), bad
        self.field = violation.field
