/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From a command line to a MachineConfig. Which settings there are, and which
 * values they take, the daemon knows; here they are only text.
 */
#include "machine-options.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd-run.h"
#include "kernel-options.h"
#include "text/report.h"

enum {
	OWN_SETTINGS = 16 /* that options of their own stand for, at most */
};

/* Settings act in their order: a key that comes again takes the later place. */
static void set(struct machine_options *o, const char *key, const char *value)
{
	Pmu__V1__MachineConfig *c = &o->config;
	size_t i;

	for (i = 0; i < c->n_settings; i++) {
		assert(o->settings[i].key);
		if (strcmp(o->settings[i].key, key) == 0)
			break;
	}
	assert(i < o->n_settings);
	if (i < c->n_settings) {
		memmove(&o->settings[i], &o->settings[i + 1],
			(c->n_settings - i - 1) * sizeof(o->settings[0]));
		i = --c->n_settings;
	}
	pmu__v1__setting__init(&o->settings[i]);
	o->list[i] = &o->settings[i];
	c->n_settings++;
	o->settings[i].key = (char *)key;
	o->settings[i].value = (char *)value;
}

static void take_base(struct machine_options *o,
		      const struct machine_base *base)
{
	const Pmu__V1__MachineConfig *c =
		base && base->replay ? base->replay->config : NULL;

	if (base && base->rv32)
		set(o, "xlen", "32");
	if (base && base->live)
		set(o, "pace", "real");
	if (!c)
		return;
	o->config.recorded = true;
	o->config.harts = c->harts;
	o->config.memory_bytes = c->memory_bytes;
	o->config.start_mode = c->start_mode;
	for (size_t i = 0; i < c->n_settings; i++)
		set(o, c->settings[i]->key, c->settings[i]->value);
}

/* Firmware of its own begins in M-mode, where the firmware model is not. */
static bool take_mode(struct machine_options *o, const struct args *args)
{
	const char *mode = args->mode ? args->mode : args->bios ? "m" : NULL;

	if (!mode)
		return true;
	if (strcmp(mode, "s") == 0) {
		o->config.start_mode = PMU__V1__START_MODE__START_MODE_S;
	} else if (strcmp(mode, "m") == 0) {
		o->config.start_mode = PMU__V1__START_MODE__START_MODE_M;
	} else {
		report_error("--mode: '%s' is not s or m", mode);
		return false;
	}
	if (!args->bios || strcmp(mode, "m") == 0)
		return true;
	report_error("--mode s has the firmware model, --bios begins in "
		     "M-mode with another firmware");
	return false;
}

static bool take_limit(struct machine_options *o, const char *key,
		       uint64_t value, char text[24])
{
	if (value == ARGS_UNSET)
		return true;
	if (value == 0) {
		report_error("--%s: must be at least 1", key);
		return false;
	}
	snprintf(text, 24, "%" PRIu64, value);
	set(o, key, text);
	return true;
}

static bool take_sets(struct machine_options *o, const struct args *args)
{
	for (size_t i = 0; i < args->n_set; i++) {
		const char *equals = strchr(args->set[i], '=');

		o->keys[i] =
			strndup(args->set[i], (size_t)(equals - args->set[i]));
		if (!o->keys[i]) {
			report_no_memory("--set");
			return false;
		}
		set(o, o->keys[i], equals + 1);
	}
	return true;
}

static bool take_numbers(struct machine_options *o, const struct args *args)
{
	if (args->harts != ARGS_UNSET) {
		if (args->harts == 0) {
			report_error("--harts: must be at least 1");
			return false;
		}
		/* how many there can be is pmud's to say */
		o->config.harts = args->harts < UINT32_MAX
					  ? (uint32_t)args->harts
					  : UINT32_MAX;
	}
	if (args->memory != ARGS_UNSET) {
		if (args->memory == 0) {
			report_error("--memory: must be more than 0 bytes");
			return false;
		}
		o->config.memory_bytes = args->memory;
	}
	return true;
}

/* Linux: memory, unless it is said, and a command line. */
static bool take_kernel(struct machine_options *o, const struct args *args,
			const struct machine_base *base)
{
	bool replay = base && base->replay && base->replay->config;

	if (!kernel_options_check(args))
		return false;
	if (kernel_wanted(args) && !o->config.memory_bytes)
		o->config.memory_bytes = KERNEL_MEMORY;
	o->bootargs = kernel_bootargs(
		args, replay ? base->replay->config->bootargs : NULL);
	if (!o->bootargs)
		return false;
	o->config.bootargs = o->bootargs;
	if (args->no_reboot || args->batch)
		set(o, "reboot", "off");
	else if (kernel_wanted(args) && !replay)
		set(o, "reboot", "on");
	return true;
}

static const struct stored {
	const char *name;
	bool traps, sbi_calls, processes, csr_accesses, deliveries, sbi_memory;
} stored[] = {
	{ "trap", .traps = true },
	{ "sbi", .sbi_calls = true },
	{ "sbi-memory", .sbi_calls = true, .sbi_memory = true },
	{ "csr", .csr_accesses = true },
	{ "delivery", .deliveries = true },
	{ "process", .processes = true },
	{ "all", true, true, true, true, true, true },
	{ "none", false },
};

const char *machine_stored_at(size_t i)
{
	return i < sizeof(stored) / sizeof(*stored) ? stored[i].name : NULL;
}

static bool take_stored(Pmu__V1__Recording *r, const char *word, size_t len)
{
	for (size_t i = 0; machine_stored_at(i); i++) {
		const struct stored *s = &stored[i];

		if (strncmp(word, s->name, len) != 0 || s->name[len])
			continue;
		r->traps |= s->traps;
		r->sbi_calls |= s->sbi_calls;
		r->processes |= s->processes;
		r->csr_accesses |= s->csr_accesses;
		r->deliveries |= s->deliveries;
		r->sbi_memory |= s->sbi_memory;
		return true;
	}
	report_error("--record: '%.*s' is not trap, sbi, sbi-memory, csr, "
		     "delivery, process, all or none; the other kinds are "
		     "always recorded",
		     (int)len, word);
	return false;
}

static const struct full_way {
	const char *name;
	Pmu__V1__WhenFull value;
} ways[] = {
	{ "hold", PMU__V1__WHEN_FULL__WHEN_FULL_HOLD },
	{ "rotate", PMU__V1__WHEN_FULL__WHEN_FULL_ROTATE },
	{ "end", PMU__V1__WHEN_FULL__WHEN_FULL_END },
};

const char *machine_when_full_at(size_t i)
{
	return i < sizeof(ways) / sizeof(*ways) ? ways[i].name : NULL;
}

static bool take_when_full(struct machine_options *o, const struct args *args,
			   const struct machine_base *base)
{
	const char *how = args->when_full;

	if (!how)
		how = base && base->passes ? "rotate" : "hold";
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		if (strcmp(how, ways[i].name) == 0) {
			o->recording.when_full = ways[i].value;
			return true;
		}
	}
	report_error("--when-full: '%s' is not hold, rotate or end", how);
	return false;
}

static bool take_trace_bytes(struct machine_options *o, const struct args *args)
{
	if (args->trace_bytes == ARGS_UNSET)
		return true;
	if (args->trace_bytes == 0) {
		report_error("--trace-bytes: must be more than 0 bytes");
		return false;
	}
	/* how few there can be is pmud's to say */
	o->recording.trace_bytes = args->trace_bytes;
	return true;
}

/*
 * What is stored: a trace file has all of it unless told otherwise, but
 * neither accesses to CSRs, of which Linux makes many, nor what was added
 * since; a profile of Linux its processes.
 */
static bool take_recording(struct machine_options *o, const struct args *args,
			   const struct machine_base *base)
{
	const char *word = args->record;

	pmu__v1__recording__init(&o->recording);
	if (!word && args->trace && !args->samples)
		word = "trap,sbi,process";
	else if (!word)
		word = kernel_wanted(args) ? "process" : "none";
	while (word) {
		size_t len = strcspn(word, ",");

		if (!take_stored(&o->recording, word, len))
			return false;
		word = word[len] ? word + len + 1 : NULL;
	}
	return take_when_full(o, args, base) && take_trace_bytes(o, args);
}

/*
 * Room for all that set() is asked for. How many there may be, and how many of
 * those a machine has a use for, is pmud's to say.
 */
static bool make_room(struct machine_options *o, const struct args *args,
		      const struct machine_base *base)
{
	o->n_settings = OWN_SETTINGS + args->n_set;
	if (base && base->replay && base->replay->config)
		o->n_settings += base->replay->config->n_settings;
	o->settings = calloc(o->n_settings, sizeof(*o->settings));
	o->list = calloc(o->n_settings, sizeof(*o->list));
	o->config.settings = o->list;
	if (!o->settings || !o->list)
		report_no_memory("settings of the machine");
	return o->settings && o->list;
}

bool machine_options_init(struct machine_options *o, const struct args *args,
			  const struct machine_base *base)
{
	memset(o, 0, sizeof(*o));
	pmu__v1__machine_config__init(&o->config);
	if (!take_recording(o, args, base) || !make_room(o, args, base))
		return false;
	take_base(o, base);
	if (!take_numbers(o, args) || !take_mode(o, args) ||
	    !take_kernel(o, args, base))
		return false;
	if (args->serial)
		set(o, "serial", "on");
	if (args->stat || (args->hooks && !args->hooks->tap))
		/* totals are asked for, or samples */
		set(o, "uarch-watch", "on");
	if (!take_sets(o, args) ||
	    !take_limit(o, "max-insns", args->max_insns, o->limits[0]) ||
	    !take_limit(o, "max-cycles", args->max_cycles, o->limits[1]) ||
	    !take_limit(o, "uarch-explain", args->explain_misses, o->limits[2]))
		return false;
	if (args->stop_on_trap_loop)
		set(o, "trap-loop", "stop");
	return true;
}

void machine_options_free(struct machine_options *o)
{
	for (size_t i = 0; i < ARGS_MAX; i++)
		free(o->keys[i]);
	free(o->bootargs);
	free(o->settings);
	free(o->list);
	memset(o, 0, sizeof(*o));
}
