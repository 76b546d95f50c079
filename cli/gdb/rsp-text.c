/* SPDX-License-Identifier: BSD-2-Clause */
/* Parsing of what a peer sent, which may be anything. */
#include "rsp-text.h"

#include <string.h>

#include "hex-digit.h"

bool rsp_word(struct rsp_text *t, const char *word)
{
	size_t len = strlen(word);

	if ((size_t)(t->end - t->at) < len || memcmp(t->at, word, len) != 0)
		return false;
	t->at += len;
	return true;
}

struct rsp_text rsp_until(struct rsp_text *t, char stop)
{
	struct rsp_text part = { t->at, t->end };
	const char *found =
		rsp_done(t) ? NULL
			    : memchr(t->at, stop, (size_t)(t->end - t->at));

	if (found)
		part.end = found;
	t->at = found ? found + 1 : t->end;
	return part;
}

bool rsp_number(struct rsp_text *t, uint64_t *ret)
{
	const char *at = t->at;
	uint64_t value = 0;

	for (; at < t->end && hex_digit(*at) >= 0; at++) {
		if (value >> 60)
			return false;
		value = value << 4 | (uint64_t)hex_digit(*at);
	}
	if (at == t->at)
		return false;
	t->at = at;
	*ret = value;
	return true;
}

bool rsp_pair(struct rsp_text *t, uint64_t *ret_a, uint64_t *ret_b)
{
	struct rsp_text rest = *t;
	uint64_t a, b;

	if (!rsp_number(&rest, &a) || !rsp_word(&rest, ",") ||
	    !rsp_number(&rest, &b))
		return false;
	*t = rest;
	*ret_a = a;
	*ret_b = b;
	return true;
}

bool rsp_bytes(struct rsp_text *t, void *ret, size_t len)
{
	uint8_t *bytes = ret;

	if ((size_t)(t->end - t->at) / 2 < len)
		return false;
	for (size_t i = 0; i < 2 * len; i++)
		if (hex_digit(t->at[i]) < 0)
			return false;
	for (size_t i = 0; i < len; i++)
		bytes[i] = (uint8_t)((unsigned)hex_digit(t->at[2 * i]) << 4 |
				     (unsigned)hex_digit(t->at[2 * i + 1]));
	t->at += 2 * len;
	return true;
}

bool rsp_value(struct rsp_text *t, size_t len, uint64_t *ret)
{
	uint8_t bytes[8];
	uint64_t value = 0;

	if (!len || len > sizeof(bytes) || !rsp_bytes(t, bytes, len))
		return false;
	while (len--)
		value = value << 8 | bytes[len];
	*ret = value;
	return true;
}

char *rsp_put_bytes(char *at, const void *bytes, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	const uint8_t *byte = bytes;

	for (size_t i = 0; i < len; i++) {
		*at++ = digits[byte[i] >> 4];
		*at++ = digits[byte[i] & 0xf];
	}
	return at;
}

char *rsp_put_value(char *at, uint64_t value, size_t len)
{
	for (; len; len--, value >>= 8) {
		uint8_t byte = (uint8_t)value;

		at = rsp_put_bytes(at, &byte, 1);
	}
	return at;
}

static bool one_thread(struct rsp_text *t, int64_t *ret)
{
	uint64_t n;

	if (rsp_word(t, "-1")) {
		*ret = RSP_ALL;
		return true;
	}
	if (!rsp_number(t, &n) || n > INT32_MAX)
		return false;
	*ret = (int64_t)n;
	return true;
}

bool rsp_thread(struct rsp_text *t, int64_t *ret)
{
	struct rsp_text rest = *t;
	int64_t process, thread = RSP_ALL;
	bool good;

	if (!rsp_word(&rest, "p"))
		good = one_thread(&rest, &thread);
	else
		good = one_thread(&rest, &process) &&
		       (!rsp_word(&rest, ".") || one_thread(&rest, &thread));
	if (!good)
		return false;
	*t = rest;
	*ret = thread;
	return true;
}

/* One action: a letter, what belongs to it, and whose it is. */
struct action {
	char kind; /* 'c', 's', 'r', 't' */
	uint64_t lo, hi;
	int64_t thread;
};

static bool take_action(struct rsp_text *t, struct action *a)
{
	uint64_t signal;

	*a = (struct action){ .thread = RSP_ALL };
	if (!rsp_word(t, ";") || rsp_done(t))
		return false;
	a->kind = *t->at++;
	switch (a->kind) {
	case 'c':
	case 's':
	case 't':
		break;
	case 'C': /* there are no signals for a hart */
	case 'S':
		a->kind = a->kind == 'C' ? 'c' : 's';
		if (!rsp_number(t, &signal))
			return false;
		break;
	case 'r':
		if (!rsp_pair(t, &a->lo, &a->hi))
			return false;
		break;
	default:
		return false;
	}
	return !rsp_word(t, ":") || rsp_thread(t, &a->thread);
}

/* How many of @n threads an action is for that stands behind others. */
static void apply(const struct action *a, int64_t n, struct rsp_resume *r,
		  int64_t *named, bool *steps)
{
	bool one = a->thread != RSP_ALL && a->thread != RSP_ANY;
	bool left = one || *named < n;

	if (one)
		++*named;
	if (!left || a->kind == 't')
		return;
	r->stop = false;
	if (a->kind == 'c' || *steps) {
		r->others = true;
		return;
	}
	*steps = true;
	r->step = one ? a->thread : RSP_ALL;
	r->lo = a->lo;
	r->hi = a->hi;
	/* all step: one does, and the others go on */
	r->others |= !one && n - *named > 1;
}

bool rsp_resume(struct rsp_text *t, int64_t n, struct rsp_resume *ret)
{
	struct rsp_resume r = { .step = RSP_ANY, .stop = true };
	struct action a;
	int64_t named = 0;
	bool steps = false;

	if (rsp_done(t))
		return false;
	while (!rsp_done(t)) {
		if (!take_action(t, &a))
			return false;
		apply(&a, n, &r, &named, &steps);
	}
	*ret = r;
	return true;
}
