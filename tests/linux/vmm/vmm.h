/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A small virtual machine monitor on KVM, for a Linux guest that hosts another:
 * what its parts share.
 */
#ifndef VMM_H
#define VMM_H

#include <stddef.h>
#include <stdint.h>

enum {
	MAX_VCPUS = 8
};

/* Addresses are the guest's own. */
struct guest {
	uint64_t ram, ram_size;
	uint64_t kernel, initrd, initrd_size, tree;
	unsigned int vcpus;
	uint64_t timebase; /* ticks a second */
	const char *isa;
	const char *bootargs;
};

/* Ends the program. */
__attribute__((noreturn, format(printf, 1, 2))) void fail(const char *why, ...);

/* Writes the guest's device tree; returns its size. No more than @size. */
size_t tree_write(void *out, size_t size, const struct guest *guest);

#endif
