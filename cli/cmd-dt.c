/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Device trees: what is wrong with a tree's riscv,pmu nodes, and which counters
 * can count what by them. Trees are read here, with the firmware's own reader:
 * a stranger's tree comes near no daemon.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <fw/dt.h>

#include "command.h"
#include "conn.h"
#include "dt-file.h"
#include "dt-text.h"
#include "exit-codes.h"
#include "machine-options.h"
#include "say.h"

static const char not_a_tree[] = "%s: not a valid flattened device tree";

static int check(struct conn *s, struct args *args)
{
	struct dt_faults *faults = dt_faults_new(args->json);
	struct fw_dt_source src = { .fault = dt_faults_add, .arg = faults };
	struct fw_dt *dt = NULL;
	void *dtb = NULL;
	bool good = true;
	int code = dt_file_read(args->arg[0], &dtb, &src.size);

	src.dtb = dtb;
	if (!code) {
		good = fw_dt_new(&dt, &src) == 0;
		code = good ? EXIT_OK : EXIT_FAILED;
		if (!good && !dt_faults_errors(faults))
			say_error(not_a_tree, args->arg[0]);
		else if (dt_faults_print(faults, args->arg[0], stdout))
			code = EXIT_FAILED;
	}
	fw_dt_free(dt);
	dt_faults_free(faults);
	free(dtb);
	return code;
}

/* The tree of @machine; a copy, to be freed. */
static int get_tree(struct conn *s, const char *machine, void **ret,
		    size_t *ret_size)
{
	Pmu__V1__GetDeviceTreeRequest req =
		PMU__V1__GET_DEVICE_TREE_REQUEST__INIT;
	Pmu__V1__GetDeviceTreeResponse *r = NULL;
	int code;

	req.machine = (char *)machine;
	code = CONN_CALL(s, MachineService, GetDeviceTree, get_device_tree,
			 &req, &r);
	if (!code) {
		*ret_size = r->dtb.len;
		*ret = malloc(r->dtb.len + 1);
		if (*ret)
			memcpy(*ret, r->dtb.data, r->dtb.len);
		code = *ret ? EXIT_OK : EXIT_FAILED;
	}
	conn_free(r);
	return code;
}

/* The tree of a machine that is made for this and ends with the connection. */
static int get_new_tree(struct conn *s, const struct args *args, void **ret,
			size_t *ret_size)
{
	Pmu__V1__CreateMachineRequest req =
		PMU__V1__CREATE_MACHINE_REQUEST__INIT;
	Pmu__V1__CreateMachineResponse *r = NULL;
	struct machine_options o;
	int code = EXIT_USAGE;

	if (machine_options_init(&o, args, NULL)) {
		req.config = &o.config;
		code = CONN_CALL(s, MachineService, CreateMachine,
				 create_machine, &req, &r);
	}
	if (!code)
		code = get_tree(s, r->machine->id, ret, ret_size);
	machine_options_free(&o);
	conn_free(r);
	return code;
}

static int get_from_daemon(const struct args *args, void **ret,
			   size_t *ret_size)
{
	struct conn *s = NULL;
	int code = conn_open(&s, args, !args->machine);

	if (!code && args->machine)
		code = get_tree(s, args->machine, ret, ret_size);
	else if (!code)
		code = get_new_tree(s, args, ret, ret_size);
	conn_close(s);
	return code;
}

static bool has_machine_options(const struct args *args)
{
	return args->machine || args->n_set || args->mode ||
	       args->harts != ARGS_UNSET || args->memory != ARGS_UNSET;
}

static int print_tree(const char *name, const void *dtb, size_t size,
		      const struct args *args)
{
	struct dt_faults *faults = dt_faults_new(false);
	struct fw_dt_source src = {
		.dtb = dtb, .size = size, .fault = dt_faults_add, .arg = faults
	};
	struct fw_dt *dt = NULL;
	int code = EXIT_FAILED;

	if (!fw_dt_new(&dt, &src))
		code = dt_print(dt, args->json, stdout);
	else if (dt_faults_errors(faults))
		say_error("%s: its riscv,pmu nodes have errors, which `pmuctl "
			  "dt check' tells",
			  name);
	else
		say_error(not_a_tree, name);
	fw_dt_free(dt);
	dt_faults_free(faults);
	return code;
}

static int show(struct conn *s, struct args *args)
{
	const char *name = args->n_arg ? args->arg[0] : "the machine's tree";
	size_t size = 0;
	void *dtb = NULL;
	int code;

	if (args->n_arg && has_machine_options(args)) {
		say_error("a FILE or a machine's options, not both");
		return EXIT_USAGE;
	}
	if (args->n_arg)
		code = dt_file_read(args->arg[0], &dtb, &size);
	else
		code = get_from_daemon(args, &dtb, &size);
	if (!code)
		code = print_tree(name, dtb, size, args);
	free(dtb);
	return code;
}

const struct command dt_commands[] = {
	{ "dt check", "FILE",
	  "Tell every fault of a device tree's riscv,pmu nodes; exits with 1 "
	  "if there are errors",
	  0, 1, 1, NO_DAEMON, check },
	{ "dt show", "[FILE]",
	  "Show which counters can count what on each hart: by the tree in "
	  "FILE, or by that of a machine",
	  WITH(MACHINE) | WITH(HARTS) | WITH(MEMORY) | WITH(MODE) | WITH(SET),
	  0, 1, NO_DAEMON, show },
	{ 0 },
};
