/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmud-machine: one machine, started by pmud with its descriptors in place.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "control.h"
#include "engine/engine.h"
#include "sandbox.h"

enum {
	FD_SOCKET = 3,
	FD_RING,
	FD_DATA,
	FD_SPACE
};

int main(int argc, char **argv)
{
	const struct control_config cfg = {
		.socket = FD_SOCKET,
		.ring = FD_RING,
		.data = FD_DATA,
		.space = FD_SPACE,
		.limit = sandbox_limit,
		.sandbox = sandbox_enter,
	};

	if (argc == 2 && !strcmp(argv[1], "--version")) {
		printf("pmud-machine with %s\n", engine_version());
		return 0;
	}
	for (int fd = FD_SOCKET; fd <= FD_SPACE; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		fputs("pmud-machine is started by pmud, not by people\n",
		      stderr);
		return 2;
	}
	if (fcntl(FD_SOCKET, F_SETFL, O_NONBLOCK) < 0) {
		perror("pmud-machine");
		return 1;
	}
	if (!sandbox_prepare())
		return 1;
	return control_serve(&cfg);
}
