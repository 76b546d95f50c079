/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Refusals by what was typed; and that each field that a request of pmuctl may
 * have has been thought of.
 */
#include <string.h>

#include "cmd/command.h"
#include "methods/methods.h"
#include "session/refused.h"
#include "unit.h"

static const struct text_row {
	const char *command, *given; /* an option, or NULL */
	const char *field, *text, *want;
	uint64_t misses; /* --explain-misses of the verb that it runs under */
} text_rows[] = {
	{ "run", NULL, "config.harts", "harts: must be from 1 to 64, not 65",
	  "--harts: must be from 1 to 64, not 65" },
	{ "run", NULL, "config.memory_bytes", "memory: must be more",
	  "--memory: must be more" },
	{ "run", NULL, "recording.trace_bytes", "a stored trace has room",
	  "--trace-bytes: a stored trace has room" },
	{ "run", NULL, "start.entry", "image: entry 0x3 is odd",
	  "--entry: entry 0x3 is odd" },
	{ "run", "--set=isa=x", "config.settings[3].value",
	  "setting isa: 'x' is bad", "--set isa: 'x' is bad" },
	{ "run", "--set=foo=1", "config.settings[0].key",
	  "no setting 'foo': see", "no setting 'foo': see" },
	{ "run", "--max-insns=5", "config.settings[0].value",
	  "setting max-insns: bad", "--max-insns: bad" },
	{ "run", "--max-cycles=5", "config.settings[0].value",
	  "setting max-cycles: bad", "--max-cycles: bad" },
	{ "run", NULL, "config.settings[0].value", "setting uarch-explain: bad",
	  "--explain-misses: bad", 5 },
	{ "run", "--serial=file", "config.settings[0].value",
	  "setting serial: bad", "--serial: bad" },
	{ "run", "--set=max-insns=x", "config.settings[0].value",
	  "setting max-insns: bad", "--set max-insns: bad" },
	/* of the trace that is replayed */
	{ "run", "--replay=x", "config.settings[0].value", "setting isa: bad",
	  "setting isa: bad" },
	{ "run", "--replay=x", "config.settings[0].value",
	  "setting max-insns: bad", "setting max-insns: bad" },
	{ "run", "--replay=x", "config.settings[0].value",
	  "setting max-cycles: bad", "setting max-cycles: bad" },
	{ "run", "--replay=x", "config.settings[0].value",
	  "setting uarch-explain: bad", "setting uarch-explain: bad" },
	{ "run", "--replay=x", "config.settings[0].value",
	  "setting serial: bad", "setting serial: bad" },
	{ "run", "--replay=x", "config.settings[0].value",
	  "setting reboot: bad", "setting reboot: bad" },
	{ "run", "--stat", "config.settings[0].value",
	  "setting uarch-watch: bad", "setting uarch-watch: bad" },
	/* whichever the command has */
	{ "csr read", NULL, "hart", "hart: there is no hart 8",
	  "--hart: there is no hart 8" },
	{ "run", NULL, "hart", "hart: there is no hart 8",
	  "--explain: there is no hart 8" },
	{ "inject", NULL, "insn", "inject: instructions are counted from 1",
	  "--at-insn: instructions are counted from 1" },
	{ "machine show", NULL, "machine", "no machine 'm9'",
	  "no machine 'm9'" },
	{ "csr read", NULL, "machine", "no machine 'm9'",
	  "--machine: no machine 'm9'" },
	/* an argument, and no field at all */
	{ "csr read", NULL, "name", "CSR 'x': hart 0 has none",
	  "CSR 'x': hart 0 has none" },
	{ "run", NULL, NULL, "harts: as it is", "harts: as it is" },
	{ "run", NULL, "config.hart", "harts: no such", "harts: no such" },
	{ "run", NULL, "config.harts.more", "harts: no such",
	  "harts: no such" },
	{ "run", NULL, "config.harts[", "harts: no such", "--harts: no such" },
	{ "run", NULL, "config.settings[0", "settings: no such",
	  "settings: no such" },
};

static const struct command *find(const char *name)
{
	const struct command *c;

	for (size_t i = 0; (c = command_at(i)); i++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

TEST_ROWS(a_refusal_names_what_was_typed, text_rows)
{
	const struct text_row *row = &text_rows[_i];
	char buf[REFUSED_TEXT];
	static struct args args;
	char name[] = "pmuctl", image[] = "image", given[32];
	char *argv[] = { name, given, image, NULL };

	args_init(&args);
	args.command = find(row->command);
	ck_assert_ptr_nonnull(args.command);
	if (row->misses)
		args.explain_misses = row->misses;
	if (row->given) {
		strcpy(given, row->given);
		args_parse(&args, args.command, 3, argv);
	}
	ck_assert_str_eq(refused_text(&args, row->field, row->text, buf),
			 row->want);
}

static bool is_known(const char *path)
{
	for (size_t i = 0; refused_fields[i].field; i++)
		if (!strcmp(refused_fields[i].field, path))
			return true;
	return false;
}

/* What only other clients send. */
static bool is_of_others(const ProtobufCMessageDescriptor *d)
{
	return !strcmp(d->short_name, "QueueInputsRequest") ||
	       !strcmp(d->short_name, "OpenEbbRequest") ||
	       !strcmp(d->short_name, "ActOnEbbRequest") ||
	       !strcmp(d->short_name, "ReadEbbRequest");
}

/* Each field that is no message, by its path behind @before. */
static void check_fields(const ProtobufCMessageDescriptor *d,
			 const char *before)
{
	for (unsigned i = 0; i < d->n_fields; i++) {
		const ProtobufCFieldDescriptor *f = &d->fields[i];
		char path[128];

		snprintf(path, sizeof(path), "%s%s%s", before,
			 *before ? "." : "", f->name);
		if (f->type == PROTOBUF_C_TYPE_MESSAGE)
			check_fields(f->descriptor, path);
		else
			ck_assert_msg(is_known(path), "%s: %s", d->short_name,
				      path);
	}
}

TEST_TIMES(no_field_of_a_request_is_missing, N_PUBLIC_METHODS)
{
	const ProtobufCMessageDescriptor *d =
		method_descriptor((enum method_id)_i)->input;

	ck_assert_ptr_nonnull(d);
	if (!is_of_others(d))
		check_fields(d, "");
}

SUITE("refused");
