/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sites: which blocks count by themselves. A site has a block's record of its
 * own and lives as long as its translation may; it gives its bytes back if they
 * are still its own, so that a translation which outlives it calls the hook.
 */
#include "../adapter.h"

#include <stdlib.h>
#include <string.h>

#include "../zero-pages.h"
#include "hook-call.h"
#include "fast.h"

enum {
	MAX_SITES = 3 << 15, /* 30 MiB when all are in use */
	BUCKETS = 1 << 10,   /* of pages */
	AHEAD = 16,	     /* bytes are fetched for the host's cache */
};

struct site {
	struct block b;
	uint8_t was[CODE_SITE_MAX];
	uint32_t next; /* of its bucket, or of those free; 0: none */
};

/* What was written for it, close together: ENGINE_CHECK looks at all. */
struct written {
	uint8_t *at; /* NULL: the site is free */
	uint8_t len;
	uint8_t is[CODE_SITE_MAX];
};

struct fast {
	struct slot *s;
	fast_look_fn *look;
	struct site *sites;	 /* from 1 on */
	struct written *written; /* by the same numbers */
	uint32_t used;		 /* of these, the free ones included */
	uint32_t free;		 /* the first one free, 0: none */
	uint32_t n;
	uint32_t buckets[BUCKETS];
};

#if defined(__x86_64__) && PMU_MORE_ENGINE_EVENTS == 0

/* Both are found by their names, in this file only. */
static uint8_t *fast_slow(uint8_t *ret) __attribute__((used));
__attribute__((visibility("hidden"))) void fast_thunk(void);

_Static_assert(offsetof(struct slot, spare) ==
			       offsetof(struct slot, left) + 8 &&
		       offsetof(struct slot, current) ==
			       offsetof(struct slot, left) + 16,
	       "as the assembly below has it");

/*
 * The way from a site to fast_slow(), which may move where it returns to. Near
 * the limit of a rare event it is taken by each block, so slot_not_yet() is
 * here as well: it goes back at once as long as no lane ends, and unless all of
 * them have 64 left, for which the countdown is worth starting again.
 */
__asm__(".text\n"
	".type fast_thunk, @function\n"
	"fast_thunk:\n"
	"	mov (%rsp), %rdi\n"
	"	movslq -24(%rdi), %rdx\n" /* code_left() */
	"	lea -20(%rdi,%rdx), %rdx\n"
	"	mov 8(%rdx), %rax\n" /* slot.spare */
	"	test %rax, %rax\n"
	"	je 1f\n"
	"	shl $48, %rax\n"
	"	add (%rdx), %rax\n"
	"	movabs $0x8000800080008000, %r8\n"
	"	test %r8, %rax\n"
	"	jne 1f\n"
	"	movabs $0x0040004000400040, %r9\n"
	"	sub %r9, %rax\n"
	"	test %r8, %rax\n"
	"	je 1f\n"
	"	mov -12(%rdi), %eax\n" /* code_number() */
	"	mov %eax, 16(%rdx)\n"  /* slot.current */
	"	ret\n"
	"1:	sub $8, %rsp\n"
	"	call fast_slow\n"
	"	add $8, %rsp\n"
	"	test %rax, %rax\n"
	"	je 2f\n"
	"	mov %rax, (%rsp)\n"
	"2:	ret\n"
	".size fast_thunk, . - fast_thunk\n");

static struct slot *slot_of(uint64_t *left)
{
	return (struct slot *)(void *)((char *)left -
				       offsetof(struct slot, left));
}

/* Where to go on, or NULL: at @ret, as the rest of the site does nothing. */
static uint8_t *fast_slow(uint8_t *ret)
{
	struct slot *s = slot_of(code_left(ret));
	uint32_t current = code_number(ret);
	struct site *site = &s->fast->sites[current & ~FAST_SITE];
	struct written *w = &s->fast->written[current & ~FAST_SITE];

	lanes_give(&s->left, &site->b.counts);
	if (s->fast->look(s, &site->b, current))
		return NULL;
	return code_stop(site->was, w->len, w->at + w->len);
}

static void *thunk(void)
{
	void (*function)(void) = fast_thunk;
	void *object;

	memcpy(&object, &function, sizeof(object));
	return object;
}

#else

static void *thunk(void)
{
	return NULL;
}

#endif

struct fast *fast_new(struct slot *s, fast_look_fn *look)
{
	struct fast *f;

	if (thunk() == NULL)
		return NULL;
	f = calloc(1, sizeof(*f));
	if (f == NULL)
		return NULL;
	f->sites = zero_pages_new(MAX_SITES * sizeof(*f->sites));
	f->written = zero_pages_new(MAX_SITES * sizeof(*f->written));
	if (f->sites == NULL || f->written == NULL) {
		fast_free(f);
		return NULL;
	}
	f->s = s;
	f->look = look;
	s->slow = thunk();
	fast_forget(f);
	return f;
}

void fast_free(struct fast *f)
{
	if (f == NULL)
		return;
	zero_pages_free(f->written, MAX_SITES * sizeof(*f->written));
	zero_pages_free(f->sites, MAX_SITES * sizeof(*f->sites));
	free(f);
}

const struct block *fast_block(const struct fast *f, uint32_t n)
{
	return &f->sites[n].b;
}

uint32_t fast_sites(const struct fast *f)
{
	return f == NULL ? 0 : f->n;
}

static uint32_t *bucket(struct fast *f, const struct page *page)
{
	return &f->buckets[(uintptr_t)page / sizeof(*page) % BUCKETS];
}

/* The number of a free site, or 0. */
static uint32_t site_number(const struct fast *f)
{
	if (f->s->e->cfg.spoil == FAST_SPOIL_FULL)
		return 0;
	if (f->free != 0)
		return f->free;
	return f->used == MAX_SITES ? 0 : f->used;
}

static void site_keep(struct fast *f, uint32_t n)
{
	struct site *site = &f->sites[n];
	uint32_t *head = bucket(f, site->b.page[0]);

	if (n == f->free)
		f->free = site->next;
	else
		f->used++;
	site->next = *head;
	*head = n;
	f->n++;
}

static void spoil(enum fast_spoil how, struct code_call *call,
		  struct code_count *count)
{
	static const uint8_t other[16];

	switch (how) {
	case FAST_SPOIL_ARGS:
		call->args[2]++;
		break;
	case FAST_SPOIL_CHECK:
		call->ret = other;
		break;
	case FAST_SPOIL_REACH:
		count->left = NULL;
		break;
	case FAST_AS_IT_IS:
	case FAST_SPOIL_FULL:
	case FAST_SPOIL_LATER:
	case FAST_SPOIL_X:
	case FAST_SPOIL_PC:
	case FAST_SPOIL_WORDS:
	case FAST_SPOIL_SOURCE:
	case FAST_SPOIL_OUT:
	case FAST_SPOIL_PAGE:
	case FAST_SPOIL_CLEAN:
	case FAST_SPOIL_SPACE:
		break;
	}
}

/* The last byte, which is jumped over. */
static void spoil_later(const struct engine *e, struct written *w)
{
	bool guest = e->ram[0].base != e->scratch_base;

	if (e->cfg.spoil == FAST_SPOIL_LATER && guest)
		w->at[w->len - 1] ^= 1;
}

bool fast_take(struct slot *s, const struct block *b, uint32_t size,
	       uint8_t *ret)
{
	struct fast *f = s->fast;
	uint32_t n = site_number(f);
	struct site *site = &f->sites[n];
	struct written *w = &f->written[n];
	struct code_call call = {
		.args = { (uint64_t)(uintptr_t)s->uc, b->addr, size,
			  (uint64_t)(uintptr_t)s },
		.ret = ret,
	};
	struct code_count count = {
		.counts = b->counts.word[0],
		.left = &s->left.word[0],
		.number = FAST_SITE | n,
		.current = &s->current,
		.slow = &s->slow,
	};
	uint8_t *at, len;

	if (n == 0)
		return false;
	spoil(s->e->cfg.spoil, &call, &count);
	at = code_find(&call, &len);
	if (at == NULL || !code_compose(w->is, at, len, &count, call.ret))
		return false;
	site->b = *b;
	w->at = at;
	w->len = len;
	memcpy(site->was, at, len);
	memcpy(at, w->is, len);
	site_keep(f, n);
	spoil_later(s->e, w);
	return true;
}

static uint64_t differ(const uint8_t *a, const uint8_t *b)
{
	uint64_t x, y;

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return x ^ y;
}

/*
 * The first 32 bytes and the last 24, which may overlap: without a branch, as
 * the caller has very many of them.
 */
static bool intact(const struct written *w)
{
	uint64_t any = 0;

	_Static_assert(CODE_SITE_MIN >= 32 && CODE_SITE_MAX <= 32 + 24,
		       "all bytes are looked at, and no other");
	for (int i = 0; i < 32; i += 8)
		any |= differ(w->at + i, w->is + i);
	for (int i = w->len - 24; i < w->len; i += 8)
		any |= differ(w->at + i, w->is + i);
	return any == 0;
}

static void undo(struct fast *f, uint32_t n)
{
	struct written *w = &f->written[n];

	if (intact(w))
		memcpy(w->at, f->sites[n].was, w->len);
	w->at = NULL;
}

void fast_forget(struct fast *f)
{
	if (f == NULL)
		return;
	memset(f->buckets, 0, sizeof(f->buckets));
	for (uint32_t i = 1; i < f->used; i++)
		f->written[i].at = NULL;
	f->used = 1;
	f->free = 0;
	f->n = 0;
}

void fast_undo(struct fast *f)
{
	for (uint32_t i = 1; f != NULL && i < f->used; i++)
		if (f->written[i].at != NULL)
			undo(f, i);
	fast_forget(f);
}

void fast_undo_page(struct fast *f, const struct page *page)
{
	uint32_t *link = f == NULL ? NULL : bucket(f, page);

	while (link != NULL && *link != 0) {
		uint32_t n = *link;
		struct site *site = &f->sites[n];

		if (site->b.page[0] != page) {
			link = &site->next;
			continue;
		}
		undo(f, n);
		*link = site->next;
		site->next = f->free;
		f->free = n;
		f->n--;
	}
}

bool fast_intact(const struct fast *f)
{
	for (uint32_t i = 1; f != NULL && i < f->used; i++) {
		const struct written *w = &f->written[i];

		if (i + AHEAD < f->used && w[AHEAD].at != NULL) {
			__builtin_prefetch(w[AHEAD].at);
			__builtin_prefetch(w[AHEAD].at + CODE_SITE_MIN);
		}
		if (w->at != NULL && !intact(w))
			return false;
	}
	return true;
}
