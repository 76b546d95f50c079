/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A page of memory that firmware is told of, as operations of the tables.
 */
#include "conf.h"

uint64_t shared_page[512] __attribute__((aligned(4096)));
static uint64_t filled;

struct answer page_fill(const uint64_t *a)
{
	filled = a[0];
	for (unsigned i = 0; i < N_OF(shared_page); i++)
		shared_page[i] = filled;
	return (struct answer){ 0, 0 };
}

struct answer page_set(const uint64_t *a)
{
	shared_page[a[0]] = a[1];
	return (struct answer){ 0, 0 };
}

struct answer page_word(const uint64_t *a)
{
	return (struct answer){ 0, *(volatile uint64_t *)&shared_page[a[0]] };
}

struct answer page_changed(const uint64_t *a)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < N_OF(shared_page); i++)
		if (*(volatile uint64_t *)&shared_page[i] != filled &&
		    i != a[0] && i != a[1])
			n++;
	return (struct answer){ 0, n };
}
