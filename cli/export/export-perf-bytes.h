/* SPDX-License-Identifier: BSD-2-Clause */
/* What records of perf.data are made of: numbers, texts, chains of callers. */
#ifndef CLI_EXPORT_EXPORT_PERF_BYTES_H
#define CLI_EXPORT_EXPORT_PERF_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "pmu/v1/traces.pb-c.h"

enum {
	EXPORT_PERF_ID = 32, /* bytes that end records that are no samples */
	EXPORT_PERF_CHAIN = 128, /* addresses, 127 of them callers */
};

/* @n bytes of @value, the lowest first. */
void export_perf_put(FILE *out, uint64_t value, size_t n);
/* How long a text is with its end and up to the next eight bytes; and it. */
size_t export_perf_padded(const char *text);
void export_perf_text(FILE *out, const char *text);
/* What all records begin with, @size with it. */
void export_perf_record(FILE *out, unsigned type, unsigned misc, size_t size);
void export_perf_id(FILE *out, uint64_t pid, uint64_t tid, uint64_t ns);

/* Was it asked who called? */
bool export_perf_has_chain(const Pmu__V1__Record *r);
/*
 * The addresses of @r, which is a sample: its own, then of each caller one
 * within its call. Returns how many.
 */
size_t export_perf_chain(const Pmu__V1__Record *r,
			 uint64_t ret[EXPORT_PERF_CHAIN]);
size_t export_perf_chain_size(size_t n);
void export_perf_put_chain(FILE *out, bool kernel, const uint64_t *chain,
			   size_t n);

#endif
