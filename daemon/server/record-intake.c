/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is stored of a record, and where: console output also goes to the
 * console's own log, what the machine was not made to record (kinds, samples of
 * others) goes nowhere but to those who watch it live, and a Stop ends the
 * stores.
 */
#include "record-intake.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "wire/record.h"
#include "wire/unpack.h"
#include "daemon-limits.h"
#include "hosted.h"

/* What goes to one store. */
struct portion {
	size_t len;
	uint64_t items;
	uint8_t bytes[CHILD_PIECE_MAX];
};

struct intake {
	struct portion trace, inputs, console, serial, live;
	bool stops;
};

int intake_new(struct intake **ret)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? 0 : -ENOMEM;
}

void intake_free(struct intake *rs)
{
	free(rs);
}

static void begin(struct portion *p)
{
	p->len = 0;
	p->items = 0;
}

static void add(struct portion *p, const void *bytes, size_t len,
		uint64_t items)
{
	memcpy(p->bytes + p->len, bytes, len);
	p->len += len;
	p->items += items;
}

/* Is it output of a UART that the machine does not have? */
static bool is_foreign(const struct hosted *m, const Pmu__V1__Record *r)
{
	return r->kind_case == PMU__V1__RECORD__KIND_CONSOLE_OUTPUT &&
	       r->console_output->port > (m->serial ? 1 : 0);
}

static bool is_stored(const struct hosted *m, const Pmu__V1__Record *r)
{
	const uint32_t left_out = RECORDED_ALL & ~recorded_stored(&m->records);

	if (r->kind_case == PMU__V1__RECORD__KIND_SAMPLE)
		return !r->sample->session;
	return !(left_out >> r->kind_case & 1);
}

/* Adds a record to the portions it belongs to. 0, -EPROTO or -ENOMEM. */
static int gather(struct intake *rs, const struct hosted *m,
		  const struct record_view *v)
{
	struct wire_bytes in = { v->message, v->message_len, RECORD_UNPACKED };
	enum grpc_status status;
	const char *why;
	ProtobufCMessage *message CLEANUP(unpacked) = NULL;
	const Pmu__V1__Record *r;

	if (rs->stops)
		return -EPROTO; /* a Stop is the last one */
	message = wire_unpack(&pmu__v1__record__descriptor, &in, &status, &why);
	r = (const Pmu__V1__Record *)message;
	if (!r)
		return wire_unpack_errno(status);
	if (is_foreign(m, r))
		return -EPROTO;
	if (is_stored(m, r))
		add(&rs->trace, v->field, v->field_len, 1);
	if (m->inputs && r->kind_case == PMU__V1__RECORD__KIND_INPUT)
		add(&rs->inputs, v->field, v->field_len, 1);
	if (m->live)
		add(&rs->live, v->field, v->field_len, 1);
	if (r->kind_case == PMU__V1__RECORD__KIND_CONSOLE_OUTPUT)
		add(r->console_output->port ? &rs->serial : &rs->console,
		    r->console_output->data.data, r->console_output->data.len,
		    r->console_output->data.len);
	rs->stops = r->kind_case == PMU__V1__RECORD__KIND_STOP;
	return 0;
}

/* Takes whole records. Returns their bytes; *@ret_err says why no more. */
static size_t gather_all(struct hosted *m, const uint8_t *bytes, size_t len,
			 int *ret_err)
{
	struct intake *rs = m->daemon->intake;
	struct record_view v;
	size_t used = 0;
	int n;

	begin(&rs->trace);
	begin(&rs->inputs);
	begin(&rs->console);
	begin(&rs->serial);
	begin(&rs->live);
	rs->stops = store_ended(m->trace);
	*ret_err = 0;
	while (!*ret_err &&
	       (n = record_first(bytes + used, len - used, &v)) != 0) {
		if (n < 0)
			*ret_err = n;
		else if (v.tag == RECORD_TAG_RECORD)
			*ret_err = gather(rs, m, &v);
		if (!*ret_err)
			used += v.field_len;
	}
	return used;
}

/* All stores, or none. */
static int store_all(struct hosted *m, const struct intake *rs)
{
	const struct portion_row {
		struct store *store;
		const struct portion *portion;
	} rows[] = {
		{ m->trace, &rs->trace },
		{ m->inputs, &rs->inputs }, /* behind it: its side store */
		{ m->console, &rs->console },
		{ m->serial, &rs->serial },
		{ m->live, &rs->live },
	};
	const size_t n = sizeof(rows) / sizeof(*rows);
	int err = 0;

	for (size_t i = 0; i < n && !err; i++) {
		if (rows[i].portion->len)
			err = store_put(rows[i].store, rows[i].portion->bytes,
					rows[i].portion->len);
	}
	for (size_t i = 0; i < n; i++) {
		if (rows[i].store && err)
			store_take_back(rows[i].store);
		else if (rows[i].store)
			store_commit(rows[i].store, rows[i].portion->items);
	}
	return err;
}

static bool waits(const struct hosted *m, int err)
{
	return err == -ENOBUFS ||
	       (store_may_pass(err) && !hosted_ends_when_full(m));
}

ssize_t intake_take(struct hosted *m, const uint8_t *bytes, size_t len,
		    bool *ret_full)
{
	struct intake *rs = m->daemon->intake;
	int wrong, err;
	size_t used = gather_all(m, bytes, len, &wrong);

	err = store_all(m, rs);
	if (err) {
		used = 0;
		wrong = 0;
	} else if (rs->stops && !store_ended(m->trace)) {
		hosted_end_stores(m);
	}
	/* what came before it is stored, and it is looked at again */
	if (wrong && used == 0)
		err = wrong;
	*ret_full = err && waits(m, err);
	if (err && !*ret_full) {
		if (store_may_pass(err))
			hosted_end_full(m, err);
		return err;
	}
	if (err) /* else it is told once all that waited is stored */
		hosted_hold(m, err == -ENOBUFS ? 0 : err);
	return (ssize_t)used;
}
