/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What was told of them, and what is to be told. What the kernel has of them is
 * for mapped-area.c.
 */
#include "mappings.h"

#include <string.h>

#include <pmu/page.h>

enum {
	AREAS_KEPT = MAPPINGS_SOUGHT, /* of those that a question found */
};

void mappings_begin(struct mappings *k, const struct machine *m)
{
	*k = (struct mappings){ .machine = m };
}

void mappings_forget(struct mappings *k)
{
	mappings_begin(k, k->machine);
}

/* What was told */

/* The places that one may have, what was asked for last first. */
static struct mapping_key *places_of(struct mappings *k,
				     const struct mapping_key *key)
{
	uint64_t n = (key->start >> PMU_PAGE_BITS) + key->pid * UINT64_C(31) +
		     key->session * UINT64_C(127);

	return &k->told[n * MAPPINGS_WAYS % MAPPINGS_TOLD];
}

/* Which of them has it; MAPPINGS_WAYS: none. */
static size_t which(const struct mapping_key *places,
		    const struct mapping_key *key)
{
	size_t i = 0;

	while (i < MAPPINGS_WAYS && memcmp(&places[i], key, sizeof(*key)))
		i++;
	return i;
}

/* What a new one takes the place of in the process's memory holds no more. */
static void forget_what_it_covers(struct mappings *k,
				  const struct mapping_key *key)
{
	for (size_t i = 0; i < MAPPINGS_TOLD; i++) {
		struct mapping_key *other = &k->told[i];

		if (other->session == key->session && other->pid == key->pid &&
		    other->start < key->end && key->start < other->end)
			*other = (struct mapping_key){ 0 };
	}
}

/* False: it is known to have been told already. */
static bool tell(struct mappings *k, const struct mapping_key *key)
{
	struct mapping_key *places = places_of(k, key);
	size_t i = which(places, key);
	bool known = i < MAPPINGS_WAYS;

	if (!known) {
		forget_what_it_covers(k, key);
		i = which(places, &(struct mapping_key){ 0 });
		if (i == MAPPINGS_WAYS)
			i--;
	}
	memmove(places + 1, places, i * sizeof(*places));
	*places = *key;
	return !known;
}

static bool is_described(struct mappings *k)
{
	if (!k->searched) {
		k->searched = true;
		k->described = mapped_kernel_find(&k->kernel, k->machine);
	}
	return k->described;
}

static void count(struct mappings *k)
{
	if (++k->asked < MAPPINGS_ANEW)
		return;
	k->asked = 0;
	memset(k->told, 0, sizeof(k->told));
}

/* The areas that addresses of a question were in last, or what is free. */
struct areas {
	struct {
		uint64_t start, end;
	} area[AREAS_KEPT];
	size_t n; /* ever */
};

static bool has(const struct areas *of, uint64_t pc)
{
	for (size_t i = 0; i < of->n && i < AREAS_KEPT; i++)
		if (pc >= of->area[i].start && pc < of->area[i].end)
			return true;
	return false;
}

static void keep(struct areas *to, const struct mapping_key *key)
{
	size_t i = to->n++ % AREAS_KEPT;

	to->area[i].start = key->start;
	to->area[i].end = key->end;
}

/* A question, and what is known of its answer. */
struct answer {
	struct mappings *k;
	const struct mapping_question *q;
	struct mapped_view view;
	struct areas found;
	struct mapping *ret;
	size_t n;
	unsigned sought;
};

static bool is_full(const struct answer *a)
{
	return a->n == MAPPINGS_AT_ONCE;
}

/* The area that has @pc; it is not looked for again. */
static bool find(struct answer *a, uint64_t pc, struct mapped_area *ret)
{
	bool there;

	*ret = (struct mapped_area){
		.key = { .session = a->q->session, .pid = a->q->pid },
	};
	there = mapped_area_find(&a->view, pc, ret);
	keep(&a->found, &ret->key);
	return there;
}

static void add(struct answer *a, struct mapped_area *area)
{
	if (mapped_area_open(&a->view, area) && tell(a->k, &area->key))
		mapped_area_describe(&a->view, area, &a->ret[a->n++]);
}

static void add_code(struct answer *a, uint64_t pc)
{
	struct mapped_area area;

	if (!is_full(a) && !has(&a->found, pc) && find(a, pc, &area))
		add(a, &area);
}

/* False: no more of them are looked at. */
static bool add_word(struct answer *a, uint64_t word)
{
	struct mapped_area area;

	if (word & 1 || has(&a->found, word)) /* no code begins there */
		return true;
	if (is_full(a) || a->sought++ == MAPPINGS_SOUGHT)
		return false;
	if (find(a, word, &area) && area.executable)
		add(a, &area);
	return true;
}

static void add_words(struct answer *a)
{
	const struct mapping_question *q = a->q;
	size_t size = a->view.kernel->word;
	uint64_t word = 0;
	bool more = true;

	for (size_t i = 0; i < q->n_words && more; i++)
		more = add_word(a, q->word[i]);
	for (size_t at = 0; size <= q->n_stack - at && more; at += size) {
		memcpy(&word, q->stack + at, size);
		more = add_word(a, word);
	}
}

size_t mappings_find(struct mappings *k, const struct mapping_question *q,
		     struct mapping *ret)
{
	struct answer a = {
		.k = k,
		.q = q,
		.view = { .kernel = &k->kernel, .hart = q->hart },
		.ret = ret,
	};

	if (!k->machine || !is_described(k))
		return 0;
	count(k);
	if (!mapped_view_open(&a.view, q->task))
		return 0;
	for (size_t i = 0; i < q->n; i++)
		add_code(&a, q->pc[i]);
	add_words(&a);
	return a.n;
}
