/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Device trees: what is wrong with a tree's riscv,pmu nodes, and which counters
 * can count what by them. Trees are read here, with the firmware's own reader:
 * a stranger's tree comes near no daemon.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fw/pmu-node.h>

#include "command.h"
#include "session/pmud.h"
#include "text/dt-file.h"
#include "text/dt-text.h"
#include "text/exit-codes.h"
#include "text/out-file.h"
#include "machine-options.h"
#include "text/report.h"

CLEANUP_POINTER(faults, struct dt_faults, dt_faults_free)
CLEANUP_POINTER(fw_dt, struct fw_dt, fw_dt_free)

static const char not_a_tree[] = "%s: not a valid flattened device tree";

static int check(struct pmud *s, struct args *args)
{
	void *dtb CLEANUP(free) = NULL;
	struct dt_faults *faults CLEANUP(faults) = dt_faults_new(args->json);
	struct fw_dt *dt CLEANUP(fw_dt) = NULL;
	struct fw_dt_source src = { .fault = dt_faults_add, .arg = faults };
	int code = dt_file_read(args->arg[0], &dtb, &src.size);
	bool good;

	if (code)
		return code;
	src.dtb = dtb;
	good = fw_dt_new(&dt, &src) == 0;
	if (good || dt_faults_errors(faults))
		good &= !dt_faults_print(faults, args->arg[0], stdout);
	else
		report_error(not_a_tree, args->arg[0]);
	return good ? EXIT_OK : EXIT_FAILED;
}

/* A tree, and how it is to be read. */
struct tree {
	const char *name; /* for messages */
	void *dtb;	  /* owned */
	size_t size;
	enum fw_profile profile;
	bool guest; /* as the guest gets it */
};

static const char profile_key[] = "profile";

static void take_profile(struct tree *t, const char *value)
{
	if (!fw_profile_find(value, &t->profile))
		t->profile = FW_PROFILE_DEFAULT;
}

static void take_config(struct tree *t, const Pmu__V1__MachineConfig *config)
{
	for (size_t i = 0; config && i < config->n_settings; i++)
		if (!strcmp(config->settings[i]->key, profile_key))
			take_profile(t, config->settings[i]->value);
}

static int get_tree(struct pmud *s, const char *machine, struct tree *t)
{
	Pmu__V1__GetDeviceTreeRequest req =
		PMU__V1__GET_DEVICE_TREE_REQUEST__INIT;
	Pmu__V1__GetDeviceTreeResponse *r CLEANUP(answer) = NULL;
	int code;

	req.machine = (char *)machine;
	req.guest = t->guest;
	code = PMUD_CALL(s, GetDeviceTree, &req, &r);
	if (code)
		return code;
	/* out of the answer, which is freed without it */
	t->size = r->dtb.len;
	t->dtb = r->dtb.data;
	r->dtb = (ProtobufCBinaryData){ 0 };
	return EXIT_OK;
}

static int get_old(struct pmud *s, const char *machine, struct tree *t)
{
	Pmu__V1__GetMachineRequest req = PMU__V1__GET_MACHINE_REQUEST__INIT;
	Pmu__V1__GetMachineResponse *r CLEANUP(answer) = NULL;
	int code;

	req.machine = (char *)machine;
	code = PMUD_CALL(s, GetMachine, &req, &r);
	if (code)
		return code;
	take_config(t, r->machine->config);
	return get_tree(s, machine, t);
}

/* Of a machine that is made for this and ends with the connection. */
static int get_new(struct pmud *s, const struct args *args, struct tree *t)
{
	Pmu__V1__CreateMachineRequest req =
		PMU__V1__CREATE_MACHINE_REQUEST__INIT;
	Pmu__V1__CreateMachineResponse *r CLEANUP(answer) = NULL;
	struct machine_options o CLEANUP(machine_options);
	int code;

	if (!machine_options_init(&o, args, NULL))
		return EXIT_USAGE;
	req.config = &o.config;
	take_config(t, req.config);
	code = PMUD_CALL(s, CreateMachine, &req, &r);
	return code ? code : get_tree(s, r->machine->id, t);
}

static int get_from_daemon(const struct args *args, struct tree *t)
{
	struct pmud *s CLEANUP(pmud) = NULL;
	int code = pmud_open(&s, args, !args->machine);

	if (code)
		return code;
	return args->machine ? get_old(s, args->machine, t)
			     : get_new(s, args, t);
}

/* A file has no machine, but a profile to read it in. */
static bool only_profile(const struct args *args, struct tree *t)
{
	const size_t len = sizeof(profile_key) - 1;

	for (size_t i = 0; i < args->n_set; i++) {
		const char *set = args->set[i];

		if (strncmp(set, profile_key, len) != 0 || set[len] != '=')
			return false;
		take_profile(t, set + len + 1);
	}
	return !args->machine && !args->mode && args->harts == ARGS_UNSET &&
	       args->memory == ARGS_UNSET;
}

static int print_tree(const struct tree *t, const struct args *args)
{
	struct dt_faults *faults CLEANUP(faults) = dt_faults_new(false);
	struct fw_dt_source src = { .dtb = t->dtb,
				    .size = t->size,
				    .quirks = fw_profile_quirks(t->profile),
				    .fault = dt_faults_add,
				    .arg = faults };
	struct fw_dt *dt CLEANUP(fw_dt) = NULL;

	if (!fw_dt_new(&dt, &src))
		return dt_print(dt, args->json, stdout);
	if (dt_faults_errors(faults))
		report_error(
			"%s: its riscv,pmu nodes have errors, which `pmuctl "
			"dt check' tells",
			t->name);
	else
		report_error(not_a_tree, t->name);
	return EXIT_FAILED;
}

/* The tree's bytes to --output, or to standard output. */
static int write_tree(const struct tree *t, const struct args *args)
{
	struct out_file *out;
	int code = out_file_open(&out, args->output ? args->output : "-");
	bool whole;

	if (code)
		return code;
	whole = fwrite(t->dtb, 1, t->size, out_file_stream(out)) == t->size;
	return out_file_close(out, whole, whole ? EXIT_OK : EXIT_FAILED);
}

int cmd_dtb(struct pmud *s, struct args *args)
{
	struct tree t = { .guest = true };
	int code;

	if (!args->output && isatty(STDOUT_FILENO)) {
		report_error(
			"a flattened tree is binary and is not written to a "
			"terminal: give --output FILE");
		return EXIT_USAGE;
	}
	code = get_tree(s, args->arg[0], &t);
	if (!code)
		code = write_tree(&t, args);
	free(t.dtb);
	return code;
}

static int show(struct pmud *s, struct args *args)
{
	struct tree t = { .name = "the machine's tree",
			  .profile = FW_PROFILE_DEFAULT,
			  .guest = args->output };
	int code;

	if (args->n_arg && args->output) {
		report_error("--output is for a machine's tree, not for a "
			     "FILE");
		return EXIT_USAGE;
	}

	if (args->n_arg && !only_profile(args, &t)) {
		report_error(
			"with a FILE, --set profile=... is the only option "
			"of a machine that can be given");
		return EXIT_USAGE;
	}
	if (args->n_arg) {
		t.name = args->arg[0];
		code = dt_file_read(t.name, &t.dtb, &t.size);
	} else {
		code = get_from_daemon(args, &t);
	}
	if (!code)
		code = args->output ? write_tree(&t, args)
				    : print_tree(&t, args);
	free(t.dtb);
	return code;
}

const struct command dt_commands[] = {
	{ "dt check", "FILE",
	  "Tell every fault of a device tree's riscv,pmu nodes; exits with 1 "
	  "if there are errors",
	  0, 1, 1, NO_DAEMON, check },
	{ "dt show", "[FILE]",
	  "Show which counters can count what on each hart: by the tree in "
	  "FILE, or by that of a machine; with --output, write that as its "
	  "guest gets it",
	  WITH(MACHINE) | WITH(HARTS) | WITH(MEMORY) | WITH(MODE) | WITH(SET) |
		  WITH(APPEND) | WITH(CONSOLE) | WITH(OUTPUT),
	  0, 1, NO_DAEMON, show, .files = "r" },
	{ 0 },
};
