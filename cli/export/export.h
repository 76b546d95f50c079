/* SPDX-License-Identifier: BSD-2-Clause */
/* Traces in the formats of other tools: which there are, and writing one. */
#ifndef CLI_EXPORT_EXPORT_H
#define CLI_EXPORT_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct args;
struct export_folder;
struct export_samples;

struct export_format {
	const char *name;
	bool binary; /* nothing for a terminal */
	bool again;  /* reads the trace more than once */
	/* Returns an exit code, after an error was said. */
	int (*write)(struct export_samples *x, FILE *out);
	/* Instead, where it is a folder that holds it. */
	int (*fill)(struct export_samples *x,
		    const struct export_folder *folder);
};

/* The @i-th; NULL after the last. */
const struct export_format *export_format_at(size_t i);
/* NULL: there is none of this name. */
const struct export_format *export_format_find(const char *name);

/* Out of the trace args->arg[0] into args->output. Returns an exit code. */
int export_trace(const struct export_format *format, const struct args *args);

int export_callgrind(struct export_samples *x, FILE *out);
int export_chrome(struct export_samples *x, FILE *out);
int export_cpuprofile(struct export_samples *x, FILE *out);
int export_ctf(struct export_samples *x, const struct export_folder *folder);
int export_folded(struct export_samples *x, FILE *out);
int export_html(struct export_samples *x, FILE *out);
int export_json(struct export_samples *x, FILE *out);
int export_perf(struct export_samples *x, FILE *out);
int export_pprof(struct export_samples *x, FILE *out);

#endif
