/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a machine needs to boot Linux, beside the kernel: memory, and a command
 * line by which the kernel's output comes out.
 */
#ifndef CLI_CMD_KERNEL_OPTIONS_H
#define CLI_CMD_KERNEL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct args;

#define KERNEL_MEMORY (512ull << 20) /* of a machine that is to run Linux */

/* Is it Linux that the machine is for? */
bool kernel_wanted(const struct args *args);
/* The words of --console; NULL behind the last. */
const char *kernel_console_at(size_t i);
/*
 * Checks the options of kernels. False after an error was said. Options that
 * lead to a kernel's command line are checked here, not that there is one.
 */
bool kernel_options_check(const struct args *args);
/*
 * The kernel's command line, to be freed: what --console and --batch need,
 * unless @base is the one of a run that is repeated, and --append last, so that
 * it wins. "": none is needed. NULL after an error was said.
 */
char *kernel_bootargs(const struct args *args, const char *base);

#endif
