/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Loads and stores of each width where they are not aligned: what is read and
 * written is what single bytes say.
 */
#include "pmutest.h"

enum {
	PAGE = 4096,
	TO = 160 /* of a page: some lines of a cache */
};

#define LOAD(name, insns)                                                      \
	static uint64_t name(const volatile void *at)                          \
	{                                                                      \
		uint64_t got;                                                  \
                                                                               \
		__asm__ volatile(insns                                         \
				 : "=r"(got)                                   \
				 : "r"(at)                                     \
				 : "memory", "ft0");                           \
		return got;                                                    \
	}
#define STORE(name, insns)                                                     \
	static void name(volatile void *at, uint64_t value)                    \
	{                                                                      \
		__asm__ volatile(insns ::"r"(at), "r"(value)                   \
				 : "memory", "ft0");                           \
	}

LOAD(load_h, "lh %0, 0(%1)")
LOAD(load_hu, "lhu %0, 0(%1)")
LOAD(load_w, "lw %0, 0(%1)")
LOAD(load_wu, "lwu %0, 0(%1)")
LOAD(load_d, "ld %0, 0(%1)")
LOAD(load_fw, "flw ft0, 0(%1)\n\tfmv.x.w %0, ft0")
LOAD(load_fd, "fld ft0, 0(%1)\n\tfmv.x.d %0, ft0")
STORE(store_h, "sh %1, 0(%0)")
STORE(store_w, "sw %1, 0(%0)")
STORE(store_d, "sd %1, 0(%0)")
STORE(store_fw, "fmv.w.x ft0, %1\n\tfsw ft0, 0(%0)")
STORE(store_fd, "fmv.d.x ft0, %1\n\tfsd ft0, 0(%0)")

static const struct width {
	const char *what;
	uint64_t (*load)(const volatile void *at);
	void (*store)(volatile void *at, uint64_t value);
	int bytes;
	bool is_signed;
} widths[] = {
	{ "lh, sh", load_h, store_h, 2, true },
	{ "lhu, sh", load_hu, store_h, 2, false },
	{ "lw, sw", load_w, store_w, 4, true },
	{ "lwu, sw", load_wu, store_w, 4, false },
	{ "ld, sd", load_d, store_d, 8, false },
	{ "flw, fsw", load_fw, store_fw, 4, true },
	{ "fld, fsd", load_fd, store_fd, 8, false },
};

/* What lies there, as a load of this width has it. */
static uint64_t by_bytes(const volatile unsigned char *at,
			 const struct width *w)
{
	uint64_t value = 0, sign = 1ull << (8 * w->bytes - 1);

	for (int i = 0; i < w->bytes; i++)
		value |= (uint64_t)at[i] << (8 * i);
	return w->is_signed ? (value ^ sign) - sign : value;
}

static void one(volatile unsigned char *at, const struct width *w)
{
	const uint64_t stored = 0xf1e2d3c4b5a69788;
	const unsigned char around = 0x5a;
	uint64_t got = w->load(at);

	demand(got == by_bytes(at, w), "%s: %lx from %p", w->what, got,
	       (const volatile void *)at);
	at[-1] = at[w->bytes] = around;
	w->store(at, stored);
	for (int i = 0; i < w->bytes; i++)
		demand(at[i] == (unsigned char)(stored >> (8 * i)),
		       "%s: byte %d at %p", w->what, i,
		       (const volatile void *)at);
	demand(at[-1] == around && at[w->bytes] == around,
	       "%s: more is stored at %p", w->what, (const volatile void *)at);
}

static void misaligned(void)
{
	static unsigned char page[PAGE] __attribute__((aligned(PAGE)));
	int fd = count_users();

	for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
		for (int n = 0; n < PAGE; n++)
			page[n] = (unsigned char)(n * 37 + 91);
		for (int n = 1; n < TO; n++)
			one(page + n, &widths[i]);
	}
	users_counted(fd, "misaligned accesses");
}

const struct test width_tests[] = {
	{ "misaligned", "loads and stores need not be aligned", misaligned },
	{ NULL, NULL, NULL },
};
