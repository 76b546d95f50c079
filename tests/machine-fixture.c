/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Machines for tests: see machine-fixture.h. Whatever fails here fails the test
 * with the machine's own words.
 */
#include "machine-fixture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "board/board.h"
#include "control/codec.h"
#include "core/machine-state.h"
#include "unit/unit.h"

static int sink(void *arg, const void *bytes, size_t len)
{
	struct fixture *f = arg;

	if (len > f->room)
		return -ENOBUFS;
	f->room -= len;
	return buf_append(&f->bytes, bytes, len) < 0 ? -ENOMEM : 0;
}

void fixture_settings(struct settings *s, const char *text)
{
	char copy[512], error[SETTINGS_ERROR], *save = NULL, *word;

	settings_init(s);
	strcpy(copy, text ? text : "");
	for (word = strtok_r(copy, " ", &save); word;
	     word = strtok_r(NULL, " ", &save)) {
		char *value = strchr(word, '=');

		ck_assert_msg(value, "%s", word);
		*value++ = 0;
		ck_assert_msg(settings_set(s, word, value, error), "%s", error);
	}
}

static void load(struct fixture *f, const struct fixture_config *cfg)
{
	static const uint8_t nothing[4];
	struct machine_image image = {
		.kind = cfg->image && !cfg->address ? IMAGE_ELF : IMAGE_FLAT,
		.address = cfg->address ? cfg->address : BOARD_RAM_BASE,
		.bytes = cfg->image ? cfg->image : nothing,
		.size = cfg->image ? cfg->image_size : sizeof(nothing),
	};
	struct error e;
	uint64_t entry;

	ck_assert_msg(machine_load(f->m, &image, &entry, &e), "%s", e.text);
}

static void queue(struct fixture *f, const Pmu__V1__Trace *t)
{
	struct error e;

	for (size_t i = 0; i < t->n_records; i++) {
		const Pmu__V1__Record *r = t->records[i];
		struct input in;

		if (r->kind_case != PMU__V1__RECORD__KIND_INPUT)
			continue;
		decode_input(r->input, &in);
		ck_assert_msg(machine_queue(f->m, &in, &e), "%s", e.text);
	}
}

void fixture_init(struct fixture *f, const struct fixture_config *cfg)
{
	struct machine_config mc = {
		.harts = cfg->harts,
		.memory = 4 << 20,
		.m_mode = cfg->m_mode,
		.pacer = cfg->pacer,
	};
	struct error e;

	*f = (struct fixture){ .room = UINT64_MAX };
	trace_init(&f->trace, sink, f);
	f->trace.recorder.traps = cfg->traps;
	f->trace.recorder.sbi_calls = cfg->sbi_calls;
	f->trace.recorder.csr_accesses = cfg->csr_accesses;
	f->trace.recorder.deliveries = cfg->deliveries;
	f->trace.recorder.sbi_memory = cfg->sbi_memory;
	fixture_settings(&mc.settings, cfg->settings);
	ck_assert_msg(machine_new(&f->m, &mc, &f->trace.recorder, &e), "%s",
		      e.text);
	load(f, cfg);
	if (cfg->replay)
		queue(f, cfg->replay);
}

void fixture_start(struct fixture *f)
{
	struct error e;

	ck_assert_msg(machine_start(f->m, false, &e), "%s", e.text);
}

void fixture_fini(struct fixture *f)
{
	machine_free(f->m);
	trace_free(&f->trace);
	buf_free(&f->bytes);
	*f = (struct fixture){ 0 };
}

void fixture_run(struct fixture *f, uint64_t soft, unsigned slices)
{
	while (slices-- && fixture_state(f) == MACHINE_RUNNING) {
		machine_run(f->m, soft);
		if (trace_flush(&f->trace) == -ENOBUFS)
			return;
	}
	trace_flush(&f->trace);
}

void fixture_play(struct fixture *f, const struct fixture_config *cfg,
		  uint64_t soft)
{
	fixture_init(f, cfg);
	fixture_start(f);
	fixture_run(f, soft, UINT32_MAX);
}

void fixture_move(struct fixture *f)
{
	struct machine_config mc = *machine_config(f->m);
	struct state state = { 0 };
	struct machine *next;
	struct error e;

	mc.settings.engines = mc.settings.engines == 2 ? 1 : 2;
	ck_assert_msg(machine_give(f->m, &state, &e), "%s", e.text);
	machine_free(f->m);
	f->m = NULL;
	ck_assert_msg(machine_new(&next, &mc, &f->trace.recorder, &e), "%s",
		      e.text);
	f->m = next;
	ck_assert_msg(machine_take(f->m, &state, &e), "%s", e.text);
	state_free(&state);
}

struct machine_status fixture_status(struct fixture *f)
{
	struct machine_status s;

	machine_status(f->m, &s);
	return s;
}

enum machine_state fixture_state(struct fixture *f)
{
	return fixture_status(f).state;
}

Pmu__V1__Trace *fixture_trace(struct fixture *f)
{
	Pmu__V1__Trace *t;

	trace_flush(&f->trace);
	t = pmu__v1__trace__unpack(NULL, buf_len(&f->bytes),
				   buf_head(&f->bytes));
	ck_assert_ptr_nonnull(t);
	return t;
}

void fixture_free_trace(Pmu__V1__Trace *t)
{
	pmu__v1__trace__free_unpacked(t, NULL);
}

bool fixture_same(const struct fixture *a, const struct fixture *b)
{
	return buf_len(&a->bytes) == buf_len(&b->bytes) &&
	       !memcmp(buf_head(&a->bytes), buf_head(&b->bytes),
		       buf_len(&a->bytes));
}

const Pmu__V1__Record *fixture_record(const Pmu__V1__Trace *t,
				      Pmu__V1__Record__KindCase kind,
				      unsigned n)
{
	for (size_t i = 0; i < t->n_records; i++)
		if (t->records[i]->kind_case == kind && n-- == 0)
			return t->records[i];
	return NULL;
}
