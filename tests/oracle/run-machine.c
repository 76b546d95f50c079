/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs bare ELF files in machines of this process and prints their consoles:
 * usage: run-machine SETTINGS [--modes] ELF...
 * A line "= FILE STATE EXIT" comes before each console. With --modes each file
 * is run again with one engine, with the step engine alone and in odd slices;
 * a trace that is not the same bytes is told ("! FILE ...") and makes the exit
 * status 1. What a difference to another implementation means is compare.py's.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "control/trace.h"
#include "core/machine.h"
#include "pmu/v1/traces.pb-c.h"

enum {
	MAX_FILE = 16 << 20,
	MAX_SETTINGS = 512
};

static void fail(const char *what, const char *why)
{
	fprintf(stderr, "run-machine: %s: %s\n", what, why);
	exit(2);
}

static void append(struct buf *b, const void *from, size_t n)
{
	if (buf_append(b, from, n) < 0)
		fail("trace", "no memory");
}

static int sink(void *arg, const void *from, size_t n)
{
	append(arg, from, n);
	return 0;
}

static void read_file(struct buf *ret, const char *path)
{
	FILE *f = fopen(path, "rb");
	char buf[65536];
	size_t n;

	if (!f)
		fail(path, strerror(errno));
	while (buf_len(ret) < MAX_FILE && (n = fread(buf, 1, sizeof(buf), f)))
		append(ret, buf, n);
	fclose(f);
}

/* "xlen=64 svadu=on" and one more, which may be empty. */
static void apply(struct settings *s, const char *text, const char *more)
{
	char copy[MAX_SETTINGS], error[SETTINGS_ERROR], *save = NULL, *word;

	settings_init(s);
	if (snprintf(copy, sizeof(copy), "%s %s", text, more) >=
	    (int)sizeof(copy))
		fail("settings", "too long");
	for (word = strtok_r(copy, " ", &save); word;
	     word = strtok_r(NULL, " ", &save)) {
		char *value = strchr(word, '=');

		if (!value)
			fail(word, "no value");
		*value++ = 0;
		if (!settings_set(s, word, value, error))
			fail("settings", error);
	}
}

struct mode {
	const char *setting;
	unsigned soft;
};

/* Runs to the end; @ret_trace is all that was recorded. */
static struct machine_status play(const struct buf *elf, const char *settings,
				  const struct mode *mode,
				  struct buf *ret_trace)
{
	struct trace trace;
	struct machine_config cfg = { .m_mode = true };
	struct machine_image image = {
		.kind = IMAGE_ELF,
		.bytes = buf_head(elf),
		.size = buf_len(elf),
	};
	struct machine_status s = { .state = MACHINE_RUNNING };
	struct machine *m;
	struct error e;
	uint64_t entry;

	trace_init(&trace, sink, ret_trace);
	trace.recorder.traps = true;
	apply(&cfg.settings, settings, mode->setting);
	if (!machine_new(&m, &cfg, &trace.recorder, &e) ||
	    !machine_load(m, &image, &entry, &e) ||
	    !machine_start(m, false, &e))
		fail("machine", e.text);
	machine_console_eof(m);
	while (s.state == MACHINE_RUNNING) {
		machine_run(m, mode->soft);
		trace_flush(&trace);
		machine_status(m, &s);
	}
	s.detail = NULL; /* the machine's */
	machine_free(m);
	trace_free(&trace);
	return s;
}

static void print_console(const struct buf *trace)
{
	Pmu__V1__Trace *t =
		pmu__v1__trace__unpack(NULL, buf_len(trace), buf_head(trace));

	for (size_t i = 0; t && i < t->n_records; i++) {
		const Pmu__V1__Record *r = t->records[i];

		if (r->kind_case == PMU__V1__RECORD__KIND_CONSOLE_OUTPUT)
			fwrite(r->console_output->data.data, 1,
			       r->console_output->data.len, stdout);
	}
	pmu__v1__trace__free_unpacked(t, NULL);
}

static bool same_in_all_modes(const struct buf *want, const struct buf *elf,
			      const char *settings, const char *path)
{
	static const struct mode modes[] = {
		{ "engines=1", 1000000 },
		{ "step-only=on", 1000000 },
		{ "engines=2", 997 },
	};
	bool good = true;

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		struct buf got = { 0 };

		play(elf, settings, &modes[i], &got);
		if (buf_len(&got) != buf_len(want) ||
		    memcmp(buf_head(&got), buf_head(want), buf_len(&got))) {
			printf("! %s: %s in slices of %u has another trace\n",
			       path, modes[i].setting, modes[i].soft);
			good = false;
		}
		buf_free(&got);
	}
	return good;
}

static bool run(const char *path, const char *settings, bool modes)
{
	static const struct mode usual = { "engines=2", 1000000 };
	struct buf elf = { 0 }, trace = { 0 };
	struct machine_status s;
	bool good = true;

	read_file(&elf, path);
	s = play(&elf, settings, &usual, &trace);
	printf("= %s %d %d\n", path, s.state, s.exit_code);
	print_console(&trace);
	if (modes)
		good = same_in_all_modes(&trace, &elf, settings, path);
	buf_free(&trace);
	buf_free(&elf);
	return good;
}

int main(int argc, char **argv)
{
	bool modes = argc > 2 && !strcmp(argv[2], "--modes"), good = true;

	if (argc < 3) {
		fprintf(stderr, "usage: run-machine SETTINGS [--modes] ELF\n");
		return 2;
	}
	for (int i = modes ? 3 : 2; i < argc; i++)
		good &= run(argv[i], argv[1], modes);
	return !good;
}
