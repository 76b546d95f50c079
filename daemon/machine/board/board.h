/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The board: RAM and devices at the addresses of QEMU's `virt` machine, the
 * console's input queue, and the interrupts that its devices bring to harts.
 * It knows no hart and no engine. Time is an argument everywhere (`now`, the
 * machine clock in cycles); what a device causes comes up through board_ops.
 */
#ifndef BOARD_BOARD_H
#define BOARD_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pmu/hart.h>
#include <pmu/trap.h>

#include "board-map.h"
#include "bus.h"
#include "dev-vacant.h"

enum {
	BOARD_CONSOLE_QUEUE = 65536
};

/* Where output goes. */
enum board_port {
	BOARD_CONSOLE, /* the first UART, HTIF */
	BOARD_SERIAL,  /* the second UART */
	BOARD_N_PORTS
};

/* What there is beside RAM, UART, CLINT and finisher. */
enum board_kind {
	BOARD_VIRT,  /* interrupt controller and what interrupts, clock */
	BOARD_PLAIN, /* nothing: the UART has no interrupt */
};

/* How a guest ended the machine through a device. */
enum board_end {
	BOARD_END_PASS,	 /* finisher 0x5555; code 0 */
	BOARD_END_FAIL,	 /* finisher 0x3333 | code << 16; 0 becomes 1 */
	BOARD_END_RESET, /* finisher 0x7777; code 0 */
	BOARD_END_HTIF,	 /* tohost; 47 bits of code, by a system call 64 */
};

struct board_ops {
	/* A line of @hart, MSI, MTI, MEI or SEI; called on changes. */
	void (*irq)(void *host, unsigned hart, enum pmu_irq irq, bool level);
	/* board_timer_next() changed, maybe of every hart. */
	void (*timer_changed)(void *host);
	void (*console_out)(void *host, enum board_port port,
			    const uint8_t *bytes, size_t len);
	/* The instruction that did it completes; run no further. */
	void (*finish)(void *host, enum board_end end, uint64_t code);
	/* RAM changed otherwise than by the guest's stores in the engine. */
	void (*ram_written)(void *host, uint64_t paddr, uint64_t size);
	void (*vacant)(void *host, unsigned index); /* first access to it */
};

struct board_config {
	uint64_t ram_size;
	unsigned n_harts; /* 1-PMU_MAX_HARTS */
	uint8_t xlen;
	enum board_kind kind;
	bool serial;	   /* a second UART, not with BOARD_PLAIN */
	uint64_t rtc_base; /* nanoseconds since 1970, at cycle 0 */
	/*
	 * There is firmware below the guest. The CLINT is its own, guest
	 * accesses fault; the PLIC is the guest's, which finds every context's
	 * threshold at its maximum, as OpenSBI leaves it, and M-mode's contexts
	 * without effect, for the firmware does not enable MEI.
	 */
	bool firmware;
	struct pmu_timebase *timebase; /* outlives the board; clint moves it */
};

enum board_errno {	  /* returned negated */
	BOARD_EINVAL = 1, /* a field of the configuration is out of range */
	BOARD_ENOMEM,
};

struct board;
int board_new(struct board **ret, const struct board_config *cfg,
	      const struct board_ops *ops, void *host);
void board_free(struct board *b); /* NULL is fine */

/*
 * Devices as they were when the board was made, their lines inactive. RAM,
 * input that nobody has read and the place of HTIF's words stay.
 */
void board_reset(struct board *b);

struct bus *board_bus(struct board *b); /* RAM and its copies: bus_read()... */

/* What translate() needs to know of a physical page. */
enum board_page {
	BOARD_PAGE_NONE, /* nothing there: access fault */
	BOARD_PAGE_RAM,
	BOARD_PAGE_DEVICE, /* every access through board_access() */
	BOARD_PAGE_HTIF,   /* RAM, but stores are told: board_stored() */
};
enum board_page board_page(const struct board *b, uint64_t paddr);

/*
 * An access that the engine may not do itself: to a device, or a store to a
 * page of tohost or fromhost (loads there are answered too). False: access
 * fault. @access is complete but for the offset.
 */
bool board_access(struct board *b, uint64_t paddr, struct bus_access *access);
/* A store to such a page that the engine has done: was it to the words? */
void board_stored(struct board *b, uint64_t paddr, uint64_t size);

/* The program's tohost and fromhost (0: none), 8-byte aligned RAM. */
void board_set_htif(struct board *b, uint64_t tohost, uint64_t fromhost);

/* A device tree's, at most VACANT_MAX; they count where nothing else is. */
void board_set_vacant(struct board *b, const struct vacant_range *ranges,
		      unsigned n);
const struct vacant_range *board_vacant(const struct board *b, unsigned index);

/*
 * Console input, in the order it acts. Returns how many bytes were taken: all
 * unless the queue would exceed BOARD_CONSOLE_QUEUE bytes.
 */
size_t board_console_input(struct board *b, const uint8_t *bytes, size_t len);
size_t board_console_space(const struct board *b);
/* Takes bytes for the firmware; returns how many, 0 when none wait. */
size_t board_console_read(struct board *b, uint8_t *buf, size_t len);

/*
 * What devices and the console's queue remember, without RAM and time base: as
 * plain data without a pointer, board_state_size() bytes, for a board of the
 * same configuration. No line of a hart is driven: its hart has them as they
 * are.
 */
size_t board_state_size(void);
void board_give(const struct board *b, void *ret_state);
void board_take(struct board *b, const void *state);

/*
 * The first cycle at which @hart's timer line changes, or the line of a device
 * that may interrupt any hart; UINT64_MAX if never, a cycle gone by if
 * board_timer_run() has still to see it.
 */
uint64_t board_timer_next(const struct board *b, unsigned hart);
/* The clock has reached @now: drives these lines through irq(). */
void board_timer_run(struct board *b, uint64_t now);

#endif
