/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The samples of a trace by instruction: functions as objdump of their file has
 * them, what each instruction has of the function's samples, and the source.
 */
#ifndef CLI_TRACE_ANNOTATE_H
#define CLI_TRACE_ANNOTATE_H

#include <stdbool.h>
#include <stdio.h>

struct annotate;
struct args;

/* NULL without memory. */
struct annotate *annotate_new(void);
void annotate_free(struct annotate *a); /* NULL is fine */
/* Takes the samples of @path, for once. Returns an exit code, after an error
 * was said. */
int annotate_read(struct annotate *a, const char *path,
		  const struct args *args);
/* Those functions that @args name, or all. Likewise. */
int annotate_print(struct annotate *a, const struct args *args, FILE *file);

#endif
