/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How an engine is made: settings out of range, memory that is short, and the
 * end of it.
 */
#include <malloc.h>
#include <string.h>
#include <sys/mman.h>

#include <unicorn/unicorn.h>

#include "../unit/unit.h"
#include "engine/engine-feed.h"
#include "engine/unicorn/adapter.h"

enum {
	LIVES = 4,
	UNICORN_KEEPS = 1024, /* bytes of each engine, at most */
};

#define RAM	 UINT64_C(0x80000000)
#define RAM_SIZE (UINT64_C(64) << 20)

static const struct config_row {
	const char *why;
	struct engine_config cfg;
} config_rows[] = {
	{ "XLEN 128", { .xlen = 128, .engines = 2 } },
	{ "three engines", { .xlen = 64, .engines = 3 } },
	{ "a mode too many",
	  { .xlen = 64, .engines = 1, .mode = ENGINE_CHECK + 1 } },
	{ "a buffer below 4 MiB",
	  { .xlen = 64, .engines = 1, .code_buffer = (4ull << 20) - 1 } },
	{ "a buffer beyond 1 GiB",
	  { .xlen = 64, .engines = 1, .code_buffer = (1ull << 30) + 1 } },
	{ "a step buffer below 4 MiB",
	  { .xlen = 64, .engines = 1, .step_buffer = (4ull << 20) - 1 } },
	{ "a step buffer beyond 1 GiB",
	  { .xlen = 64, .engines = 1, .step_buffer = (1ull << 30) + 1 } },
};

TEST_ROWS(a_configuration_out_of_range_is_refused, config_rows)
{
	static const struct engine_host_ops none;
	struct engine *e;

	ck_assert_msg(engine_new(&e, &config_rows[_i].cfg, &none, NULL) ==
			      -ENGINE_EINVAL,
		      "%s", config_rows[_i].why);
	ck_assert_str_ne(engine_error(e), "");
	engine_free(e);
}

static const struct buffer_row {
	const char *why;
	struct engine_config cfg;
	uint64_t code, step; /* in MiB */
} buffer_rows[] = {
	{ "what is not said", { .xlen = 64, .engines = 1 }, 64, 16 },
	{ "the least",
	  { .xlen = 32,
	    .engines = 1,
	    .code_buffer = 4 << 20,
	    .step_buffer = 4 << 20 },
	  4,
	  4 },
};

/* An eighth of each stays free. */
TEST_ROWS(a_buffer_is_as_large_as_was_asked_for, buffer_rows)
{
	static const struct engine_host_ops none;
	const struct buffer_row *row = &buffer_rows[_i];
	struct engine *e;

	ck_assert_int_eq(engine_new(&e, &row->cfg, &none, NULL), 0);
	ck_assert_msg(e->slots[0]->tb_limit == (row->code << 20) / 8 * 7, "%s",
		      row->why);
	ck_assert_uint_eq(e->step->tb_limit, (row->step << 20) / 8 * 7);
	engine_free(e);
}

/* In each mode, for one and two engines. */
static const struct engine_config all_kinds[] = {
	{ .xlen = 64 },
	{ .xlen = 64, .mode = ENGINE_PORTABLE },
	{ .xlen = 64, .engines = 1 },
	{ .xlen = 64, .engines = 2 },
	{ .xlen = 32, .engines = 2 },
	{ .xlen = 32, .engines = 2, .mode = ENGINE_PORTABLE },
	{ .xlen = 64, .engines = 2, .step_only = true },
};

static void check_unused(const struct slot *s)
{
	static const struct block none;
	unsigned used = 0;

	for (uint32_t i = 0; i <= s->block_mask; i++)
		used += memcmp(&s->blocks[i], &none, sizeof(none)) != 0;
	ck_assert_uint_eq(used, 0);
	ck_assert_uint_eq(s->insns, 0);
	ck_assert_uint_eq(s->hooked, 0);
	ck_assert_uint_eq(s->exits.n_inside, 0);
	ck_assert_uint_eq(s->exits.n_raised, 0);
	ck_assert_ptr_null(s->exits.probe);
	ck_assert_uint_eq(fast_sites(s->fast), 0);
}

TEST_ROWS(nothing_of_the_self_test_stays, all_kinds)
{
	const struct engine_config *cfg = &all_kinds[_i];
	static const struct engine_host_ops none;
	char host;
	struct engine *e;

	ck_assert_int_eq(engine_new(&e, cfg, &none, &host), 0);
	for (unsigned i = 0; i < 3; i++) {
		ck_assert_int_eq(e->slots[i] != NULL,
				 i != ENGINE_USER || cfg->engines == 2 ||
					 (cfg->engines == 0 && e->spaces.off));
		if (e->slots[i] == NULL)
			continue;
		check_unused(e->slots[i]);
		ck_assert_int_eq(e->slots[i]->is_step, i == 2);
		if (e->slow_why || i == 2)
			ck_assert_ptr_null(e->slots[i]->fast);
		if (e->raise_why || i == 2)
			ck_assert_ptr_null(e->slots[i]->exits.env.at);
	}
	ck_assert(e->n_ram == 0 && e->n_dirty == 0 && e->leaves.n == 0);
	ck_assert(!e->fence_due && !e->fence_seen && !e->dirty_more);
	ck_assert(e->live == NULL && e->last == NULL);
	ck_assert(e->ops == &none && e->host == &host);
	engine_free(e);
}

/* Where RAM may be: MAX_RAM parts, below what is Unicorn's alone. */
TEST_ROWS(ram_ends_below_the_adapters_own, all_kinds)
{
	const struct engine_config *cfg = &all_kinds[_i];
	static const struct engine_host_ops none;
	static _Alignas(4096) char ram[2 * PAGE_SIZE];
	uint64_t end = cfg->xlen == 32 ? 0xfffc0000 : 0xfffffffffc0000;
	struct engine *e;

	ck_assert_int_eq(engine_new(&e, cfg, &none, NULL), 0);
	ck_assert_int_eq(engine_map_ram(e, end - PAGE_SIZE, 2 * PAGE_SIZE, ram),
			 -ENGINE_EINVAL);
	ck_assert_int_eq(engine_map_ram(e, end, PAGE_SIZE, ram),
			 -ENGINE_EINVAL);
	ck_assert_int_eq(engine_map_ram(e, end - PAGE_SIZE, PAGE_SIZE, ram), 0);
	ck_assert_int_eq(engine_map_ram(e, PAGE_SIZE, PAGE_SIZE + 8, ram),
			 -ENGINE_EINVAL);
	for (unsigned i = 1; i < MAX_RAM; i++)
		ck_assert_int_eq(
			engine_map_ram(e, i * 2 * PAGE_SIZE, PAGE_SIZE, ram),
			0);
	ck_assert_int_eq(
		engine_map_ram(e, MAX_RAM * 2 * PAGE_SIZE, PAGE_SIZE, ram),
		-ENGINE_EINVAL);
	engine_free(e);
}

/* The n-th request of the adapter's for memory fails; 0: none. */
static unsigned fails_at;

static bool refused(void)
{
	return fails_at && --fails_at == 0;
}

void *__real_aligned_alloc(size_t align, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);
void *__real_zero_pages_new(size_t size);
void *__wrap_zero_pages_new(size_t size);
void __real_zero_pages_free(void *at, size_t size);
void __wrap_zero_pages_free(void *at, size_t size);
uc_err __real_uc_context_alloc(uc_engine *uc, uc_context **ret);
uc_err __wrap_uc_context_alloc(uc_engine *uc, uc_context **ret);

void *__wrap_aligned_alloc(size_t align, size_t size)
{
	return refused() ? NULL : __real_aligned_alloc(align, size);
}

static size_t mapped; /* bytes */

void *__wrap_zero_pages_new(size_t size)
{
	void *at = refused() ? NULL : __real_zero_pages_new(size);

	mapped += at ? size : 0;
	return at;
}

void __wrap_zero_pages_free(void *at, size_t size)
{
	mapped -= at ? size : 0;
	__real_zero_pages_free(at, size);
}

uc_err __wrap_uc_context_alloc(uc_engine *uc, uc_context **ret)
{
	return refused() ? UC_ERR_NOMEM : __real_uc_context_alloc(uc, ret);
}

/* The third context is asked for in the middle of a measurement. */
TEST(an_engine_says_that_memory_is_short)
{
	static const struct engine_config cfg = { .xlen = 64, .engines = 1 };
	static const struct engine_host_ops none;
	unsigned n = 0, unmeasured = 0;
	struct engine *e;
	int err;

	do {
		fails_at = ++n;
		err = engine_new(&e, &cfg, &none, NULL);
		unmeasured += err == -ENGINE_ESELFTEST;
		ck_assert_msg(!err || err == -ENGINE_ENOMEM ||
				      err == -ENGINE_ESELFTEST,
			      "request %u: %d", n, err);
		engine_free(e);
	} while (!fails_at);
	fails_at = 0;
	ck_assert_int_eq(err, 0);
	ck_assert_uint_gt(n, 11);
	ck_assert_uint_eq(unmeasured, 1);
}

static unsigned n_opened, open_fails; /* the n-th; 0: none */

uc_err __real_uc_open(uc_arch arch, uc_mode mode, uc_engine **ret);
uc_err __wrap_uc_open(uc_arch arch, uc_mode mode, uc_engine **ret);

uc_err __wrap_uc_open(uc_arch arch, uc_mode mode, uc_engine **ret)
{
	if (++n_opened == open_fails)
		return UC_ERR_NOMEM;
	return __real_uc_open(arch, mode, ret);
}

TEST_RANGE(each_must_open, 1, 4)
{
	static const struct engine_config cfg = { .xlen = 64, .engines = 2 };
	static const struct engine_host_ops none;
	struct engine *e;

	n_opened = 0;
	open_fails = (unsigned)_i;
	ck_assert_int_eq(engine_new(&e, &cfg, &none, NULL), -ENGINE_ENOMEM);
	open_fails = 0;
	ck_assert_str_eq(engine_error(e),
			 "opening Unicorn: No memory available or memory not "
			 "present (UC_ERR_NOMEM)");
	engine_free(e);
}

static unsigned n_hooked, hook_fails; /* the n-th; 0: none */

uc_err __real_uc_hook_add(uc_engine *uc, uc_hook *hook, int type, void *call,
			  void *user, uint64_t begin, uint64_t end, ...);
uc_err __wrap_uc_hook_add(uc_engine *uc, uc_hook *hook, int type, void *call,
			  void *user, uint64_t begin, uint64_t end, ...);

uc_err __wrap_uc_hook_add(uc_engine *uc, uc_hook *hook, int type, void *call,
			  void *user, uint64_t begin, uint64_t end, ...)
{
	if (++n_hooked == hook_fails)
		return UC_ERR_HOOK;
	return __real_uc_hook_add(uc, hook, type, call, user, begin, end);
}

/* Four of each of two engines, and of the one for single steps. */
TEST_RANGE(each_hook_must_be_there, 1, 14)
{
	static const struct engine_config cfg = { .xlen = 64, .engines = 2 };
	static const struct engine_host_ops none;
	struct engine *e;
	int err;

	n_hooked = 0;
	hook_fails = (unsigned)_i;
	err = engine_new(&e, &cfg, &none, NULL);
	hook_fails = 0;
	if (_i <= 12) {
		ck_assert_int_eq(err, -ENGINE_ENOMEM);
		ck_assert_msg(strstr(engine_error(e), "opening Unicorn: "),
			      "%s", engine_error(e));
	} else {
		ck_assert_int_eq(err, 0);
		ck_assert_uint_eq(n_hooked, 12);
	}
	engine_free(e);
}

/* And one more for single steps. */
TEST_RANGE(there_are_as_many_as_were_asked_for, 1, 3)
{
	struct engine_config cfg = { .xlen = 64, .engines = (uint8_t)_i };
	static const struct engine_host_ops none;
	struct engine *e;

	n_opened = 0;
	ck_assert_int_eq(engine_new(&e, &cfg, &none, NULL), 0);
	ck_assert_uint_eq(n_opened, (unsigned)_i + 1);
	engine_free(e);
}

static size_t in_use(void)
{
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

static void live(const struct engine_config *cfg, void *ram)
{
	static const struct engine_host_ops none;
	struct engine_ctx *ctx;
	struct engine *e;

	ck_assert_int_eq(engine_new(&e, cfg, &none, NULL), 0);
	ck_assert_int_eq(engine_map_ram(e, RAM, RAM_SIZE, ram), 0);
	ck_assert_int_eq(engine_ctx_new(e, &ctx), 0);
	ck_assert_int_eq(engine_feed(e, PMU_LOOK_FETCH), 0);
	engine_ctx_free(e, ctx);
	engine_free(e);
}

/*
 * But for what Unicorn keeps; leak checkers, who count instead, see 0 here.
 * What malloc holds ready for the next of its size counts as used: once it has
 * some of each, it takes no more.
 */
TEST_RANGE(an_engine_gives_back_what_it_took, 1, 3)
{
	const struct engine_config cfg = { .xlen = 64, .engines = (uint8_t)_i };
	void *ram = mmap(NULL, RAM_SIZE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	size_t before;

	ck_assert_ptr_ne(ram, MAP_FAILED);
	for (unsigned i = 0; i < LIVES; i++)
		live(&cfg, ram);
	before = in_use();
	for (unsigned i = 0; i < LIVES; i++)
		live(&cfg, ram);
	ck_assert_uint_lt(in_use(), before + LIVES * UNICORN_KEEPS);
	ck_assert_uint_eq(mapped, 0);
	munmap(ram, RAM_SIZE);
}

/* Each version by its name, up to the last one that is known; of no engine. */
TEST(a_version_has_a_name)
{
	unsigned version = uc_version(NULL, NULL);
	char want[32];

	engine_free(NULL);
	snprintf(want, sizeof(want), "unicorn %u.%u.%u", version >> 24,
		 version >> 16 & 0xff, version >> 8 & 0xff);
	if (version >> 8 > 0x020105)
		strcpy(want, "unicorn, newer than 2.1.5");
	ck_assert_str_eq(engine_version(), want);
}

/* The last block as well as the first. */
TEST(what_is_known_of_blocks_is_forgotten)
{
	static const struct engine_config cfg = { .xlen = 64,
						  .engines = 1,
						  .mode = ENGINE_PORTABLE };
	static const struct engine_host_ops none;
	struct engine *e;

	ck_assert_int_eq(engine_new(&e, &cfg, &none, NULL), 0);
	for (unsigned i = 0; i < 3; i += 2) {
		struct slot *s = e->slots[i];

		memset(s->blocks, 0xa5,
		       (s->block_mask + 1) * sizeof(*s->blocks));
		/* the last of all epochs ends */
		s->epoch = (uint64_t)UINT32_MAX << 32;
		slot_flush(s);
		ck_assert_uint_eq(s->epoch, UINT64_C(1) << 32);
		check_unused(s);
	}
	engine_free(e);
}

SUITE("engine-new", .test_case = "new", .timeout = 30);
