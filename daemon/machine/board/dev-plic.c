/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The platform-level interrupt controller: gateways of the sources, which of
 * them each context is told of, and the registers. What an external interrupt
 * does to a hart is libpmu's.
 */
#include "dev-plic.h"

#include <assert.h>

/* Blocks of registers, by offset. */
enum {
	PENDING = 0x1000,
	ENABLE = 0x2000,
	ENABLE_STRIDE = 0x80,
	CONTEXT = 0x200000,
	CONTEXT_STRIDE = 0x1000
};
/* Registers of a context. */
enum {
	THRESHOLD = 0,
	CLAIM = 4
};

#define BIT(source) (UINT32_C(1) << ((source) % 32))

/* The bits of word @word that belong to sources; source 0 is none. */
static uint32_t sources(unsigned word)
{
	return word ? UINT32_MAX : ~UINT32_C(1);
}

void plic_init(struct plic *p, unsigned n_harts, uint8_t threshold)
{
	_Static_assert(PLIC_SOURCES == 32 * PLIC_WORDS - 1, "whole words");
	assert(n_harts <= PMU_MAX_HARTS && threshold <= PLIC_MAX_PRIORITY);
	*p = (struct plic){ .n_contexts = 2 * n_harts };
	for (unsigned i = 0; i < p->n_contexts; i++)
		p->context[i].threshold = threshold;
}

/*
 * The pending source that @c has enabled and that goes first: by priority, then
 * by its number. 0: none. The threshold does not matter here.
 */
static unsigned first(const struct plic *p, const struct plic_context *c)
{
	unsigned best = 0;

	for (unsigned w = 0; w < PLIC_WORDS; w++) {
		uint32_t left = p->pending[w] & c->enabled[w];

		for (; left; left &= left - 1) {
			unsigned id = 32 * w + (unsigned)__builtin_ctz(left);

			/* Of priority 0 is also the source that there is not.
			 */
			if (p->priority[id] > p->priority[best])
				best = id;
		}
	}
	return best;
}

/* Tells each context whose notification has changed. */
static void tell_contexts(struct plic *p)
{
	for (unsigned i = 0; i < p->n_contexts; i++) {
		struct plic_context *c = &p->context[i];
		bool eip = p->priority[first(p, c)] > c->threshold;

		if (eip == c->notified)
			continue;
		c->notified = eip;
		p->irq(p->host, i / 2, i % 2 ? PMU_IRQ_SEI : PMU_IRQ_MEI, eip);
	}
}

/* The gateway forwards a level once, until its request is completed. */
static void let_in(struct plic *p, unsigned word)
{
	p->pending[word] |= p->level[word] & ~p->claimed[word];
}

void plic_set(struct plic *p, unsigned source, bool level)
{
	unsigned word = source / 32;

	assert(source >= 1 && source <= PLIC_SOURCES);
	if (level)
		p->level[word] |= BIT(source);
	else
		p->level[word] &= ~BIT(source); /* a request is not retracted */
	let_in(p, word);
	tell_contexts(p);
}

static uint32_t claim(struct plic *p, const struct plic_context *c)
{
	unsigned id = first(p, c);

	if (!id)
		return 0;
	p->pending[id / 32] &= ~BIT(id);
	p->claimed[id / 32] |= BIT(id);
	tell_contexts(p);
	return id;
}

/* Only whether the source is enabled matters, not who claimed it. */
static void complete(struct plic *p, const struct plic_context *c, uint32_t id)
{
	if (id > PLIC_SOURCES || !(c->enabled[id / 32] & BIT(id)))
		return;
	p->claimed[id / 32] &= ~BIT(id);
	let_in(p, id / 32);
	tell_contexts(p);
}

/* Registers. What is read is 0 before, and stays so where nothing is. */

static void access_priority(struct plic *p, unsigned id, struct bus_access *a)
{
	if (id < 1 || id > PLIC_SOURCES)
		return;
	if (!a->write) {
		a->value = p->priority[id];
		return;
	}
	p->priority[id] = a->value & PLIC_MAX_PRIORITY;
	tell_contexts(p);
}

static void access_enable(struct plic *p, struct plic_context *c, unsigned word,
			  struct bus_access *a)
{
	if (word >= PLIC_WORDS)
		return;
	if (!a->write) {
		a->value = c->enabled[word];
		return;
	}
	c->enabled[word] = (uint32_t)a->value & sources(word);
	tell_contexts(p);
}

static void access_threshold(struct plic *p, struct plic_context *c,
			     struct bus_access *a)
{
	if (!a->write) {
		a->value = c->threshold;
		return;
	}
	c->threshold = a->value & PLIC_MAX_PRIORITY;
	tell_contexts(p);
}

static void access_context(struct plic *p, uint64_t offset,
			   struct bus_access *a)
{
	uint64_t context = offset / CONTEXT_STRIDE;
	struct plic_context *c;

	if (context >= p->n_contexts)
		return;
	c = &p->context[context];
	switch (offset % CONTEXT_STRIDE) {
	case THRESHOLD:
		access_threshold(p, c, a);
		break;
	case CLAIM:
		if (a->write)
			complete(p, c, (uint32_t)a->value);
		else
			a->value = claim(p, c);
		break;
	default:
		break;
	}
}

/* Every register has 32 bits and is accessed by words. */
bool plic_access(void *dev, struct bus_access *a)
{
	struct plic *p = dev;
	uint64_t word = a->offset % ENABLE_STRIDE / 4, context;

	if (a->size != 4)
		return false;
	if (!a->write)
		a->value = 0;
	if (a->offset < PENDING) {
		access_priority(p, (unsigned)a->offset / 4, a);
	} else if (a->offset < ENABLE) {
		if (!a->write && a->offset < PENDING + 4 * PLIC_WORDS)
			a->value = p->pending[word];
	} else if (a->offset < CONTEXT) {
		context = (a->offset - ENABLE) / ENABLE_STRIDE;
		if (context < p->n_contexts)
			access_enable(p, &p->context[context], (unsigned)word,
				      a);
	} else {
		access_context(p, a->offset - CONTEXT, a);
	}
	return true;
}
