/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Machines that live longer than one command: made, run, stopped, shown. What
 * concerns their images and consoles is in cmd-console.c.
 */
#include <inttypes.h>
#include <string.h>

#include "pmu/v1/ebb.pb-c.h"

#include "session/address.h"
#include "command.h"
#include "session/pmud.h"
#include "text/exit-codes.h"
#include "session/image.h"
#include "text/json.h"
#include "machine-options.h"
#include "text/machine-text.h"
#include "text/parse.h"
#include "session/place.h"
#include "text/report.h"
#include "suggest.h"
#include "text/table.h"
#include "trace/guest-files.h"
#include "session/wait.h"

/* NULL: they are not known. */
static Pmu__V1__ListSettingsResponse *ask_defaults(struct pmud *s)
{
	Pmu__V1__ListSettingsRequest req = PMU__V1__LIST_SETTINGS_REQUEST__INIT;
	Pmu__V1__ListSettingsResponse *r;

	return PMUD_ASK(s, ListSettings, &req, &r) ? r : NULL;
}

/* What pmud says that the field @key is when it was not set. */
static const char *default_of(const Pmu__V1__ListSettingsResponse *r,
			      const char *key)
{
	for (size_t i = 0; r && i < r->n_fields; i++) {
		if (!strcmp(r->fields[i]->key, key))
			return r->fields[i]->default_value;
	}
	return "-";
}

static int print_machines(struct pmud *s, Pmu__V1__MachineInfo *const *machines,
			  size_t n)
{
	Pmu__V1__ListSettingsResponse *defaults = ask_defaults(s);
	int code = machine_text_list(machines, n, default_of(defaults, "harts"),
				     stdout);

	answer_free(defaults);
	return code;
}

/* One machine, as every verb shows what it did. */
static int show(struct pmud *s, Pmu__V1__MachineInfo *m,
		const struct args *args, struct guest_files *files)
{
	int code;

	if (!m)
		return EXIT_FAILED;
	if (args->json)
		return json_print(stdout, &m->base);
	code = print_machines(s, &m, 1);
	if (!code)
		place_print(s, m, files, stdout);
	return code;
}

static int list(struct pmud *s, struct args *args)
{
	Pmu__V1__ListMachinesRequest req = PMU__V1__LIST_MACHINES_REQUEST__INIT;
	Pmu__V1__ListMachinesResponse *r = NULL;
	int code = PMUD_CALL(s, ListMachines, &req, &r);

	if (!code && args->json)
		code = json_print(stdout, &r->base);
	else if (!code)
		code = print_machines(s, r->machines, r->n_machines);
	answer_free(r);
	return code;
}

/* Only the name, so that a script can take it. */
static int create(struct pmud *s, struct args *args)
{
	Pmu__V1__CreateMachineRequest req =
		PMU__V1__CREATE_MACHINE_REQUEST__INIT;
	Pmu__V1__CreateMachineResponse *r CLEANUP(answer) = NULL;
	struct machine_options o CLEANUP(machine_options);
	int code;

	if (!machine_options_init(&o, args, NULL))
		return EXIT_USAGE;
	req.config = &o.config;
	req.recording = &o.recording;
	req.detach = true;
	code = PMUD_CALL(s, CreateMachine, &req, &r);
	if (code == EXIT_USAGE)
		suggest_settings(s, args);
	if (code)
		return code;
	if (args->json)
		return show(s, r->machine, args, NULL);
	puts(r->machine->id);
	return EXIT_OK;
}

/* A step that ended early says why, and one that waits for input. */
static int step_outcome(const Pmu__V1__MachineInfo *m)
{
	bool waits = m->state == PMU__V1__MACHINE_STATE__MACHINE_STATE_WAITING;

	if (!*m->detail ||
	    (!waits && m->cause != PMU__V1__STOP_CAUSE__STOP_CAUSE_STEP))
		return EXIT_OK;
	report_error("%s", m->detail);
	return EXIT_FAILED;
}

/* The commands that are one call: the action of their row. */
static int control(struct pmud *s, struct args *args)
{
	enum pmuclient_action action = args->command->action;
	uint64_t value = action == PMUCLIENT_STEP ? args->count : args->paused;
	struct guest_files *files CLEANUP(guest_files) = NULL;
	Pmu__V1__MachineInfo *m = NULL;
	int code;

	if (action == PMUCLIENT_STEP && !value) {
		report_error("--count: must be at least 1");
		return EXIT_USAGE;
	}
	code = guest_files_open(&files, args, false);
	if (!code)
		code = pmud_control(s, args->arg[0], action, value, &m);
	if (!code && m)
		code = show(s, m, args, files);
	if (!code && m && action == PMUCLIENT_STEP)
		code = step_outcome(m);
	if (!code && action == PMUCLIENT_GET && !args->json) {
		code = machine_text_recording(m, stdout);
		code = code ? code : machine_text_engine(m, stdout);
	}
	answer_free(m);
	return code;
}

static int condition_of(struct pmud *s, const struct args *args,
			Pmu__V1__RunUntilRequest *req)
{
	int given = (args->insn != ARGS_UNSET) + (args->cycle != ARGS_UNSET) +
		    (args->pc != NULL);

	if (given != 1) {
		report_error(
			"exactly one of --insn, --cycle and --pc is needed");
		return EXIT_USAGE;
	}
	if (args->insn != ARGS_UNSET) {
		req->condition_case =
			PMU__V1__RUN_UNTIL_REQUEST__CONDITION_INSN;
		req->insn = args->insn;
	} else if (args->cycle != ARGS_UNSET) {
		req->condition_case =
			PMU__V1__RUN_UNTIL_REQUEST__CONDITION_CYCLE;
		req->cycle = args->cycle;
	} else {
		req->condition_case = PMU__V1__RUN_UNTIL_REQUEST__CONDITION_PC;
		return address_parse_pc(s, args->arg[0], "--pc", args->pc,
					&req->pc);
	}
	return EXIT_OK;
}

/* The answer comes at once; what became of it is then waited for. */
static int until(struct pmud *s, struct args *args)
{
	Pmu__V1__RunUntilRequest req = PMU__V1__RUN_UNTIL_REQUEST__INIT;
	Pmu__V1__RunUntilResponse *r CLEANUP(answer) = NULL;
	Pmu__V1__WatchMachineResponse *w CLEANUP(answer) = NULL;
	struct guest_files *files CLEANUP(guest_files) = NULL;
	int code;

	req.machine = args->arg[0];
	code = guest_files_open(&files, args, false);
	if (!code)
		code = condition_of(s, args, &req);
	if (!code)
		code = PMUD_CALL(s, RunUntil, &req, &r);
	if (!code)
		code = wait_for_stop(s, args->arg[0], &w);
	if (code)
		return code;
	if (w->machine &&
	    w->machine->cause != PMU__V1__STOP_CAUSE__STOP_CAUSE_UNTIL)
		report_note("it stopped before that was reached");
	return show(s, w->machine, args, files);
}

/* As the machine ended; paused is no end but no failure either. */
static int wait_machine(struct pmud *s, struct args *args)
{
	Pmu__V1__WatchMachineResponse *w CLEANUP(answer) = NULL;
	struct guest_files *files CLEANUP(guest_files) = NULL;
	int code = guest_files_open(&files, args, false);

	if (!code)
		code = wait_for_stop(s, args->arg[0], &w);
	if (!code)
		code = show(s, w->machine, args, files);
	return code ? code : wait_exit_code(w->machine);
}

static int break_at(struct pmud *s, struct args *args)
{
	Pmu__V1__SetBreakpointsRequest req =
		PMU__V1__SET_BREAKPOINTS_REQUEST__INIT;
	Pmu__V1__SetBreakpointsResponse *r = NULL;
	uint64_t pcs[ARGS_MAX];
	int code;

	req.machine = args->arg[0];
	req.pcs = pcs;
	for (size_t i = 1; i < args->n_arg; i++) {
		code = address_parse_pc(s, args->arg[0], "ADDRESS",
					args->arg[i], &pcs[req.n_pcs++]);
		if (code)
			return code;
	}
	code = PMUD_CALL(s, SetBreakpoints, &req, &r);
	answer_free(r);
	return code;
}

/* The session that is meant: the one named, else the one that holds it. */
static int session_of(struct pmud *s, const struct args *args, uint32_t *ret)
{
	Pmu__V1__MachineInfo *m CLEANUP(answer) = NULL;
	uint64_t number;
	int code;

	if (args->n_arg > 1) {
		if (!parse_value("SESSION", args->arg[1], &number))
			return EXIT_USAGE;
		*ret = number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
		return EXIT_OK;
	}
	code = pmud_control(s, args->arg[0], PMUCLIENT_GET, 0, &m);
	if (code)
		return code;
	*ret = m->ebb_session;
	if (*ret)
		return EXIT_OK;
	report_error("no handler holds machine %s", args->arg[0]);
	return EXIT_FAILED;
}

/* Ends a session whose client hangs; the machine goes on. */
static int release(struct pmud *s, struct args *args)
{
	Pmu__V1__ActOnEbbRequest req = PMU__V1__ACT_ON_EBB_REQUEST__INIT;
	Pmu__V1__EbbInput act = PMU__V1__EBB_INPUT__INIT;
	Pmu__V1__Input input = PMU__V1__INPUT__INIT, *inputs[] = { &input };
	Pmu__V1__ActOnEbbResponse *r = NULL;
	int code = session_of(s, args, &act.session);

	act.what = PMU__V1__EBB_INPUT__WHAT__WHAT_CLOSE;
	input.kind_case = PMU__V1__INPUT__KIND_EBB;
	input.ebb = &act;
	req.machine = args->arg[0];
	req.inputs = inputs;
	req.n_inputs = 1;
	if (!code)
		code = PMUD_CALL(s, ActOnEbb, &req, &r);
	answer_free(r);
	return code;
}

static int send_symbols(struct pmud *s, struct args *args)
{
	return image_send_symbols(s, args->arg[0], args->arg[1]);
}

/* As --mode has it; NULL: it was not set. */
static const char *mode_text(Pmu__V1__StartMode mode)
{
	if (mode == PMU__V1__START_MODE__START_MODE_M)
		return "m";
	return mode == PMU__V1__START_MODE__START_MODE_S ? "s" : NULL;
}

static void add_row(struct table *t, const char *key, const char *value)
{
	table_row(t);
	table_cell(t, "%s", key);
	table_cell(t, "%s", value);
}

/* As the options of `machine create' have it. */
static void add_recording(struct table *t, const Pmu__V1__Recording *r)
{
	char text[64];

	snprintf(text, sizeof(text), "%s%s%s%s%s%s", r->traps ? ",trap" : "",
		 r->sbi_calls ? ",sbi" : "", r->sbi_memory ? ",sbi-memory" : "",
		 r->csr_accesses ? ",csr" : "",
		 r->deliveries ? ",delivery" : "",
		 r->processes ? ",process" : "");
	add_row(t, "record", *text ? text + 1 : "none");
	add_row(t, "when-full", machine_text_when_full(r));
	if (!r->trace_bytes)
		return;
	snprintf(text, sizeof(text), "%" PRIu64, r->trace_bytes);
	add_row(t, "trace-bytes", text);
}

static int print_config(const Pmu__V1__MachineConfig *c,
			const Pmu__V1__Recording *recording,
			const Pmu__V1__ListSettingsResponse *defaults)
{
	static const struct column columns[] = {
		{ "KEY", COLUMN_TEXT },
		{ "VALUE", COLUMN_TEXT },
	};
	struct table *t = table_new("settings", columns, 2, false);
	const char *mode = mode_text(c->start_mode);

	table_row(t);
	table_cell(t, "harts");
	if (c->harts)
		table_cell(t, "%u", c->harts);
	else
		table_cell(t, "%s", default_of(defaults, "harts"));
	table_row(t);
	table_cell(t, "memory");
	if (c->memory_bytes)
		table_cell(t, "%" PRIu64 "MiB", c->memory_bytes >> 20);
	else
		table_cell(t, "%s", default_of(defaults, "memory"));
	table_row(t);
	table_cell(t, "mode");
	table_cell(t, "%s", mode ? mode : default_of(defaults, "mode"));
	if (*c->bootargs)
		add_row(t, "bootargs", c->bootargs);
	for (size_t i = 0; i < c->n_settings; i++)
		add_row(t, c->settings[i]->key, c->settings[i]->value);
	if (recording)
		add_recording(t, recording);
	return table_print(t, stdout);
}

static int print_settings(struct pmud *s, const Pmu__V1__MachineInfo *m)
{
	Pmu__V1__ListSettingsResponse *defaults = ask_defaults(s);
	int code = print_config(m->config, m->recording, defaults);

	answer_free(defaults);
	return code;
}

/* What it was created with; what was not named has its default. */
static int settings(struct pmud *s, struct args *args)
{
	Pmu__V1__MachineInfo *m = NULL;
	int code = pmud_control(s, args->arg[0], PMUCLIENT_GET, 0, &m);

	if (!code && !m->config)
		code = EXIT_FAILED;
	if (!code && args->json)
		code = json_print(stdout, &m->config->base);
	else if (!code)
		code = print_settings(s, m);
	answer_free(m);
	return code;
}

#define WITH_CONFIG                                                            \
	(WITH(HARTS) | WITH(MEMORY) | WITH(MODE) | WITH(SET) |                 \
	 WITH(MAX_INSNS) | WITH(MAX_CYCLES) | WITH(STOP_ON_TRAP_LOOP) |        \
	 WITH(APPEND) | WITH(CONSOLE) | WITH(NO_REBOOT))
/* Of those that show where a machine stands. */
#define WITH_PLACE (WITH(SYSROOT) | WITH(FORCE))

const struct command machine_commands[] = {
	{ "machine list", NULL, "List your machines", 0, 0, 0, NEEDS_DAEMON,
	  list },
	{ "machine create", NULL, "Make a machine that stays, print its name",
	  WITH_CONFIG | WITH(RECORD) | WITH(WHEN_FULL) | WITH(TRACE_BYTES), 0,
	  0, NEEDS_DAEMON, create },
	{ "machine load", "MACHINE [IMAGE]",
	  "Load an image, a kernel, an initrd or a device tree into a new "
	  "machine",
	  WITH(FLAT) | WITH(ENTRY) | WITH(DTB) | WITH(BIOS) | WITH(KERNEL) |
		  WITH(INITRD) | WITH(ADD),
	  1, 2, NEEDS_DAEMON, cmd_load },
	{ "machine dtb", "MACHINE",
	  "Write its device tree as the guest gets it, before the start or "
	  "later",
	  WITH(OUTPUT), 1, 1, NEEDS_DAEMON, cmd_dtb },
	{ "machine symbols", "MACHINE FILE",
	  "Give it the symbols of an ELF file or a System.map", 0, 2, 2,
	  NEEDS_DAEMON, send_symbols },
	{ "machine kallsyms", "MACHINE",
	  "Find a Linux kernel's own symbols in its memory, print them",
	  WITH(OUTPUT), 1, 1, NEEDS_DAEMON, cmd_kallsyms },
	{ "machine start", "MACHINE", "Run a new machine", WITH(PAUSED), 1, 1,
	  NEEDS_DAEMON, control, PMUCLIENT_START },
	{ "machine pause", "MACHINE", "Stop a running machine", WITH_PLACE, 1,
	  1, NEEDS_DAEMON, control, PMUCLIENT_PAUSE },
	{ "machine resume", "MACHINE", "Go on with a paused machine", 0, 1, 1,
	  NEEDS_DAEMON, control, PMUCLIENT_RESUME },
	{ "machine step", "MACHINE",
	  "Execute --count instructions of the hart that is next",
	  WITH(COUNT) | WITH_PLACE, 1, 1, NEEDS_DAEMON, control,
	  PMUCLIENT_STEP },
	{ "machine until", "MACHINE",
	  "Run a paused machine until --insn, --cycle or --pc is reached",
	  WITH(INSN) | WITH(CYCLE) | WITH(PC) | WITH_PLACE, 1, 1, NEEDS_DAEMON,
	  until },
	{ "machine break", "MACHINE [ADDRESS...]",
	  "Replace the breakpoints; with no address, remove them", 0, 1,
	  ARGS_MAX, NEEDS_DAEMON, break_at },
	{ "machine wait", "MACHINE",
	  "Wait until it pauses or ends; exit as `pmuctl run' would",
	  WITH_PLACE, 1, 1, NEEDS_DAEMON, wait_machine },
	{ "machine show", "MACHINE", "Show the state of a machine", WITH_PLACE,
	  1, 1, NEEDS_DAEMON, control, PMUCLIENT_GET },
	{ "machine settings", "MACHINE", "Show what it was created with", 0, 1,
	  1, NEEDS_DAEMON, settings },
	{ "machine attach", "MACHINE",
	  "Take its console: stdin and stdout, Ctrl-A x leaves it", 0, 1, 1,
	  NEEDS_DAEMON, cmd_attach },
	{ "machine console", "MACHINE",
	  "Print console output from the first byte on, until it ends", 0, 1, 1,
	  NEEDS_DAEMON, cmd_console },
	{ "machine input", "MACHINE",
	  "Give stdin to the guest's console; with --eof, as its end",
	  WITH(EOF), 1, 1, NEEDS_DAEMON, cmd_input },
	{ "machine detach", "MACHINE",
	  "Let it live on when the command that runs it ends", 0, 1, 1,
	  NEEDS_DAEMON, control, PMUCLIENT_DETACH },
	{ "machine release", "MACHINE [SESSION]",
	  "End an EBB session: the one named, else whose handler holds it", 0,
	  1, 2, NEEDS_DAEMON, release },
	{ "machine delete", "MACHINE", "End it and forget it", 0, 1, 1,
	  NEEDS_DAEMON, control, PMUCLIENT_DELETE },
	{ 0 },
};
