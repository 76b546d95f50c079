/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Mutated HTTP/2 sessions against the RPC server: the program mutates recorded
 * ones, by default the same in every run; fuzz-rpc DIRECTORY writes the
 * recorded ones there, as a corpus for others. What must hold: no report of a
 * sanitizer, every call has one end, every byte that was charged to a user is
 * given back, and the server serves on.
 */
#include "unit.h"

#include <string.h>
#include <sys/mman.h>

#include "fuzz-rpc.h"
#include "rpc-peer.h"
#include "rpc-service.h"
#include "seeds.h"

enum {
	SESSIONS = 20000,
	MAX_LEN = 16384,
	MUTATIONS = 6,
	PREFACE = 24, /* bytes before the first frame */
};

struct session {
	uint8_t bytes[MAX_LEN];
	size_t len;
};

static uint64_t state;

/* A number below @n. */
static size_t below(size_t n)
{
	return n ? (size_t)(fuzz_random(&state) % n) : 0;
}

static void record(struct session *s, struct peer *peer)
{
	peer_run(peer);
	s->len = buf_len(&peer->sent);
	MUST(s->len <= MAX_LEN);
	memcpy(s->bytes, buf_head(&peer->sent), s->len);
	peer_close(peer);
	loop_run(service.loop);
}

static const struct seed_row {
	const char *path, *timeout, *encoding;
	const char *body;
	size_t len;
	bool more;
} seed_rows[] = {
	{ "/test.Test/Unary", NULL, NULL, "\0\0\0\0\6\x0a\4echo", 11, false },
	{ "/test.Test/Unary", "1H", NULL, "\0\0\0\0\6\x0a\4hold", 11, false },
	{ "/test.Test/Unary", "1n", NULL, "\0\0\0\0\6\x0a\4hold", 11, false },
	{ "/test.Test/Up", NULL, NULL, "\0\0\0\0\3\x12\1x\0\0\0\0\3\x12\1y", 16,
	  false },
	{ "/test.Test/Up", NULL, NULL, "\0\0\0\0\3\x12\1x\0\0\0\0", 12, true },
	{ "/test.Test/Down", NULL, NULL, "\0\0\0\0\0", 5, false },
	{ "/test.Test/Both", NULL, "identity", "\0\0\0\0\2\x18\1", 7, true },
	{ "/grpc.health.v1.Health/Watch", NULL, NULL, "\0\0\0\0\0", 5, false },
	{ "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", NULL,
	  NULL, "\0\0\0\0\2\x3a\0", 7, true },
};

static void start_row(struct peer *peer, const struct seed_row *row)
{
	peer_start(peer, &(struct peer_request){ .path = row->path,
						 .timeout = row->timeout,
						 .encoding = row->encoding,
						 .body = row->body,
						 .len = row->len,
						 .more = row->more });
}

/* Each row alone, then all of them on one connection. */
static void record_seeds(struct session *seeds)
{
	struct peer peer;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(seed_rows); i++) {
		peer_open(&peer, service.server, service.loop, 1 << 16);
		start_row(&peer, &seed_rows[i]);
		record(&seeds[i], &peer);
	}
	peer_open(&peer, service.server, service.loop, 50);
	for (i = 0; i < ARRAY_SIZE(seed_rows); i++) {
		start_row(&peer, &seed_rows[i]);
		peer_run(&peer);
	}
	peer_reset(peer.calls);
	record(&seeds[i], &peer);
}

/* Where one of the frames begins, as far as the lengths are still right. */
static size_t a_frame(const struct session *s)
{
	size_t at = PREFACE, pick = below(12);

	while (pick-- && at + 9 < s->len) {
		size_t n = (size_t)s->bytes[at] << 16 |
			   (size_t)s->bytes[at + 1] << 8 | s->bytes[at + 2];

		if (at + 9 + n + 9 > s->len)
			break;
		at += 9 + n;
	}
	return at + 9 < s->len ? at : 0;
}

static void cut_out(struct session *s, size_t at, size_t n)
{
	memmove(s->bytes + at, s->bytes + at + n, s->len - at - n);
	s->len -= n;
}

static void double_up(struct session *s, size_t at, size_t n)
{
	if (s->len + n > MAX_LEN)
		return;
	memmove(s->bytes + at + n, s->bytes + at, s->len - at);
	s->len += n;
}

static void mutate(struct session *s)
{
	size_t at = below(s->len), n = below(s->len - at);

	switch (below(8)) {
	case 0:
		s->bytes[at] ^= (uint8_t)(1u << below(8));
		break;
	case 1:
		s->bytes[at] = (uint8_t)below(256);
		break;
	case 2: /* length, type, flags or stream of a frame */
		s->bytes[(a_frame(s) + below(9)) % s->len] = (uint8_t)below(16);
		break;
	case 3:
		s->bytes[(a_frame(s) + 3) % s->len] = (uint8_t)below(12);
		break;
	case 4:
		s->bytes[(a_frame(s) + 4) % s->len] ^= (uint8_t)below(64);
		break;
	case 5:
		double_up(s, at, n);
		break;
	case 6:
		cut_out(s, at, n % 64);
		break;
	default:
		s->len -= n / 4;
		break;
	}
}

static struct session seeds[ARRAY_SIZE(seed_rows) + 1], work;
static int *last; /* seed, told by the process that outlives the tests */

TEST(mutated_sessions_harm_nothing)
{
	service_start(NULL);
	record_seeds(seeds);
	for (int n = fuzz_first(); n < fuzz_end(SESSIONS); n++) {
		*last = n;
		state = fuzz_seed((unsigned)n);
		work = seeds[below(ARRAY_SIZE(seeds))];
		for (size_t i = 1 + below(MUTATIONS); i && work.len; i--)
			mutate(&work);
		LLVMFuzzerTestOneInput(work.bytes, work.len);
		MUST(service.opened == service.closed);
	}
	/* some of them were still good enough to reach the handlers */
	ck_assert_uint_gt(service.begun,
			  (unsigned)(fuzz_end(SESSIONS) - fuzz_first()) / 10);
	service_stop(); /* asserts that all was given back */
	*last = -1;
}

TEST(the_seeds_themselves_reach_their_handlers)
{
	service_start(NULL);
	record_seeds(seeds);
	for (size_t i = 0; i < ARRAY_SIZE(seeds); i++)
		LLVMFuzzerTestOneInput(seeds[i].bytes, seeds[i].len);
	ck_assert_uint_ge(service.begun, 4 * 7);
	service_stop();
}

static void write_seeds(const char *dir)
{
	char name[4096];
	FILE *f;

	service_start(NULL);
	record_seeds(seeds);
	for (size_t i = 0; i < ARRAY_SIZE(seeds); i++) {
		snprintf(name, sizeof(name), "%s/session-%02zu", dir, i);
		f = fopen(name, "wb");
		if (!f || fwrite(seeds[i].bytes, seeds[i].len, 1, f) != 1 ||
		    fclose(f)) {
			perror(name);
			exit(EXIT_FAILURE);
		}
	}
	service_stop();
	exit(EXIT_SUCCESS);
}

static void begin(int argc, char **argv)
{
	if (argc > 1)
		write_seeds(argv[1]);
	last = mmap(NULL, sizeof(*last), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	MUST(last != MAP_FAILED);
	*last = -1;
}

static void end(void)
{
	if (*last >= 0)
		printf("# the last session was seed %d\n", *last);
}

SUITE("fuzz-rpc", .timeout = 60, .begin = begin, .end = end);
