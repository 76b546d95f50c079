/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One connection to the RPC server from a fuzzer's bytes. It needs no runner of
 * tests, so that any fuzzer that knows libFuzzer's entry point can drive it.
 */
#include <sys/socket.h>
#include <unistd.h>

#include "fuzz-rpc.h"
#include "rpc-peer.h"
#include "rpc-service.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t at = 0;
	int pair[2];

	if (!service.server)
		service_start(NULL);
	service.n = 3;
	service.size = 100;
	service.next = 0;
	MUST(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair));
	MUST(!rpc_adopt(service.server, pair[1]));
	while (at < size) {
		size_t n = size - at < 4096 ? size - at : 4096;
		ssize_t sent = send(pair[0], data + at, n, MSG_NOSIGNAL);

		if (sent <= 0)
			break;
		at += (size_t)sent;
		loop_run(service.loop);
	}
	shutdown(pair[0], SHUT_WR);
	loop_run(service.loop);
	close(pair[0]);
	loop_run(service.loop);
	return 0;
}
