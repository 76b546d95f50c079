/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Cachegrind's simulator, a file of valgrind's source package, shown accesses
 * as record-accesses writes them: cachegrind-feed I1 D1 LL, each
 * SIZE,WAYS,LINE. What it says happened is printed in the same words. It is
 * compiled by the test alone, with that file, which scripts/setup-cachegrind
 * fetches.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* What the file uses of valgrind. */
typedef int Int;
typedef unsigned UInt;
typedef char HChar;
typedef unsigned char UChar;
typedef unsigned long UWord, Addr;
typedef unsigned long long ULong;
typedef bool Bool;
#define True	  true
#define False	  false
#define VG_(name) vg_##name

typedef struct {
	Int size, assoc, line_size;
} cache_t;

static Int vg_log2(UInt x)
{
	return x ? 31 - __builtin_clz(x) : -1;
}

static void *vg_malloc(const HChar *what, size_t size)
{
	(void)what;
	return malloc(size);
}

#define vg_sprintf sprintf
#define vg_printf  printf

static void vg_tool_panic(const HChar *why)
{
	fprintf(stderr, "%s\n", why);
	exit(1);
}

#include "cg_sim.c"

/* Accesses, those that the first level has not, nor the last. */
struct count {
	ULong n, m1, ml;
};

static void read_cache(const char *text, cache_t *ret)
{
	if (sscanf(text, "%d,%d,%d", &ret->size, &ret->assoc,
		   &ret->line_size) != 3)
		exit(2);
}

static void print(const char *name, ULong n)
{
	printf("%s %llu\n", name, n);
}

static void print_all(const struct count *i, const struct count *l,
		      const struct count *s)
{
	print("I1-misses", i->m1);
	print("D1-loads", l->n);
	print("D1-load-misses", l->m1);
	print("D1-stores", s->n);
	print("D1-store-misses", s->m1);
	print("LL-loads", i->m1 + l->m1);
	print("LL-load-misses", i->ml + l->ml);
	print("LL-stores", s->m1);
	print("LL-store-misses", s->ml);
	print("LL-hits", i->m1 + l->m1 + s->m1 - i->ml - l->ml - s->ml);
	print("LL-misses", i->ml + l->ml + s->ml);
}

int main(int argc, char **argv)
{
	struct count fetches = { 0 }, loads = { 0 }, stores = { 0 };
	cache_t i1, d1, ll;
	unsigned size;
	Addr at;
	char kind;

	if (argc != 4)
		return 2;
	read_cache(argv[1], &i1);
	read_cache(argv[2], &d1);
	read_cache(argv[3], &ll);
	cachesim_initcaches(i1, d1, ll);
	while (scanf(" %c %lx %x", &kind, &at, &size) == 3) {
		struct count *c = kind == 'I'	? &fetches
				  : kind == 'L' ? &loads
						: &stores;

		c->n++;
		if (kind == 'I')
			cachesim_I1_doref_Gen(at, (UChar)size, &c->m1, &c->ml);
		else
			cachesim_D1_doref(at, (UChar)size, &c->m1, &c->ml);
	}
	print_all(&fetches, &loads, &stores);
	return 0;
}
