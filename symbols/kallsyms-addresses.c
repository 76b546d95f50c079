/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * There is a word of 32 bits for each symbol, ascending by address. Which word
 * it is, the first one tells, as that is the kernel's first byte:
 *
 *   0           Linux 6.12: what the address is above a base, a pointer behind
 *               all words. The build takes the lowest address for that.
 *   -n          Linux 7.0: where the symbol is, from this very word on, which
 *               is n bytes behind the first.
 *   an address  Linux 7.0 of 32 bits that cannot be moved: itself. It is in the
 *               upper half; as -n it would be before the memory.
 *
 * From 7.0 on nothing in the tables says at which address they lie. But the
 * kernel's data does: the head of a list that is empty points to itself, twice,
 * and hundreds of them are there before the kernel runs, unless it can be moved
 * and has not yet done so. Where most of them say that they are, it is.
 */
#include "kallsyms-addresses.h"

enum {
	PAGE = 4096,
	HEADS_MIN = 8, /* that agree: fewer may be anything */
};

#define NEITHER                                                                \
	"the Linux kernel in the guest's memory has a table of its symbols "   \
	"(kallsyms), but addresses neither as Linux 6.12 nor as Linux 7.0 "    \
	"has them"
#define NOWHERE                                                                \
	"the Linux kernel in the guest's memory has a table of its symbols "   \
	"(kallsyms), but nothing there tells at which address it runs; it "    \
	"may not have begun"

static uint64_t top(const struct kallsyms_memory *m)
{
	return m->pointer == 8 ? UINT64_MAX : UINT32_MAX;
}

static uint32_t word(const struct kallsyms_memory *m,
		     const struct kallsyms_addresses *a, size_t i)
{
	return kallsyms_word(m, a->at + 4 * i);
}

/* What is added to the base: ascending, as a number or from its own place. */
static int64_t above(const struct kallsyms_memory *m,
		     const struct kallsyms_addresses *a, size_t i)
{
	if (a->placed)
		return (int64_t)(a->at + 4 * i) + (int32_t)word(m, a, i);
	return word(m, a, i);
}

uint64_t kallsyms_address(const struct kallsyms_memory *m,
			  const struct kallsyms_addresses *a, size_t i)
{
	return a->base + (uint64_t)above(m, a, i);
}

static bool ascends(const struct kallsyms_memory *m,
		    const struct kallsyms_addresses *a)
{
	for (size_t i = 1; i < a->n; i++)
		if (above(m, a, i) < above(m, a, i - 1))
			return false;
	return true;
}

/* From the first symbol, which is not before the base, to the last. */
static bool reaches(const struct kallsyms_memory *m,
		    const struct kallsyms_addresses *a)
{
	return (uint64_t)above(m, a, a->n - 1) <= top(m) - a->base;
}

/* Linux 6.12 */

static bool read_base(const struct kallsyms_memory *m,
		      struct kallsyms_addresses *a)
{
	size_t at = kallsyms_align(a->at + 4 * a->n, m->pointer);

	if (!kallsyms_fits(m, at, m->pointer))
		return false;
	a->base = kallsyms_read(m, at, m->pointer);
	return a->base && reaches(m, a);
}

/* Linux 7.0 */

/* What is to be added to @at for the address that is there, twice: pages. */
static bool points_to_itself(const struct kallsyms_memory *m, size_t at,
			     uint64_t *ret)
{
	uint64_t next = kallsyms_read(m, at, m->pointer);

	*ret = next - at;
	return next > at && *ret % PAGE == 0 &&
	       kallsyms_read(m, at + m->pointer, m->pointer) == next;
}

/*
 * What most heads of empty lists from @at to @end say. Whoever has more than
 * half of the votes is left over if each other one takes one of his away.
 */
static bool find_base(const struct kallsyms_memory *m, size_t at, size_t end,
		      uint64_t *ret)
{
	uint64_t base = 0, other;
	size_t votes = 0;

	for (at = kallsyms_align(at, m->pointer);
	     at < end && end - at >= 2 * m->pointer; at += m->pointer) {
		if (!points_to_itself(m, at, &other))
			continue;
		if (!votes)
			base = other;
		if (other == base)
			votes++;
		else
			votes--;
	}
	*ret = base;
	return votes >= HEADS_MIN;
}

static bool find_place(struct kallsyms_memory *m, struct kallsyms_addresses *a)
{
	size_t first = (size_t)above(m, a, 0);
	uint64_t last = (uint64_t)above(m, a, a->n - 1);
	size_t end = last < m->size ? (size_t)last : m->size;

	return kallsyms_work(m, (end - first) / m->pointer) &&
	       find_base(m, first, end, &a->base) && reaches(m, a);
}

/* The whole */

/* What the addresses lack; NULL: nothing. */
static const char *lacks(struct kallsyms_memory *m, size_t align,
			 struct kallsyms_addresses *a)
{
	int32_t first;

	if (!kallsyms_fits(m, a->at, 4 * a->n))
		return NEITHER;
	first = (int32_t)word(m, a, 0);
	a->base = 0;
	a->placed = first < 0 && -(int64_t)first <= (int64_t)a->at;
	if (!ascends(m, a))
		return NEITHER;
	if (!first)
		return align == m->pointer && read_base(m, a) ? NULL : NEITHER;
	if (!a->placed)
		return first < 0 && m->pointer == 4 ? NULL : NEITHER;
	return find_place(m, a) ? NULL : NOWHERE;
}

bool kallsyms_find_addresses(struct kallsyms_memory *m, size_t align,
			     struct kallsyms_addresses *ret,
			     const char **ret_why)
{
	const char *why = lacks(m, align, ret);

	if (why)
		*ret_why = why;
	return !why;
}
