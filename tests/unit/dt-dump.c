/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes the generated tree of a machine to standard output:
 * dt-dump XLEN HARTS [mixed]: mixed harts have counters of their own. For tools
 * that read trees.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "dt-machine.h"

int main(int argc, char **argv)
{
	static struct dt_machine m;
	size_t size;
	void *dtb;
	bool written;

	if (argc != 3 && argc != 4)
		return EXIT_FAILURE;
	dt_machine_init(&m, (unsigned)atoi(argv[1]), (unsigned)atoi(argv[2]));
	for (unsigned i = 0; argc == 4 && i < m.cfg.n_harts; i++)
		m.hart[i].hpm_mask = (i + 1) << 3;
	m.cfg.bootargs = "console=ttyS0";
	m.cfg.initrd_start = 0x84000000;
	m.cfg.initrd_end = 0x84100000;
	if (dt_build(&dtb, &size, &m.cfg))
		return EXIT_FAILURE;
	written = fwrite(dtb, 1, size, stdout) == size;
	free(dtb);
	return written ? EXIT_SUCCESS : EXIT_FAILURE;
}
