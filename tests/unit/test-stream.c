/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The pump between a store and a call, with everything around it played: what
 * one portion leads to, and what it asks for then.
 */
#include "server/stream.h"

#include <string.h>

#include "unit.h"

static struct played {
	/* what the store and the call say */
	ssize_t read;
	uint64_t lost, gone;
	bool ended, admits;
	int lost_sent, sent;
	size_t queued;
	ssize_t used;
	/* what the stream did */
	const struct rpc_call_ops *ops;
	void *data;
	unsigned later, finished, resumed, forgotten, watched, followed;
	unsigned lost_told;
	uint64_t lost_items, consumed, items;
	size_t work;
	enum grpc_status status;
	char text[64];
} now;

static struct hosted machine;
static struct rpc_call *const call = (struct rpc_call *)&now;
static struct store *const store = (struct store *)&machine;

uint64_t store_follow(struct store *s, struct store_reader *r, bool from_start)
{
	now.followed += from_start ? 10 : 1;
	r->store = s;
	return now.gone;
}

struct store_place store_place_first(const struct store *s)
{
	return (struct store_place){ 0 };
}

void store_unfollow(struct store_reader *r)
{
	r->store = NULL;
}

ssize_t store_read(struct store_reader *r, void *buf, size_t cap,
		   uint64_t *ret_lost)
{
	*ret_lost = now.lost;
	return now.read;
}

void store_consume(struct store_reader *r, size_t bytes, uint64_t items)
{
	now.consumed += bytes;
	r->item += items;
}

bool store_ended(const struct store *s)
{
	return now.ended;
}

bool hosted_admits(struct hosted *m, struct rpc_call *c)
{
	return now.admits;
}

void hosted_watch(struct hosted *m, struct watcher *w)
{
	now.watched++;
	w->machine = m;
}

void hosted_unwatch(struct watcher *w)
{
	now.watched--;
}

void child_resume_ring(struct child *c)
{
	now.resumed++;
}

void child_forget(struct child *c, uint64_t id)
{
	now.forgotten += (unsigned)id;
}

void rpc_call_watch(struct rpc_call *c, const struct rpc_call_ops *ops,
		    void *data)
{
	now.ops = ops;
	now.data = data;
}

void rpc_call_later(struct rpc_call *c)
{
	now.later++;
}

void rpc_call_work(struct rpc_call *c, size_t bytes)
{
	now.work += bytes;
}

size_t rpc_call_queued(const struct rpc_call *c)
{
	return now.queued;
}

void rpc_refuse(struct rpc_call *c, enum grpc_status status, struct rpc_at at,
		const char *text, ...)
{
	va_list ap;

	now.finished++;
	now.status = status;
	va_start(ap, text);
	vsnprintf(now.text, sizeof(now.text), text, ap);
	va_end(ap);
}

static ssize_t send_some(struct stream *s, const uint8_t *bytes, size_t n,
			 uint64_t *ret_items, int *ret_sent)
{
	*ret_items = now.items;
	*ret_sent = now.sent;
	return now.used;
}

static int tell_lost(struct stream *s, uint64_t items)
{
	now.lost_told++;
	now.lost_items += items;
	return now.lost_sent;
}

static struct stream *begin(const struct played *play)
{
	struct stream *s;

	now = *play;
	now.admits = true;
	s = stream_new(call, &machine);
	ck_assert_ptr_nonnull(s);
	s->send = send_some;
	s->lost = tell_lost;
	s->end_item = 100;
	return s;
}

/* The stream is gone, everything that held it as well. */
static void check_gone(void)
{
	ck_assert_uint_eq(now.watched, 0);
	ck_assert_uint_ge(now.resumed, 1);
}

static const struct portion_row {
	const char *why;
	struct played play;
	int status; /* -1: it goes on */
	const char *text;
	unsigned later;
	uint64_t consumed, lost;
} portion_rows[] = {
	{ "a portion is sent, and there may be more",
	  { .read = 50, .used = 40, .items = 2 },
	  -1,
	  "",
	  1,
	  40,
	  0 },
	{ "nothing is there", { .read = 0, .used = 1 }, -1, "", 0, 0, 0 },
	{ "not even one whole item is there",
	  { .read = 5, .used = 0 },
	  -1,
	  "",
	  0,
	  0,
	  0 },
	{ "the queue is full behind this one",
	  { .read = 50, .used = 40, .sent = 1 },
	  -1,
	  "",
	  0,
	  40,
	  0 },
	{ "the queue did not take it",
	  { .read = 50, .used = 40, .sent = -1 },
	  GRPC_RESOURCE_EXHAUSTED,
	  "queue is full",
	  0,
	  40,
	  0 },
	{ "what was lost is told before",
	  { .read = 50, .used = 40, .lost = 7 },
	  -1,
	  "",
	  1,
	  40,
	  7 },
	{ "the queue did not take that",
	  { .read = 50, .used = 40, .lost = 7, .lost_sent = -1 },
	  GRPC_RESOURCE_EXHAUSTED,
	  "queue is full",
	  0,
	  0,
	  7 },
	{ "the queue is full behind what was lost",
	  { .read = 50, .used = 40, .lost = 7, .lost_sent = 1 },
	  -1,
	  "",
	  1,
	  40,
	  7 },
	{ "the store cannot be read",
	  { .read = -5 },
	  GRPC_INTERNAL,
	  "the stored trace is lost",
	  0,
	  0,
	  0 },
	{ "the store has ended, and all was read",
	  { .read = 0, .ended = true },
	  GRPC_OK,
	  "",
	  0,
	  0,
	  0 },
	{ "the store has ended, and more is there",
	  { .read = 50, .used = 40, .ended = true },
	  -1,
	  "",
	  1,
	  40,
	  0 },
	{ "the last item that is wanted",
	  { .read = 50, .used = 40, .items = 100 },
	  GRPC_OK,
	  "",
	  0,
	  40,
	  0 },
	{ "the one before",
	  { .read = 50, .used = 40, .items = 99 },
	  -1,
	  "",
	  1,
	  40,
	  0 },
};

TEST_ROWS(a_portion_leads_to_what_comes_next, portion_rows)
{
	const struct portion_row *row = &portion_rows[_i];
	struct stream *s = begin(&row->play);

	stream_begin(s, store, true, NULL);
	ck_assert_uint_eq(now.followed, 10);
	ck_assert_uint_eq(now.later, 1);
	now.ops->on_turn(call, now.data);
	ck_assert_msg(now.finished == (row->status >= 0), "%s", row->why);
	ck_assert_msg(now.later == 1 + row->later, "%s", row->why);
	ck_assert_msg(now.consumed == row->consumed, "%s", row->why);
	ck_assert_uint_eq(now.work, row->consumed);
	ck_assert_uint_eq(now.lost_items, row->lost);
	ck_assert_uint_eq(now.lost_told, row->lost != 0);
	ck_assert_uint_ge(now.resumed, 1);
	if (row->status < 0) {
		now.ops->on_cancel(call, now.data);
	} else {
		ck_assert_int_eq(now.status, row->status);
		ck_assert_str_eq(now.text, row->text);
		ck_assert_ptr_null(now.ops);
	}
	check_gone();
}

/* The store keeps it: it would be gone with pmud. */
TEST(what_waits_in_the_queue_is_not_the_clients_yet)
{
	struct stream *s = begin(&(struct played){ .queued = 77 });

	ck_assert_uint_eq(s->reader.unsent(s->reader.data), 77);
	now.ops->on_cancel(call, now.data);
	check_gone();
}

TEST_TIMES(as_many_as_are_wanted_and_no_more, 2)
{
	struct stream *s = begin(&(struct played){ .read = 9, .used = 9 });

	s->left = (uint64_t)_i;
	stream_begin(s, store, true, NULL);
	now.ops->on_turn(call, now.data);
	ck_assert_uint_eq(now.finished, _i == 0);
	if (_i)
		now.ops->on_cancel(call, now.data);
	check_gone();
}

TEST(a_kind_that_tells_no_loss_goes_on)
{
	struct stream *s = begin(
		&(struct played){ .read = 9, .used = 9, .lost = 3, .gone = 2 });

	s->lost = NULL;
	stream_begin(s, store, false, NULL);
	ck_assert_uint_eq(now.followed, 1);
	now.ops->on_turn(call, now.data);
	ck_assert_uint_eq(now.consumed, 9);
	ck_assert_uint_eq(now.lost_told, 0);
	now.ops->on_cancel(call, now.data);
	check_gone();
}

TEST_TIMES(what_is_gone_at_the_beginning_is_told, 2)
{
	struct stream *s = begin(&(struct played){ .gone = (uint64_t)_i });

	stream_begin(s, store, true, NULL);
	ck_assert_uint_eq(now.lost_told, _i != 0);
	ck_assert_uint_eq(now.lost_items, _i);
	now.ops->on_cancel(call, now.data);
}

/* Data that comes while the queue is full changes nothing. */
TEST(a_full_queue_waits_until_it_is_writable)
{
	struct stream *s =
		begin(&(struct played){ .read = 9, .used = 9, .sent = 1 });

	now.ops->on_writable(call, now.data);
	ck_assert_uint_eq(now.later, 0); /* it follows no store yet */
	stream_begin(s, store, true, NULL);
	now.ops->on_turn(call, now.data);
	ck_assert_uint_eq(now.later, 1);
	s->reader.on_data(s->reader.data);
	ck_assert_uint_eq(now.later, 1);
	now.ops->on_writable(call, now.data);
	ck_assert_uint_eq(now.later, 2);
	s->reader.on_data(s->reader.data);
	ck_assert_uint_eq(now.later, 3);
	now.ops->on_cancel(call, now.data);
	check_gone();
}

TEST(a_deleted_machine_ends_its_streams)
{
	struct stream *s = begin(&(struct played){ 0 });

	s->pending_id = 7; /* its process is still asked */
	s->watcher.on_change(&s->watcher);
	ck_assert_uint_eq(now.finished, 0);
	s->watcher.on_deleted(&s->watcher);
	ck_assert_uint_eq(now.finished, 1);
	ck_assert_int_eq(now.status, GRPC_OK);
	ck_assert_uint_eq(now.forgotten, 7);
	check_gone();
}

TEST(a_machine_with_too_many_readers_has_no_more)
{
	now = (struct played){ .admits = false };
	ck_assert_ptr_null(stream_new(call, &machine));
	ck_assert_ptr_null(now.ops);
	ck_assert_uint_eq(now.watched, 0);
}

SUITE("stream");
