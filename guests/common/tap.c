/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Does steps and prints their results. It does not know what an operation is.
 */
#include "tap.h"

#include <stdio.h>

enum profile tap_profile;
unsigned tap_failed;
static unsigned n_results;
static uint32_t skipped[64]; /* bit n: result n is not tried */

static void print_answer(const char *word, long error, uint64_t value)
{
	if (value >> 32)
		printf("# %s %ld 0x%lx%08lx\n", word, error,
		       (unsigned long)(value >> 32),
		       (unsigned long)(value & 0xffffffff));
	else
		printf("# %s %ld 0x%lx\n", word, error, (unsigned long)value);
}

void tap_leave_out(unsigned number)
{
	if (number < 32 * N_OF(skipped))
		skipped[number / 32] |= 1u << number % 32;
}

static bool left_out(unsigned number)
{
	return number < 32 * N_OF(skipped) &&
	       skipped[number / 32] >> number % 32 & 1;
}

static void result(const char *chapter, const struct step *s, struct answer got)
{
	const struct want *w = &s->want[tap_profile];
	uint64_t value = tap_number(w->value);
	bool ok = got.error == w->error && (w->any || got.value == value);

	tap_failed += !ok;
	printf("# shows %s\n%s %u - %s: %s\n", s->rules, ok ? "ok" : "not ok",
	       ++n_results, chapter, s->why);
	print_answer("=", got.error, got.value);
	if (!ok)
		print_answer(w->any ? "wanted, any value:" : "wanted:",
			     w->error, value);
}

static void skip(const char *chapter, const struct step *s)
{
	printf("ok %u - %s: %s # SKIP\n", ++n_results, chapter, s->why);
}

void tap_steps(const char *chapter, const struct step *steps, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		uint64_t a[N_OF(steps->a)];
		struct answer got;

		if (left_out(n_results + 1)) {
			if (steps[i].why)
				skip(chapter, &steps[i]);
			continue;
		}
		for (unsigned k = 0; k < N_OF(a); k++)
			a[k] = tap_number(steps[i].a[k]);
		got = steps[i].op(a);
		if (steps[i].why)
			result(chapter, &steps[i], got);
	}
}

void tap_skip(const char *chapter, const struct step *steps, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (steps[i].why)
			skip(chapter, &steps[i]);
}

void tap_done(void)
{
	printf("1..%u\n", n_results);
}
