/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The memory that SBI calls say was accessed for them, in whole runs of guests:
 * it is what the arguments of each call ask for, and holds what is told; the
 * same bytes in every mode of the engine; and a run that records it is the run
 * that does not. Arguments: guests.
 */
#include <inttypes.h>
#include <string.h>

#include <fw/sbi-name.h>
#include <pmu/csr-number.h>

#include "../unit/unit.h"
#include "core/call-memory.h"
#include "core/machine-read.h"
#include "guest-image.h"
#include "machine-fixture.h"
#include "view/inspect.h"
#include "wire/record.h"

#define KIND_SBI PMU__V1__RECORD__KIND_SBI_CALL

enum {
	LIST_CHUNK = 64, /* entries of a list that firmware reads at once */
	ENTRY = 16,
	MAX_WANTED = 1024,
};

static char **paths;
static int n_paths;
static struct guest guest;
static struct fixture f, other;

static void setup(void)
{
}

static void teardown(void)
{
	fixture_fini(&f);
	fixture_fini(&other);
	guest_free(&guest);
}

static void begin_run(struct fixture *ret, const char *settings, bool recorded,
		      const Pmu__V1__Trace *replay)
{
	char all[160], text[GUEST_SETTINGS];
	struct fixture_config cfg;

	snprintf(all, sizeof(all), "max-cycles=2000000 %s", settings);
	guest_configure(&guest, all, text, &cfg);
	cfg.sbi_memory = recorded;
	cfg.replay = replay;
	fixture_init(ret, &cfg);
	if (!replay)
		guest_type(ret);
	fixture_start(ret);
	machine_console_eof(ret->m);
}

static void run(struct fixture *ret, const char *settings, bool recorded,
		uint64_t soft)
{
	begin_run(ret, settings, recorded, NULL);
	fixture_run(ret, soft, UINT32_MAX);
}

/* What a call's arguments and answer say that was accessed. */
static struct wanted {
	struct record_access access[MAX_WANTED];
	size_t n;
} wanted;

static void want(uint64_t paddr, uint64_t len, bool written)
{
	struct record_access *a = wanted.access + wanted.n;

	if (!len)
		return;
	if (wanted.n && a[-1].written == written &&
	    a[-1].paddr + a[-1].len == paddr) {
		a[-1].len += len;
		return;
	}
	ck_assert_uint_lt(wanted.n, MAX_WANTED);
	wanted.n++;
	*a = (struct record_access){ paddr, len, .written = written };
}

static uint64_t page; /* of snapshots */

/* Of each counter of the set its value; when they stop, the overflows last. */
static void want_snapshot(const struct record_sbi *call, bool stop)
{
	for (unsigned i = 0; i < 64; i++)
		if (call->args[1] >> i & 1)
			want(page + 8 + 8 * i, 8, stop);
	if (stop)
		want(page, 8, true);
}

/* Twice: to be checked and to be answered. */
static void want_list(const struct record_sbi *call)
{
	uint64_t at = call->args[0], n = call->args[2];

	want(at, n * ENTRY, false);
	for (uint64_t i = 0; i < n && !call->error; i++) {
		uint64_t left = n - i < LIST_CHUNK ? n - i : LIST_CHUNK;

		if (i % LIST_CHUNK == 0)
			want(at + i * ENTRY, left * ENTRY, false);
		want(at + i * ENTRY + 4, 4, true);
	}
}

static void want_pmu(const struct record_sbi *call)
{
	bool with_page = call->args[2] & 2;
	bool refused = call->error && call->error != -7 && call->error != -8;

	if (call->args[6] == 7 && !call->error)
		page = call->args[0];
	else if (call->args[6] == 3 && with_page && !refused)
		want_snapshot(call, false);
	else if (call->args[6] == 4 && with_page && !refused)
		want_snapshot(call, true);
	/* a bad event is found in what was read */
	else if (call->args[6] == 8 &&
		 (!call->error || strstr(call->reason, "of the list")))
		want_list(call);
}

static void want_sse(const struct record_sbi *call)
{
	uint64_t len = call->args[2] * (guest.rv32 ? 4 : 8);

	if (call->args[6] == 0 && !call->error)
		want(call->args[3], len, true);
	/* an attribute's value is looked at when all were read */
	else if (call->args[6] == 1 &&
		 (!call->error || strstr(call->reason, "attribute ")))
		want(call->args[3], len, false);
}

/* An entry of the table for each byte, where there is a table. */
static void want_mask(const struct record_sbi *call)
{
	struct inspect_csr satp;
	uint64_t root, at = call->args[0];
	unsigned word = guest.rv32 ? 4 : 8;
	unsigned index = (unsigned)(at >> (guest.rv32 ? 22 : 30));

	ck_assert(inspect_csr(f.m, 0, PMU_CSR_SATP, &satp, NULL));
	root = satp.value << 12 & 0xffffffff;
	for (unsigned i = 0; i < word; i++) {
		if (root)
			want(root + index * word, word, false);
		if (!call->returned)
			return;
		want(at + i, 1, false);
	}
}

static void want_of(const struct record_sbi *call)
{
	wanted.n = 0;
	switch (call->args[7]) {
	case SBI_EID_DBCN:
		if (call->args[6] < 2 && !call->error)
			want(call->args[1], call->value, call->args[6] == 1);
		return;
	case SBI_EID_PMU:
		want_pmu(call);
		return;
	case SBI_EID_SSE:
		want_sse(call);
		return;
	case 4: /* send_ipi of SBI 0.1 */
		want_mask(call);
		return;
	default:
		return;
	}
}

/* What is told must be there now, where the call has not written it since. */
static void check_bytes(const struct record_access *a, size_t i)
{
	static uint8_t now[CALL_MEMORY_OF_ONE];
	const struct inspect_range range = { .address = a->paddr,
					     .size = a->n_bytes };

	ck_assert(!a->n_bytes || inspect_memory(f.m, &range, now, NULL));
	for (size_t k = i + 1; k < wanted.n; k++) {
		const struct record_access *b = &wanted.access[k];

		for (uint64_t p = b->paddr; p < b->paddr + b->len; p++)
			if (b->written && p - a->paddr < a->n_bytes)
				now[p - a->paddr] = a->bytes[p - a->paddr];
	}
	ck_assert_mem_eq(a->bytes, now, a->n_bytes);
}

static unsigned n_told, n_left_out;

static void check_call(const struct record_sbi *call)
{
	const struct record_memory *m = call->memory;
	uint64_t read = 0, wrote = 0;

	ck_assert_ptr_nonnull(m);
	want_of(call);
	ck_assert_msg(m->n + m->more == wanted.n,
		      "%s: call 0x%" PRIx64 ".%" PRIu64 ": %zu accesses and "
		      "%" PRIu64 ", %zu are wanted",
		      guest.name, call->args[7], call->args[6], m->n, m->more,
		      wanted.n);
	for (size_t i = 0; i < m->n; i++) {
		ck_assert_uint_eq(m->access[i].paddr, wanted.access[i].paddr);
		ck_assert_uint_eq(m->access[i].len, wanted.access[i].len);
		ck_assert_int_eq(m->access[i].written,
				 wanted.access[i].written);
		check_bytes(&m->access[i], i);
	}
	for (size_t i = m->n; i < wanted.n; i++)
		*(wanted.access[i].written ? &wrote : &read) +=
			wanted.access[i].len;
	ck_assert_uint_eq(m->more_read, read);
	ck_assert_uint_eq(m->more_written, wrote);
	n_told += !!m->n;
	n_left_out += !!m->more;
}

static const struct recorder_ops *kept;

static void put_sbi(void *keeper, const struct record_at *at,
		    const struct record_sbi *call)
{
	check_call(call);
	kept->sbi(keeper, at, call);
}

/* By guests that make each such call, whose satp is 0 or of a small table. */
TEST_TIMES(a_call_tells_what_its_arguments_ask_for, n_paths)
{
	struct recorder_ops checking;

	guest_read(&guest, paths[_i]);
	begin_run(&f, "", true, NULL);
	kept = f.trace.recorder.ops;
	checking = *kept;
	checking.sbi = put_sbi;
	f.trace.recorder.ops = &checking;
	page = n_told = n_left_out = 0;
	fixture_run(&f, 1000000, UINT32_MAX);
	ck_assert_uint_gt(n_told, 0);
	if (guest_is(&guest, "sbi-memory")) {
		ck_assert_int_eq(fixture_status(&f).cause, CAUSE_SHUTDOWN);
		ck_assert_uint_ge(n_told, 17);
		ck_assert_uint_eq(n_left_out, 1);
	}
}

static const struct variant_row {
	const char *settings;
	uint64_t soft;
} variant_rows[] = {
	{ "engine=check", 1000000 }, { "engine=portable", 997 },
	{ "engines=2", 10007 },	     { "engine=portable engines=1", 1000000 },
	{ "step-only=on", 1000000 }, { "", 997 },
};

TEST_TIMES(it_is_the_same_however_it_is_executed, n_paths)
{
	guest_read(&guest, paths[_i]);
	run(&f, "", true, 1000000);
	for (size_t i = 0; i < ARRAY_SIZE(variant_rows); i++) {
		const struct variant_row *row = &variant_rows[i];

		run(&other, row->settings, true, row->soft);
		ck_assert_msg(fixture_same(&f, &other),
			      "%s: '%s' in slices of %" PRIu64, guest.name,
			      row->settings, row->soft);
		fixture_fini(&other);
	}
}

/* Takes the accesses out of the trace of @x. Returns how many there were. */
static size_t without_memory(struct fixture *x)
{
	size_t kept_bytes = 0, n = 0;
	struct record_view v;

	for (size_t at = 0; at < buf_len(&x->bytes); at += v.field_len) {
		Pmu__V1__Record *r;

		ck_assert_int_eq(record_first(x->bytes.data + at,
					      buf_len(&x->bytes) - at, &v),
				 1);
		r = pmu__v1__record__unpack(NULL, v.message_len, v.message);
		ck_assert_ptr_nonnull(r);
		if (r->kind_case == KIND_SBI) {
			for (size_t i = 0; i < r->sbi_call->n_memory; i++)
				pmu__v1__sbi_memory__free_unpacked(
					r->sbi_call->memory[i], NULL);
			n += r->sbi_call->n_memory;
			r->sbi_call->n_memory = 0;
			r->sbi_call->more_accesses = 0;
			r->sbi_call->more_read = 0;
			r->sbi_call->more_written = 0;
		}
		kept_bytes += record_pack(RECORD_TAG_RECORD, &r->base,
					  x->bytes.data + kept_bytes);
		pmu__v1__record__free_unpacked(r, NULL);
	}
	x->bytes.tail = kept_bytes;
	return n;
}

static const char *const ways[] = { "engine=auto", "engine=portable",
				    "step-only=on" };

TEST_TIMES(a_run_that_records_it_is_the_run_that_does_not,
	   (n_paths * (int)ARRAY_SIZE(ways)))
{
	const size_t n = ARRAY_SIZE(ways);
	const char *way = ways[(size_t)_i % n];

	guest_read(&guest, paths[(size_t)_i / n]);
	run(&f, way, true, 1000000);
	run(&other, way, false, 1000000);
	ck_assert_uint_eq(without_memory(&other), 0);
	ck_assert_uint_gt(without_memory(&f), 0);
	ck_assert_msg(fixture_same(&f, &other), "%s: '%s'", guest.name, way);
	ck_assert_uint_eq(fixture_status(&f).cycle,
			  fixture_status(&other).cycle);
	ck_assert_uint_eq(fixture_status(&f).insn, fixture_status(&other).insn);
	for (int e = 0; e < PMU_N_EVENTS; e++)
		for (int m = 0; m < PMU_N_MODES; m++)
			ck_assert_uint_eq(
				inspect_total(f.m, 0, (enum pmu_event)e,
					      (enum pmu_mode)m),
				inspect_total(other.m, 0, (enum pmu_event)e,
					      (enum pmu_mode)m));
}

/* Its inputs, and nothing else, make the trace once more. */
TEST_TIMES(a_trace_with_it_is_repeated, n_paths)
{
	Pmu__V1__Trace *t;

	guest_read(&guest, paths[_i]);
	run(&f, "", true, 1000000);
	t = fixture_trace(&f);
	begin_run(&other, "", true, t);
	fixture_run(&other, 777, UINT32_MAX);
	ck_assert_msg(fixture_same(&f, &other), "%s", guest.name);
	fixture_free_trace(t);
}

static void begin(int argc, char **argv)
{
	paths = argv + 1;
	n_paths = argc - 1;
}

SUITE("sbi-memory", .timeout = 120, .begin = begin, .setup = setup,
      .teardown = teardown);
