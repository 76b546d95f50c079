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
#include "engine/engine.h"

enum {
	LIVES = 8,
	UNICORN_KEEPS = 1024, /* bytes of each engine, at most */
};

#define RAM	 UINT64_C(0x80000000)
#define RAM_SIZE (UINT64_C(64) << 20)

static const struct config_row {
	const char *why;
	struct engine_config cfg;
} config_rows[] = {
	{ "XLEN 128", { .xlen = 128, .engines = 2 } },
	{ "no engine", { .xlen = 64, .engines = 0 } },
	{ "three engines", { .xlen = 64, .engines = 3 } },
	{ "a tiny buffer", { .xlen = 64, .engines = 1, .code_buffer = 4096 } },
	{ "a huge buffer",
	  { .xlen = 64, .engines = 1, .code_buffer = UINT64_MAX } },
	{ "a tiny step buffer",
	  { .xlen = 64, .engines = 1, .step_buffer = 4096 } },
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

/* The n-th request of the adapter's for memory fails; 0: none. */
static unsigned fails_at;

static bool refused(void)
{
	return fails_at && --fails_at == 0;
}

void *__real_aligned_alloc(size_t align, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);
uc_err __real_uc_context_alloc(uc_engine *uc, uc_context **ret);
uc_err __wrap_uc_context_alloc(uc_engine *uc, uc_context **ret);

void *__wrap_aligned_alloc(size_t align, size_t size)
{
	return refused() ? NULL : __real_aligned_alloc(align, size);
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
	ck_assert_uint_gt(n, 6);
	ck_assert_uint_eq(unmeasured, 1);
}

static unsigned n_opened;

uc_err __real_uc_open(uc_arch arch, uc_mode mode, uc_engine **ret);
uc_err __wrap_uc_open(uc_arch arch, uc_mode mode, uc_engine **ret);

uc_err __wrap_uc_open(uc_arch arch, uc_mode mode, uc_engine **ret)
{
	n_opened++;
	return __real_uc_open(arch, mode, ret);
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
	ck_assert_int_eq(engine_feed(e, true), 0);
	engine_ctx_free(e, ctx);
	engine_free(e);
}

/* But for what Unicorn keeps; leak checkers, who count instead, see 0 here. */
TEST_RANGE(an_engine_gives_back_what_it_took, 1, 3)
{
	const struct engine_config cfg = { .xlen = 64, .engines = (uint8_t)_i };
	void *ram = mmap(NULL, RAM_SIZE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	size_t before;

	ck_assert_ptr_ne(ram, MAP_FAILED);
	live(&cfg, ram);
	before = in_use();
	for (unsigned i = 0; i < LIVES; i++)
		live(&cfg, ram);
	ck_assert_uint_lt(in_use(), before + LIVES * UNICORN_KEEPS);
	munmap(ram, RAM_SIZE);
}

TEST(freeing_nothing_is_fine)
{
	engine_free(NULL);
	ck_assert_int_eq(strncmp(engine_version(), "unicorn ", 8), 0);
}

SUITE("engine-new", .test_case = "new", .timeout = 30);
