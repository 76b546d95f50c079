/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A packet is $PAYLOAD#NN, NN being the sum of the payload's bytes as they are
 * sent; '}' escapes a byte, '*' repeats the one before it (only towards GDB).
 */
#include "rsp-frame.h"

#include <assert.h>
#include <string.h>

#include "hex-digit.h"

enum {
	INTERRUPT = 0x03,
	ESCAPE = '}',
	ESCAPE_XOR = 0x20,
	RUN = '*',
	/* a count is sent as a printable character: repeats + 29 */
	RUN_BIAS = 29,
	RUN_MIN = 3,
	RUN_MAX = 126 - RUN_BIAS,
};

void rsp_reader_init(struct rsp_reader *r)
{
	r->state = RSP_OUTSIDE;
	r->payload[0] = '\0';
	r->len = 0;
}

static void begin(struct rsp_reader *r)
{
	rsp_reader_init(r);
	r->state = RSP_INSIDE;
	r->sum = r->told = 0;
	r->broken = r->too_long = false;
}

static enum rsp_event outside(struct rsp_reader *r, uint8_t byte)
{
	switch (byte) {
	case '$':
		begin(r);
		return RSP_NOTHING;
	case '+':
		return RSP_ACK;
	case '-':
		return RSP_NACK;
	case INTERRUPT:
		return RSP_INTERRUPT;
	default:
		return RSP_NOTHING;
	}
}

static void add(struct rsp_reader *r, uint8_t byte)
{
	if (r->len < RSP_PACKET_MAX)
		r->payload[r->len++] = (char)byte;
	else
		r->too_long = true;
}

static void inside(struct rsp_reader *r, uint8_t byte)
{
	if (byte == '$') {
		begin(r);
		return;
	}
	if (byte == '#') {
		r->broken |= r->state == RSP_ESCAPED;
		r->state = RSP_FIRST_DIGIT;
		return;
	}
	r->sum = (uint8_t)(r->sum + byte);
	if (r->state == RSP_ESCAPED) {
		r->state = RSP_INSIDE;
		add(r, byte ^ ESCAPE_XOR);
	} else if (byte == ESCAPE) {
		r->state = RSP_ESCAPED;
	} else {
		add(r, byte);
	}
}

static enum rsp_event end(struct rsp_reader *r)
{
	r->state = RSP_OUTSIDE;
	r->payload[r->len] = '\0';
	if (r->broken || r->told != r->sum)
		return RSP_BROKEN;
	return r->too_long ? RSP_TOO_LONG : RSP_PACKET;
}

enum rsp_event rsp_take(struct rsp_reader *r, uint8_t byte)
{
	int digit = hex_digit((char)byte);

	switch (r->state) {
	case RSP_OUTSIDE:
		return outside(r, byte);
	case RSP_INSIDE:
	case RSP_ESCAPED:
		inside(r, byte);
		return RSP_NOTHING;
	case RSP_FIRST_DIGIT:
	case RSP_LAST_DIGIT:
		break;
	}
	r->broken |= digit < 0;
	r->told = (uint8_t)(r->told << 4 | (digit & 0xf));
	if (r->state == RSP_LAST_DIGIT)
		return end(r);
	r->state = RSP_LAST_DIGIT;
	return RSP_NOTHING;
}

static bool is_escaped(char c)
{
	return c == '$' || c == '#' || c == ESCAPE || c == RUN;
}

/* How often payload[0] is repeated after it, at most RUN_MAX times. */
static size_t repeats(const char *payload, size_t len)
{
	size_t n = 0;

	while (n < RUN_MAX && n + 1 < len && payload[n + 1] == payload[0])
		n++;
	/* its count would be '#' or '$' */
	while (n && is_escaped((char)(n + RUN_BIAS)))
		n--;
	return n;
}

static char *put(char *at, char byte, uint8_t *sum)
{
	*sum = (uint8_t)(*sum + (uint8_t)byte);
	*at = byte;
	return at + 1;
}

size_t rsp_frame(const char *payload, size_t len, char *ret)
{
	static const char digits[] = "0123456789abcdef";
	char *at = ret;
	uint8_t sum = 0;

	assert(len <= RSP_PACKET_MAX);
	*at++ = '$';
	for (size_t i = 0; i < len; i++) {
		size_t n = repeats(payload + i, len - i);

		if (is_escaped(payload[i])) {
			at = put(at, ESCAPE, &sum);
			at = put(at, payload[i] ^ ESCAPE_XOR, &sum);
			continue;
		}
		at = put(at, payload[i], &sum);
		if (n < RUN_MIN)
			continue;
		at = put(at, RUN, &sum);
		at = put(at, (char)(n + RUN_BIAS), &sum);
		i += n;
	}
	*at++ = '#';
	*at++ = digits[sum >> 4];
	*at++ = digits[sum & 0xf];
	return (size_t)(at - ret);
}
