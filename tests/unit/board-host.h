/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A board with a host that notes everything, for the tests of board and
 * devices. One board at a time; board_host_setup() starts anew.
 */
#ifndef TESTS_BOARD_HOST_H
#define TESTS_BOARD_HOST_H

#include <string.h>

#include "board/board.h"
#include "unit.h"

struct board_host {
	struct board *board;
	struct pmu_timebase tb;
	bool line[PMU_IRQ_MEI + 1][PMU_MAX_HARTS];
	unsigned n_irqs, n_timer_changed, n_ends, n_written, n_vacant;
	unsigned vacant; /* the last range that was new */
	uint64_t written;
	enum board_end end;
	uint64_t code;
	char out[256];
	size_t n_out;
	enum board_port port; /* of the last output */
};

/* 2001-09-09, an upper half away from zero. */
#define BOARD_HOST_RTC UINT64_C(1000000000000000000)

static struct board_host host;

static void host_irq(void *h, unsigned hart, enum pmu_irq irq, bool level)
{
	host.n_irqs++;
	ck_assert(irq == PMU_IRQ_MSI || irq == PMU_IRQ_MTI ||
		  irq == PMU_IRQ_MEI || irq == PMU_IRQ_SEI);
	ck_assert(host.line[irq][hart] != level);
	host.line[irq][hart] = level;
}

static void host_timer_changed(void *h)
{
	host.n_timer_changed++;
}

static void host_out(void *h, enum board_port port, const uint8_t *bytes,
		     size_t len)
{
	host.port = port;
	for (size_t i = 0; i < len && host.n_out < sizeof(host.out) - 1; i++)
		host.out[host.n_out++] = (char)bytes[i];
}

static void host_finish(void *h, enum board_end end, uint64_t code)
{
	host.n_ends++;
	host.end = end;
	host.code = code;
}

static void host_written(void *h, uint64_t paddr, uint64_t size)
{
	host.n_written++;
	host.written = paddr;
}

static void host_vacant(void *h, unsigned index)
{
	host.n_vacant++;
	host.vacant = index;
}

static const struct board_ops host_ops = { host_irq,	 host_timer_changed,
					   host_out,	 host_finish,
					   host_written, host_vacant };

/* 1 GHz, 10 MHz, 64 KiB of RAM, @n harts. */
static inline void board_host_setup_kind(unsigned n, bool firmware,
					 enum board_kind kind)
{
	struct board_config cfg = { .ram_size = 0x10000,
				    .n_harts = n,
				    .xlen = 64,
				    .kind = kind,
				    .serial = kind == BOARD_VIRT,
				    .rtc_base = BOARD_HOST_RTC,
				    .firmware = firmware,
				    .timebase = &host.tb };

	board_free(host.board);
	memset(&host, 0, sizeof(host));
	host.tb = (struct pmu_timebase){ 1000000000, 10000000, 0 };
	PREPARING(ck_assert_int_eq(
		board_new(&host.board, &cfg, &host_ops, NULL), 0));
}

static inline void board_host_setup(unsigned n, bool firmware)
{
	board_host_setup_kind(n, firmware, BOARD_VIRT);
}

static inline void board_host_teardown(void)
{
	board_free(host.board);
	host.board = NULL;
}

/* False: access fault. */
static inline bool wr(uint64_t paddr, unsigned size, uint64_t value,
		      uint64_t now)
{
	struct bus_access a = {
		.now = now,
		.size = (uint8_t)size,
		.write = true,
		.value = value,
	};

	return board_access(host.board, paddr, &a);
}

static inline uint64_t rd(uint64_t paddr, unsigned size, uint64_t now)
{
	struct bus_access a = {
		.now = now,
		.size = (uint8_t)size,
		.value = 0xdeaddeaddeaddead,
	};

	ck_assert_msg(board_access(host.board, paddr, &a),
		      "reading %u bytes at 0x%llx faults", size,
		      (unsigned long long)paddr);
	return a.value;
}

static inline bool rd_faults(uint64_t paddr, unsigned size)
{
	struct bus_access a = { .size = (uint8_t)size };

	return !board_access(host.board, paddr, &a);
}

#endif
