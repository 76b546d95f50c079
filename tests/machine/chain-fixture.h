/* SPDX-License-Identifier: BSD-2-Clause */
/* A function, its callers and their frames, sampled at each instruction. */
#ifndef TESTS_CHAIN_FIXTURE_H
#define TESTS_CHAIN_FIXTURE_H

#include <string.h>

#include "../unit/unit.h"
#include "board/board.h"
#include "core/sampler.h"
#include "machine-fixture.h"

enum {
	ALL_MODES = (1 << PMU_N_MODES) - 1
};

static struct fixture f;

static inline void setup(void)
{
}

static inline void teardown(void)
{
	fixture_fini(&f);
}

/*
 * A function of a row runs from FUNCTION on, called as it were from before
 * RETURN(0), with the frame of that caller at fp. The caller never returns and
 * was called from before RETURN(1), the next from before RETURN(2) ...
 */

#define BASE	  BOARD_RAM_BASE
#define FUNCTION  (BASE + 0x40)
#define CALLS	  (BASE + 0x100)
#define RETURN(n) (CALLS + 8 * (uint64_t)(n) + 4)
#define STACK_TOP (BASE + 0x2000) /* sp at the function */
#define AT_FP(n)  (STACK_TOP + 0x40 + 0x20 * (uint64_t)(n))
#define END(x)	  PMU__V1__CHAIN_END__CHAIN_END_##x

static uint64_t image[2080]; /* from BASE on */

enum {
	DATA = 0x20, /* sp, fp and ra in words of 8 */
	N_CALLS = 4,
	MAX_CODE = 16,
	PREFACE = 5 /* instructions before the function's */
};

static inline void put(uint64_t at, uint64_t value, size_t size)
{
	memcpy((uint8_t *)image + (at - BASE), &value, size);
}

static inline uint32_t load_data(bool narrow, unsigned rd, unsigned n)
{
	return (uint32_t)(DATA + 8 * n) << 20 | 31u << 15 |
	       (narrow ? 2u : 3u) << 12 | rd << 7 | 0x03;
}

static inline void put_code(unsigned xlen, const uint32_t *function)
{
	const uint32_t preface[PREFACE] = {
		0x00000f97, /* auipc t6, 0 */
		load_data(xlen == 32, 2, 0),
		load_data(xlen == 32, 8, 1),
		load_data(xlen == 32, 1, 2),
		0x0300006f, /* j FUNCTION */
	};

	memset(image, 0, sizeof(image));
	memcpy(image, preface, sizeof(preface));
	memcpy((uint8_t *)image + (FUNCTION - BASE), function,
	       MAX_CODE * sizeof(*function));
	for (unsigned i = 0; i < N_CALLS; i++) {
		put(RETURN(i) - 4, 0x000000ef, 4); /* jal ra, . */
		put(RETURN(i), 0x0000006f, 4);	   /* j . */
	}
	put(BASE + DATA, STACK_TOP, 8);
	put(BASE + DATA + 8, AT_FP(0), 8);
	put(BASE + DATA + 16, RETURN(0), 8);
}

static inline void put_frame(unsigned xlen, uint64_t at, uint64_t ra,
			     uint64_t fp)
{
	put(at - xlen / 8, ra, xlen / 8);
	put(at - xlen / 4, fp, xlen / 8);
}

/* With a sample of every instruction. */
static inline void sampled_machine(unsigned xlen)
{
	const struct fixture_config cfg = {
		.m_mode = true,
		.settings =
			xlen == 32 ? "max-insns=40 xlen=32" : "max-insns=40",
		.image = image,
		.image_size = sizeof(image),
		.address = BASE,
	};
	const struct machine_sampler s = { "x", PMU_EV_INSNS, ALL_MODES,
					   1,	true,	      true };
	struct error e;

	fixture_init(&f, &cfg);
	ck_assert(machine_set_samplers(f.m, &s, 1, &e));
	fixture_start(&f);
}

static inline Pmu__V1__Trace *sample_all(unsigned xlen)
{
	sampled_machine(xlen);
	/* some go on to where nothing can be executed */
	fixture_run(&f, 1000, 80);
	return fixture_trace(&f);
}

/* Of the @step-th instruction of the function, from 1 on. */
static inline const Pmu__V1__Sample *sample_at(const Pmu__V1__Trace *t,
					       unsigned step)
{
	return fixture_record(t, PMU__V1__RECORD__KIND_SAMPLE,
			      PREFACE + step - 1)
		->sample;
}

#endif
