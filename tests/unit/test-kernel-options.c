/* SPDX-License-Identifier: BSD-2-Clause */
/* What a kernel is told, and what its machine is made of. */
#include <stdlib.h>
#include <string.h>

#include "captured.h"
#include "cmd/args.h"
#include "cmd/kernel-options.h"
#include "cmd/machine-options.h"

#define UART "earlycon console=ttyS0"
#define DBCN "earlycon=sbi keep_bootcon console=tty0 printk.devkmsg=on"
#define MIB  UINT64_C(0x100000)

static struct machine_options options;
static struct args args;

static void setup(void)
{
	args_init(&args);
}

static void teardown(void)
{
	machine_options_free(&options);
}

static const struct row {
	const char *kernel, *console, *append, *traced;
	bool batch;
	const char *bootargs;
	uint64_t memory;
} rows[] = {
	{ NULL, NULL, NULL, NULL, false, "", 0 },
	{ NULL, NULL, "a b", NULL, false, "a b", 0 },
	{ NULL, NULL, NULL, NULL, true, "", 0 },
	{ "k", NULL, NULL, NULL, false, UART, 512 * MIB },
	{ "k", "uart", "", NULL, false, UART, 512 * MIB },
	{ "k", "dbcn", NULL, NULL, false, DBCN, 512 * MIB },
	{ NULL, "uart", NULL, NULL, false, UART, 512 * MIB },
	/* the user's come last */
	{ "k", NULL, "panic=5 x", NULL, true, UART " panic=-1 panic=5 x",
	  512 * MIB },
	/* of a run that is repeated, nothing but what is said is another */
	{ "k", "dbcn", NULL, "was so", true, "was so", 64 * MIB },
	{ "k", NULL, "and more", "was so", false, "was so and more", 64 * MIB },
	{ "k", NULL, NULL, "", false, "", 64 * MIB },
};

TEST_ROWS(a_kernel_gets_memory_and_a_command_line, rows)
{
	const struct row *row = &rows[_i];
	Pmu__V1__Header header = PMU__V1__HEADER__INIT;
	Pmu__V1__MachineConfig config = PMU__V1__MACHINE_CONFIG__INIT;
	struct machine_base base = { .replay = row->traced ? &header : NULL };

	header.config = &config;
	config.bootargs = (char *)row->traced;
	config.memory_bytes = 64 * MIB;
	args.kernel = row->kernel;
	args.console = row->console;
	args.append = row->append;
	args.batch = row->batch;
	ck_assert(machine_options_init(&options, &args, &base));
	ck_assert_str_eq(options.config.bootargs, row->bootargs);
	ck_assert_uint_eq(options.config.memory_bytes, row->memory);
}

TEST(memory_that_is_said_is_what_a_kernel_gets)
{
	args.kernel = "k";
	args.memory = 96 * MIB;
	ck_assert(machine_options_init(&options, &args, NULL));
	ck_assert_uint_eq(options.config.memory_bytes, 96 * MIB);
}

TEST(a_console_that_is_none_is_told)
{
	args.kernel = "k";
	args.console = "hvc0";
	capture();
	ck_assert(!machine_options_init(&options, &args, NULL));
	ck_assert_str_eq(capture_end(), "pmuctl: --console: 'hvc0' is not "
					"uart or dbcn\n");
}

TEST(a_kernel_says_itself_where_it_goes)
{
	args.kernel = "k";
	args.flat = 0x80200000;
	capture();
	ck_assert(!machine_options_init(&options, &args, NULL));
	ck_assert_ptr_nonnull(strstr(capture_end(), "--flat is for an IMAGE"));
}

TEST(the_words_of_consoles_are_those_that_are_taken)
{
	const char *name;
	size_t n = 0;

	for (; (name = kernel_console_at(n)); n++) {
		args.console = name;
		ck_assert(kernel_options_check(&args));
	}
	ck_assert_uint_eq(n, 2);
}

SUITE("kernel-options", .setup = setup, .teardown = teardown);
