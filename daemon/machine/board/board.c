/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The board: puts RAM and devices together at their addresses, owns the
 * console's input queue, and tells the machine what devices cause. Register
 * behaviour is in dev-*.c.
 */
#include "board.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <pmu/page.h>

#include "dev-clint.h"
#include "dev-finisher.h"
#include "dev-htif.h"
#include "dev-plic.h"
#include "dev-rtc.h"
#include "dev-uart.h"

struct board {
	struct board_config cfg;
	struct bus bus;
	struct board_ops ops;
	void *host;

	/* From here to the end it is state, but what wiring[] names. */
	struct uart uart, serial;
	struct clint clint;
	struct plic plic;
	struct rtc rtc;
	struct finisher finisher;
	struct htif htif;
	struct vacant vacant;
	uint8_t queue[BOARD_CONSOLE_QUEUE]; /* a ring of @queued bytes */
	size_t head, queued;
};

/* Console */

static size_t console_waiting(void *host)
{
	const struct board *b = host;

	return b->queued;
}

static bool console_ready(void *host)
{
	return console_waiting(host) > 0;
}

static uint8_t console_get_byte(void *host)
{
	struct board *b = host;
	uint8_t byte = b->queue[b->head];

	assert(b->queued);
	b->head = (b->head + 1) % BOARD_CONSOLE_QUEUE;
	b->queued--;
	return byte;
}

static void console_put(void *host, const uint8_t *bytes, size_t len)
{
	struct board *b = host;

	b->ops.console_out(b->host, BOARD_CONSOLE, bytes, len);
}

static void console_put_byte(void *host, uint8_t byte)
{
	console_put(host, &byte, 1);
}

size_t board_console_space(const struct board *b)
{
	return BOARD_CONSOLE_QUEUE - b->queued;
}

size_t board_console_input(struct board *b, const uint8_t *bytes, size_t len)
{
	if (len > board_console_space(b))
		len = board_console_space(b);
	for (size_t i = 0; i < len; i++)
		b->queue[(b->head + b->queued + i) % BOARD_CONSOLE_QUEUE] =
			bytes[i];
	b->queued += len;
	htif_poll(&b->htif);
	uart_poll(&b->uart);
	return len;
}

size_t board_console_read(struct board *b, uint8_t *buf, size_t len)
{
	size_t n = 0;

	while (n < len && b->queued)
		buf[n++] = console_get_byte(b);
	uart_poll(&b->uart);
	return n;
}

/* What devices cause */

static void hart_irq(void *host, unsigned hart, enum pmu_irq irq, bool level)
{
	struct board *b = host;

	b->ops.irq(b->host, hart, irq, level);
}

static void uart_irq(void *host, bool level)
{
	struct board *b = host;

	plic_set(&b->plic, BOARD_SOURCE_UART, level);
}

/* Nobody sends anything to the second UART. */

static void serial_put(void *host, uint8_t byte)
{
	struct board *b = host;

	b->ops.console_out(b->host, BOARD_SERIAL, &byte, 1);
}

static size_t serial_waiting(void *host)
{
	return 0;
}

static uint8_t serial_take(void *host)
{
	assert(!"asked for input that does not wait");
	return 0;
}

static void serial_irq(void *host, bool level)
{
	struct board *b = host;

	plic_set(&b->plic, BOARD_SOURCE_SERIAL, level);
}

static void rtc_irq(void *host, bool level)
{
	struct board *b = host;

	plic_set(&b->plic, BOARD_SOURCE_RTC, level);
}

static void timer_changed(void *host)
{
	struct board *b = host;

	b->ops.timer_changed(b->host);
}

static void finisher_finish(void *host, uint16_t status, uint16_t code)
{
	struct board *b = host;

	if (status == FINISHER_PASS)
		b->ops.finish(b->host, BOARD_END_PASS, 0);
	else if (status == FINISHER_RESET)
		b->ops.finish(b->host, BOARD_END_RESET, 0);
	else
		b->ops.finish(b->host, BOARD_END_FAIL, code ? code : 1);
}

static void htif_finish(void *host, uint64_t code)
{
	struct board *b = host;

	b->ops.finish(b->host, BOARD_END_HTIF, code);
}

static void ram_written(void *host, uint64_t paddr, uint64_t size)
{
	struct board *b = host;

	b->ops.ram_written(b->host, paddr, size);
}

/* Of the board without an interrupt controller, and of the other. */
static const struct uart_ops polled_ops = { console_put_byte, console_waiting,
					    console_get_byte, NULL };
static const struct uart_ops uart_ops = { console_put_byte, console_waiting,
					  console_get_byte, uart_irq };
static const struct uart_ops serial_ops = { serial_put, serial_waiting,
					    serial_take, serial_irq };
static const struct clint_ops clint_ops = { hart_irq, timer_changed };
static const struct rtc_ops rtc_ops = { rtc_irq, timer_changed };
static const struct htif_ops htif_ops = { console_put, console_ready,
					  console_get_byte, htif_finish };

/* Putting it together */

static void add(struct board *b, uint64_t base, uint64_t size,
		bus_access_fn *access, void *dev)
{
	const struct bus_region region = { base, size, access, dev };

	bus_add(&b->bus, &region);
}

/* What interrupts by the interrupt controller, and that itself. */
static void init_virt(struct board *b)
{
	plic_init(&b->plic, b->cfg.n_harts,
		  b->cfg.firmware ? PLIC_MAX_PRIORITY : 0);
	b->plic.irq = hart_irq;
	b->plic.host = b;
}

/* Every device as after a reset. */
static void init_devices(struct board *b)
{
	const struct board_config *cfg = &b->cfg;

	uart_init(&b->uart, cfg->kind == BOARD_PLAIN ? &polled_ops : &uart_ops,
		  b);
	uart_init(&b->serial, &serial_ops, b);
	/* Where no guest can reach it, it has no alarm either. */
	rtc_init(&b->rtc, cfg->timebase->clock_hz, cfg->rtc_base, &rtc_ops, b);
	clint_init(&b->clint, cfg->n_harts, cfg->timebase, &clint_ops, b);
	b->finisher = (struct finisher){ finisher_finish, b };
	b->htif = (struct htif){
		.bus = &b->bus,
		.tohost = b->htif.tohost,
		.fromhost = b->htif.fromhost,
		.ops = &htif_ops,
		.host = b,
	};
	if (cfg->kind == BOARD_VIRT)
		init_virt(b);
}

static void add_devices(struct board *b)
{
	add(b, BOARD_FINISHER_BASE, BOARD_FINISHER_SIZE, finisher_access,
	    &b->finisher);
	add(b, BOARD_UART_BASE, BOARD_UART_SIZE, uart_access, &b->uart);
	if (!b->cfg.firmware)
		add(b, BOARD_CLINT_BASE, BOARD_CLINT_SIZE, clint_access,
		    &b->clint);
	if (b->cfg.kind != BOARD_VIRT)
		return;
	add(b, BOARD_PLIC_BASE, BOARD_PLIC_SIZE, plic_access, &b->plic);
	if (b->cfg.serial)
		add(b, BOARD_SERIAL_BASE, BOARD_UART_SIZE, uart_access,
		    &b->serial);
	add(b, BOARD_RTC_BASE, BOARD_RTC_SIZE, rtc_access, &b->rtc);
}

void board_reset(struct board *b)
{
	static const enum pmu_irq lines[] = { PMU_IRQ_MSI, PMU_IRQ_MTI,
					      PMU_IRQ_MEI, PMU_IRQ_SEI };

	for (unsigned hart = 0; hart < b->cfg.n_harts; hart++)
		for (unsigned i = 0; i < sizeof(lines) / sizeof(*lines); i++)
			b->ops.irq(b->host, hart, lines[i], false);
	init_devices(b);
}

static bool config_is_valid(const struct board_config *cfg)
{
	uint64_t max = cfg->xlen == 32 ? BOARD_RAM_MAX_32 : BOARD_RAM_MAX_64;

	if (cfg->serial && cfg->kind == BOARD_PLAIN)
		return false;
	return (cfg->xlen == 32 || cfg->xlen == 64) && cfg->n_harts >= 1 &&
	       cfg->n_harts <= PMU_MAX_HARTS &&
	       cfg->ram_size >= BOARD_RAM_MIN && cfg->ram_size <= max &&
	       cfg->ram_size % PMU_PAGE == 0 && cfg->timebase;
}

int board_new(struct board **ret, const struct board_config *cfg,
	      const struct board_ops *ops, void *host)
{
	struct board *b;

	if (!config_is_valid(cfg))
		return -BOARD_EINVAL;
	b = calloc(1, sizeof(*b));
	if (!b)
		return -BOARD_ENOMEM;
	if (bus_init(&b->bus, BOARD_RAM_BASE, cfg->ram_size) < 0) {
		free(b);
		return -BOARD_ENOMEM;
	}
	b->ops = *ops;
	b->host = host;
	b->bus.written = ram_written;
	b->bus.host = b;
	b->cfg = *cfg;
	init_devices(b);
	add_devices(b);
	*ret = b;
	return 0;
}

void board_free(struct board *b)
{
	if (!b)
		return;
	bus_fini(&b->bus);
	free(b);
}

struct bus *board_bus(struct board *b)
{
	return &b->bus;
}

/* Access */

static bool same_page(uint64_t a, uint64_t b)
{
	return a / PMU_PAGE == b / PMU_PAGE;
}

static bool is_htif_page(const struct board *b, uint64_t paddr)
{
	return (b->htif.tohost && same_page(b->htif.tohost, paddr)) ||
	       (b->htif.fromhost && same_page(b->htif.fromhost, paddr));
}

enum board_page board_page(const struct board *b, uint64_t paddr)
{
	if (bus_is_ram(&b->bus, paddr, 1))
		return is_htif_page(b, paddr) ? BOARD_PAGE_HTIF
					      : BOARD_PAGE_RAM;
	/* Every region begins at a page. */
	return bus_find(&b->bus, paddr / PMU_PAGE * PMU_PAGE) ||
			       vacant_has_page(&b->vacant, paddr)
		       ? BOARD_PAGE_DEVICE
		       : BOARD_PAGE_NONE;
}

void board_set_vacant(struct board *b, const struct vacant_range *ranges,
		      unsigned n)
{
	struct vacant *v = &b->vacant;

	assert(n <= VACANT_MAX);
	*v = (struct vacant){ 0 };
	for (unsigned i = 0; i < n; i++)
		if (!b->cfg.firmware || ranges[i].base != BOARD_CLINT_BASE)
			v->range[v->n++] = ranges[i];
}

const struct vacant_range *board_vacant(const struct board *b, unsigned index)
{
	return &b->vacant.range[index];
}

static bool vacant(struct board *b, uint64_t paddr, struct bus_access *access)
{
	unsigned fresh;

	if (!vacant_access(&b->vacant, paddr, access, &fresh))
		return false;
	if (fresh != VACANT_MAX)
		b->ops.vacant(b->host, fresh);
	return true;
}

static bool ram_access(struct board *b, uint64_t paddr,
		       struct bus_access *access)
{
	uint64_t value = 0;

	if (!access->size || access->size > sizeof(value))
		return false;
	if (!access->write) {
		if (!bus_read(&b->bus, paddr, &value, access->size))
			return false;
		access->value = value;
		return true;
	}
	if (!bus_write(&b->bus, paddr, &access->value, access->size))
		return false;
	htif_stored(&b->htif, paddr, access->size);
	return true;
}

bool board_access(struct board *b, uint64_t paddr, struct bus_access *access)
{
	if (bus_is_ram(&b->bus, paddr, 1))
		return ram_access(b, paddr, access);
	if (bus_find(&b->bus, paddr))
		return bus_device_access(&b->bus, paddr, access);
	return vacant(b, paddr, access);
}

void board_stored(struct board *b, uint64_t paddr, uint64_t size)
{
	htif_stored(&b->htif, paddr, size);
}

void board_set_htif(struct board *b, uint64_t tohost, uint64_t fromhost)
{
	assert(tohost % 8 == 0 && bus_is_ram(&b->bus, tohost, tohost ? 8 : 0));
	assert(fromhost % 8 == 0 &&
	       bus_is_ram(&b->bus, fromhost, fromhost ? 8 : 0));
	b->htif.tohost = tohost;
	b->htif.fromhost = fromhost;
}

/* Time */

uint64_t board_timer_next(const struct board *b, unsigned hart)
{
	assert(hart < b->clint.n_harts);
	return b->clint.next[hart] < b->rtc.next ? b->clint.next[hart]
						 : b->rtc.next;
}

void board_timer_run(struct board *b, uint64_t now)
{
	clint_run(&b->clint, now);
	rtc_run(&b->rtc, now);
}

/* State */

enum {
	STATE_AT = offsetof(struct board, uart),
	STATE_SIZE = sizeof(struct board) - STATE_AT,
};

/* The devices' pointers to whom they speak to: each board has its own. */
#define WIRE(field) (offsetof(struct board, field) - STATE_AT)
static const size_t wiring[] = {
	WIRE(serial.ops),    WIRE(serial.host), WIRE(uart.ops),
	WIRE(uart.host),     WIRE(clint.tb),	WIRE(clint.ops),
	WIRE(clint.host),    WIRE(plic.irq),	WIRE(plic.host),
	WIRE(rtc.ops),	     WIRE(rtc.host),	WIRE(finisher.finish),
	WIRE(finisher.host), WIRE(htif.bus),	WIRE(htif.ops),
	WIRE(htif.host),
};
enum {
	N_WIRES = sizeof(wiring) / sizeof(wiring[0])
};

size_t board_state_size(void)
{
	return STATE_SIZE;
}

void board_give(const struct board *b, void *ret_state)
{
	char *ret = ret_state;

	memcpy(ret, (const char *)b + STATE_AT, STATE_SIZE);
	for (unsigned i = 0; i < N_WIRES; i++)
		memset(ret + wiring[i], 0, sizeof(void *));
}

void board_take(struct board *b, const void *state)
{
	char *to = (char *)b + STATE_AT;
	char wires[N_WIRES][sizeof(void *)];

	for (unsigned i = 0; i < N_WIRES; i++)
		memcpy(wires[i], to + wiring[i], sizeof(void *));
	memcpy(to, state, STATE_SIZE);
	for (unsigned i = 0; i < N_WIRES; i++)
		memcpy(to + wiring[i], wires[i], sizeof(void *));
}
