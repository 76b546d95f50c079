/* SPDX-License-Identifier: BSD-2-Clause */
/* cli/gdb/rsp-frame.c: packets among bytes, whole, broken and endless. */
#include "gdb/rsp-frame.h"

#include <string.h>

#include "unit.h"

static struct rsp_reader r;

static void setup(void)
{
	memset(&r, 0xa5, sizeof(r));
	rsp_reader_init(&r);
}

/* What comes of @bytes, a letter each: "p" a packet and so on. */
static const char *events(const char *bytes, size_t len)
{
	static const char letters[] = {
		[RSP_PACKET] = 'p', [RSP_TOO_LONG] = 'l', [RSP_BROKEN] = 'b',
		[RSP_ACK] = '+',    [RSP_NACK] = '-',	  [RSP_INTERRUPT] = 'i',
	};
	static char found[64];
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		enum rsp_event event = rsp_take(&r, (uint8_t)bytes[i]);

		if (event != RSP_NOTHING && n < sizeof(found) - 1)
			found[n++] = letters[event];
	}
	found[n] = '\0';
	return found;
}

static const struct row {
	const char *why, *bytes, *events, *payload;
} rows[] = {
	{ "a packet", "$g#67", "p", "g" },
	{ "digits may be large", "$OK#9A", "p", "OK" },
	{ "an empty one", "$#00", "p", "" },
	{ "its sum is of what is sent", "$a}\3b#43", "p", "a#b" },
	{ "a star from GDB is itself", "$a*b#ed", "p", "a*b" },
	{ "another sum", "$g#68", "b", NULL },
	{ "no digit, first", "$g#g7", "b", NULL },
	{ "no digit, last", "$g#6x", "b", NULL },
	{ "an escape at the end", "$g}#e4", "b", NULL },
	{ "an escape before the end is one of nothing", "$}#7d", "b", NULL },
	{ "a packet in a packet is the one that counts", "$gab$g#67", "p",
	  "g" },
	{ "even where an escape is open", "$}$g#67", "p", "g" },
	{ "a broken one leaves no trace", "$x}#00$g#67", "bp", "g" },
	{ "what stands between means nothing", "abc#12}\n$g#67", "p", "g" },
	{ "acks", "+-++", "+-++", NULL },
	{ "acks around a packet", "+$g#67-", "+p-", NULL },
	{ "an interrupt", "\3$g#67\3", "ipi", NULL },
	{ "an interrupt in a packet is its byte", "$\3#03", "p", "\3" },
	{ "nothing yet", "$g#6", "", NULL },
};

TEST_ROWS(packets_are_found, rows)
{
	const struct row *row = &rows[_i];

	ck_assert_msg(
		!strcmp(events(row->bytes, strlen(row->bytes)), row->events),
		"%s", row->why);
	if (row->payload)
		ck_assert_msg(r.len == strlen(row->payload) &&
				      !strcmp(r.payload, row->payload),
			      "%s", row->why);
}

/* A packet of @len times 'A'. */
static const char *packet_of(size_t len)
{
	static char text[RSP_PACKET_MAX + 64], sum[8];

	text[0] = '$';
	memset(text + 1, 'A', len);
	snprintf(sum, sizeof(sum), "#%02x", (unsigned)(len * 'A' & 0xff));
	strcpy(text + 1 + len, sum);
	return text;
}

static const struct {
	size_t len;
	const char *events;
} lengths[] = {
	{ RSP_PACKET_MAX - 1, "p" },
	{ RSP_PACKET_MAX, "p" },
	{ RSP_PACKET_MAX + 1, "l" },
	{ RSP_PACKET_MAX + 50, "l" },
};

TEST_ROWS(a_packet_has_a_bound, lengths)
{
	const char *text = packet_of(lengths[_i].len);

	ck_assert_str_eq(events(text, strlen(text)), lengths[_i].events);
	ck_assert_uint_le(r.len, RSP_PACKET_MAX);
	ck_assert_str_eq(events("$g#67", 5), "p");
}

/* As GDB reads it: escapes and runs. Returns its length, -1: malformed. */
static int expand(const char *frame, size_t len, char *ret)
{
	unsigned sum = 0, told;
	int n = 0;

	if (len < 4 || frame[0] != '$' || frame[len - 3] != '#' ||
	    sscanf(frame + len - 2, "%2x", &told) != 1)
		return -1;
	for (size_t i = 1; i < len - 3; i++) {
		char c = frame[i];

		if (c == '$' || c == '#' || (c == '*' && !n))
			return -1;
		if (c == '*') {
			int again = frame[++i] - 29;

			if (again < 3 || frame[i] > 126)
				return -1;
			for (; again; again--, n++)
				ret[n] = ret[n - 1];
		} else if (c == '}') {
			ret[n++] = frame[++i] ^ 0x20;
		} else {
			ret[n++] = c;
		}
	}
	for (size_t i = 1; i < len - 3; i++)
		sum += (uint8_t)frame[i];
	return (sum & 0xff) == told ? n : -1;
}

static const struct {
	const char *payload, *frame;
} frames[] = {
	{ "", "$#00" },
	{ "OK", "$OK#9a" },
	{ "a#b", "$a}\3b#43" },
	{ "000", "$000#90" },
	{ "0000", "$0* #7a" },
	/* runs of 7 and 8 would have '#' and '$' as their count */
	{ "0000000", "$0*\"0#ac" },
	{ "00000000", "$0*\"00#dc" },
	{ "000000000", "$0*%#7f" },
	{ "****", "$}\n}\n}\n}\n#1c" },
};

TEST_ROWS(a_frame_is_escaped_and_short, frames)
{
	static char frame[RSP_FRAME_MAX], back[RSP_PACKET_MAX];
	size_t want = strlen(frames[_i].payload), len;

	len = rsp_frame(frames[_i].payload, want, frame);
	ck_assert_uint_eq(len, strlen(frames[_i].frame));
	ck_assert_mem_eq(frame, frames[_i].frame, len);
	ck_assert_int_eq(expand(frame, len, back), (int)want);
	ck_assert_mem_eq(back, frames[_i].payload, want);
}

static uint64_t dice;

static unsigned roll(unsigned n)
{
	dice = dice * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (unsigned)(dice >> 33) % n;
}

TEST_TIMES(every_payload_comes_back, 40)
{
	static char payload[RSP_PACKET_MAX], frame[RSP_FRAME_MAX + 1],
		back[RSP_PACKET_MAX];
	size_t len = _i ? roll(sizeof(payload)) : sizeof(payload), n;

	dice = (uint64_t)_i;
	/* a few values, so that there are runs; of one, all are escaped */
	for (size_t i = 0; i < len; i++)
		payload[i] = _i ? "0}#$*\3xA"[roll(_i % 8 + 1)] : '}';
	frame[RSP_FRAME_MAX] = 'E';
	n = rsp_frame(payload, len, frame);
	ck_assert_uint_le(n, RSP_FRAME_MAX);
	ck_assert_int_eq(frame[RSP_FRAME_MAX], 'E');
	ck_assert_int_eq(expand(frame, n, back), (int)len);
	ck_assert_mem_eq(back, payload, len);
}

/* After any noise, a packet is found, and nothing was written beyond. */
TEST_TIMES(noise_ends_with_the_next_packet, 200)
{
	char noise[700];

	dice = (uint64_t)_i * 77 + 1;
	for (size_t i = 0; i < sizeof(noise); i++)
		noise[i] = roll(2) ? (char)roll(256) : "$#}*+-\3g67"[roll(10)];
	for (size_t i = 0; i < sizeof(noise); i++) {
		rsp_take(&r, (uint8_t)noise[i]);
		ck_assert_uint_le(r.len, RSP_PACKET_MAX);
	}
	events("#00", 3);
	ck_assert_str_eq(events("$g#67", 5), "p");
	ck_assert_str_eq(r.payload, "g");
}

SUITE("rsp-frame", .setup = setup);
