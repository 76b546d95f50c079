/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmud-machine: one machine, started by pmud with its descriptors in place.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "control.h"
#include "engine/engine.h"
#include "ipc/passed.h"
#include "sandbox.h"

int main(int argc, char **argv)
{
	const struct control_config cfg = {
		.socket = PASSED_SOCKET,
		.ring = PASSED_RING,
		.data = PASSED_DATA,
		.space = PASSED_SPACE,
		.channels = PASSED_CHANNELS,
		.limit = sandbox_limit,
		.sandbox = sandbox_enter,
	};

	if (argc == 2 && !strcmp(argv[1], "--version")) {
		printf("pmud-machine with %s\n", engine_version());
		return 0;
	}
	if (!passed_arrived()) {
		fputs("pmud-machine is started by pmud, not by people\n",
		      stderr);
		return 2;
	}
	if (fcntl(PASSED_SOCKET, F_SETFL, O_NONBLOCK) < 0) {
		perror("pmud-machine");
		return 1;
	}
	if (!sandbox_prepare())
		return 1;
	return control_serve(&cfg);
}
