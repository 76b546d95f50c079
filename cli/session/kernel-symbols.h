/* SPDX-License-Identifier: BSD-2-Clause */
/* The symbols that a guest's Linux kernel keeps of itself (kallsyms). */
#ifndef CLI_SESSION_KERNEL_SYMBOLS_H
#define CLI_SESSION_KERNEL_SYMBOLS_H

#include <stdbool.h>

struct pmud;
struct symbol_map;

/* What --symbols says instead of a file. */
#define KERNEL_SYMBOLS "kallsyms"

bool kernel_symbols_are_meant(const char *symbols);
/*
 * Has the machine look for them, now, and takes them all. It names functions by
 * them itself from then on. Returns an exit code after an error was said.
 */
int kernel_symbols_read(struct pmud *s, const char *machine,
			struct symbol_map **ret);

#endif
