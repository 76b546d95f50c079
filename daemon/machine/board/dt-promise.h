/* SPDX-License-Identifier: BSD-2-Clause */
/* What a user's device tree says that harts have, and they have not. */
#ifndef BOARD_DT_PROMISE_H
#define BOARD_DT_PROMISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pmu/hart.h>

/* The first hart of which something untrue is said, and what. Zero it first. */
struct promises {
	uint32_t hartid;
	unsigned n;	 /* names refused, with those that had no room */
	bool more;	 /* than there is room for in @names */
	char names[400]; /* "h, sstc", of each its first 32 bytes at most */
};

/* "rv64imac_zicsr_sstc", as of riscv,isa. */
void promises_string(struct promises *p, const struct pmu_hart_config *hart,
		     const char *isa);
/* Names, each with its NUL, as of riscv,isa-extensions. */
void promises_list(struct promises *p, const struct pmu_hart_config *hart,
		   const char *list, size_t len);

/* True: @ret_text says which. */
bool promises_broken(const struct promises *p, char *ret_text, size_t size);

#endif
