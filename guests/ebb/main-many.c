/* SPDX-License-Identifier: BSD-2-Clause */
/* lost_exception at a million, which takes its time. */
#include <stdio.h>

#include "programs.h"

enum {
	SLICE = 5, /* ticks: a few branches between two switches */
};

static struct process a[2];

static unsigned long lost_exception(struct user *u)
{
	return lose_none(u, 1000000);
}

void hart_main(unsigned long hartid, unsigned long opaque)
{
	(void)hartid;
	(void)opaque;
	guest_exit(2);
}

int main(void)
{
	if (!kernel_init())
		return 1;
	process_make(&a[0], lost_exception);
	process_make(&a[1], idle);
	kernel_run(a, 2, SLICE);
	ebb_result(a[0].result && a[1].result,
		   RULE("C150 ebb_switch ebb_order"), "lost_exception");
	puts("1..1");
	return ebb_failed != 0;
}
