/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Good bytes that go bad: cut at every one, with every one replaced, and with
 * several changes at once, which are the same in every run.
 */
#ifndef TESTS_UNIT_HOSTILE_BYTES_H
#define TESTS_UNIT_HOSTILE_BYTES_H

#include <stddef.h>
#include <stdint.h>

/* Is given a block of exactly that size, so that overruns are seen. */
typedef void hostile_try(const uint8_t *bytes, size_t size);

/* Those from @from on go bad, the ones before stay. */
void hostile_bytes(hostile_try *try, const uint8_t *good, size_t size,
		   size_t from);

#endif
