/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The S-mode conformance guest: what a supervisor can see of the SBI PMU and
 * of its counters, as TAP, on any machine with an SBI. Nothing is required to
 * be right; chapter after chapter asks and prints the answers. Who the answers
 * are measured by, the specification or the reference implementation, is
 * decided by the implementation id that the firmware gives.
 */
#include "conf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	OPENSBI_ID = 1,
	PMUD_ID = 0x504d5544
};

struct machine mach;

uint64_t tap_number(uint64_t v)
{
	const uint64_t hw1 = 1ull << mach.hw, hw3 = mach.hw2 + 1;
	const uint64_t numbers[N_NAMED] = {
		mach.n,
		mach.n - 1,
		mach.hw,
		mach.hw2,
		hw3,
		mach.fw,
		mach.fw_set,
		mach.n_fw,
		mach.programmable,
		mach.programmable | 5,
		mach.programmable | 7,
		hw1 | 1ull << mach.hw2,
		hw1 | 2,
		hw1 | 1ull << hw3,
		(uintptr_t)shared_page,
		(uintptr_t)shared_page + 8,
		hw1,
		1ull << mach.hw2,
		mach.other,
		1ull << mach.other,
		1ull << mach.hart,
		mach.fw + 1,
		mach.hart,
		WIDE & mach.mask,
		mach.absent,
		mach.programmable | 5 | 1ull << mach.absent,
		1ull << (mach.fw - mach.hw),
	};

	return v - NAMED(0) < N_NAMED ? numbers[v - NAMED(0)] : v;
}

/* What stands behind @text in the device tree, NULL: it does not hold it. */
static const char *tree_says(const unsigned char *tree, const char *text)
{
	uint32_t size = (uint32_t)tree[4] << 24 | tree[5] << 16 | tree[6] << 8 |
			tree[7];
	size_t len = strlen(text);

	for (uint32_t i = 0; i + len <= size; i++)
		if (!memcmp(tree + i, text, len))
			return (const char *)tree + i + len;
	return NULL;
}

/* Kernel parameters: "leave-out=7,12" names results that would end the run. */
static void leave_out(const char *list)
{
	for (; list && *list >= '0' && *list <= '9'; list += *list == ',')
		tap_leave_out((unsigned)strtoul(list, (char **)&list, 10));
}

static void discover_counters(void)
{
	mach.n = (unsigned)num_counters(NULL).value;
	if (mach.n > 64)
		mach.n = 64;
	for (uint64_t i = 0; i < mach.n; i++) {
		struct answer info = get_info(&i);

		if (info.error)
			continue;
		mach.valid |= 1ull << i;
		if (info.value >> (__riscv_xlen - 1)) {
			if (!mach.n_fw++)
				mach.fw = (unsigned)i;
			mach.fw_set |= 1ull << (i - mach.fw);
		} else if (i > 2) {
			mach.programmable |= 1ull << i;
		}
	}
	mach.hw = (unsigned)__builtin_ctzll(mach.programmable | 1ull << 63);
	mach.hw2 = (unsigned)__builtin_ctzll(
		(mach.programmable & (mach.programmable - 1)) | 1ull << 63);
}

static void discover_details(void)
{
	const uint64_t hw = mach.hw;

	mach.mask = ~0ull >> (63 - (get_info(&hw).value >> 12 & 63));
	for (unsigned i = 3; i < mach.fw && !mach.absent; i++)
		if (!(mach.valid >> i & 1))
			mach.absent = i;
}

/*
 * Who answers: the bench's own firmware names itself. In its opensbi profile it
 * gives the reference's id, but it needs no memory of the machine's: the
 * reference, on this or any board, reserves its own in the tree.
 */
static void discover_firmware(const unsigned char *tree)
{
	const uint64_t impl[] = { 1, 0 };
	uint64_t id = base_call(impl).value;

	if (id == OPENSBI_ID)
		tap_profile = OPENSBI;
	mach.all = id == PMUD_ID || tree_says(tree, "crashers") ||
		   (id == OPENSBI_ID && tree_says(tree, "pmud,bench") &&
		    !tree_says(tree, "mmode_resv"));
}

static void discover(unsigned long hartid, const unsigned char *tree)
{
	mach.hart = (unsigned)hartid;
	discover_firmware(tree);
	leave_out(tree_says(tree, "leave-out="));
	for (uint64_t i = 0; i < MAX_HARTS && !hart_status(&i).error; i++)
		mach.harts++;
	mach.other = mach.hart ? 0 : 1;
	discover_counters();
	discover_details();
}

int main(unsigned long hartid, const unsigned char *tree)
{
	static const uint64_t impl[] = { 1, 0 }, version[] = { 2, 0 };
	static const char *const profiles[] = { "spec", "opensbi" };

	discover(hartid, tree);
	printf("# profile %s, RV%d, %u harts, %u counters\n",
	       profiles[tap_profile], __riscv_xlen, mach.harts, mach.n);
	printf("# firmware %#lx %#lx\n", (unsigned long)base_call(impl).value,
	       (unsigned long)base_call(version).value);
	chapter_boot();
	chapter_base();
	chapter_info();
	chapter_config();
	chapter_skip();
	chapter_start();
	chapter_stop();
	chapter_snapshot();
	chapter_firmware();
	chapter_event_info();
	chapter_events();
	chapter_counters();
	chapter_overflow();
	chapter_sse();
	chapter_harts();
	chapter_crashers();
	tap_done();
	return tap_failed != 0;
}
