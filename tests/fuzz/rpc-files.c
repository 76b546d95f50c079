/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The entry point without a fuzzer: each file of the command line is a
 * connection's bytes. Says how many calls reached a handler; a finding kills.
 */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz-rpc.h"
#include "rpc-service.h"

enum {
	MAX_LEN = 1 << 20
};

int main(int argc, char **argv)
{
	static uint8_t bytes[MAX_LEN];
	unsigned begun;

	for (int i = 1; i < argc; i++) {
		FILE *f = fopen(argv[i], "rb");
		size_t n;

		if (!f) {
			perror(argv[i]);
			return EXIT_FAILURE;
		}
		n = fread(bytes, 1, sizeof(bytes), f);
		fclose(f);
		LLVMFuzzerTestOneInput(bytes, n);
	}
	begun = service.begun;
	if (service.server)
		service_stop();
	printf("%d files, %u calls\n", argc - 1, begun);
	return EXIT_SUCCESS;
}
