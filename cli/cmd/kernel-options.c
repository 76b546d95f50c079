/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernel's command line, and which options go with a kernel. What is said
 * by default is what a distribution's kernel needs, unmodified.
 */
#include "kernel-options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "text/report.h"

/*
 * uart: output from the first line on. dbcn: where CONFIG_HVC_RISCV_SBI is not
 * set, only earlycon writes there; it stays, user space writes to /dev/kmsg,
 * and a console that exists keeps the UART, which the tree names, from printing
 * all of it as well.
 */
static const struct {
	const char *name, *bootargs;
} consoles[] = {
	{ "uart", "earlycon console=ttyS0" },
	{ "dbcn", "earlycon=sbi keep_bootcon console=tty0 printk.devkmsg=on" },
};

enum {
	N_CONSOLES = sizeof(consoles) / sizeof(consoles[0])
};

/* A panic is then a reboot, at once, which a batch run ends with. */
static const char batch_bootargs[] = "panic=-1";

bool kernel_wanted(const struct args *args)
{
	return args->kernel || args->console;
}

const char *kernel_console_at(size_t i)
{
	return i < N_CONSOLES ? consoles[i].name : NULL;
}

/* N_CONSOLES: there is none of this name. */
static size_t find_console(const struct args *args)
{
	size_t i = 0;

	if (!args->console)
		return 0;
	while (i < N_CONSOLES && strcmp(args->console, consoles[i].name) != 0)
		i++;
	return i;
}

bool kernel_options_check(const struct args *args)
{
	if (find_console(args) == N_CONSOLES) {
		report_error("--console: '%s' is not uart or dbcn",
			     args->console);
		return false;
	}
	if (args->flat != ARGS_UNSET && args->kernel) {
		report_error("--flat is for an IMAGE, a kernel says itself "
			     "where it goes");
		return false;
	}
	return true;
}

/* Adds a word or several behind what is there. */
static void add(FILE *out, const char *words)
{
	if (!words || !*words)
		return;
	if (ftell(out) > 0)
		fputc(' ', out);
	fputs(words, out);
}

char *kernel_bootargs(const struct args *args, const char *base)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out) {
		report_no_memory("bootargs");
		return NULL;
	}
	if (base) {
		add(out, base);
	} else if (kernel_wanted(args)) {
		add(out, consoles[find_console(args)].bootargs);
		add(out, args->batch ? batch_bootargs : NULL);
	}
	add(out, args->append);
	if (!fclose(out))
		return text;
	free(text);
	report_no_memory("bootargs");
	return NULL;
}
