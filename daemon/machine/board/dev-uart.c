/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A 16550A serial port: what each register reads and what writing it does.
 * Where bytes come from and go to is the board's.
 */
#include "dev-uart.h"

enum {
	IER_RDI = 1,
	IER_THRI = 2,
	IER_MASK = 0x0f
};
enum {
	IIR_NONE = 0x01,
	IIR_THRI = 0x02,
	IIR_RDI = 0x04,
	IIR_TIMEOUT = 0x0c,
	IIR_FIFO = 0xc0
};
enum {
	FCR_ENABLE = 0x01,
	FCR_TRIGGER = 6 /* bits 7:6 */
};
enum {
	LCR_DLAB = 0x80
};
enum {
	MCR_DTR = 1,
	MCR_RTS = 2,
	MCR_OUT1 = 4,
	MCR_OUT2 = 8,
	MCR_LOOP = 16,
	MCR_MASK = 0x1f
};
enum {
	LSR_DR = 0x01,
	LSR_THRE = 0x20,
	LSR_TEMT = 0x40
};
enum {
	MSR_CTS = 0x10,
	MSR_DSR = 0x20,
	MSR_RI = 0x40,
	MSR_DCD = 0x80
};

enum {
	N_REGISTERS = 8
};

/* How many bytes the receiver has. */
static size_t received(const struct uart *u)
{
	return u->mcr & MCR_LOOP ? u->looped : u->ops->waiting(u->host);
}

static bool ready(const struct uart *u)
{
	return received(u) > 0;
}

static uint8_t read_data(struct uart *u)
{
	if (u->lcr & LCR_DLAB)
		return u->dll;
	if (!ready(u))
		return 0;
	if (u->mcr & MCR_LOOP) {
		u->looped = false;
		return u->loop;
	}
	return u->ops->in(u->host);
}

static void write_data(struct uart *u, uint8_t value)
{
	if (u->lcr & LCR_DLAB) {
		u->dll = value;
		return;
	}
	if (u->mcr & MCR_LOOP) {
		u->loop = value;
		u->looped = true;
	} else {
		u->ops->out(u->host, value);
	}
	u->thri = true;
}

static uint8_t read_ier(struct uart *u)
{
	return u->lcr & LCR_DLAB ? u->dlm : u->ier;
}

static void write_ier(struct uart *u, uint8_t value)
{
	if (u->lcr & LCR_DLAB) {
		u->dlm = value;
		return;
	}
	/* The transmitter is empty: enabling its interrupt tells so again. */
	if (!(u->ier & IER_THRI))
		u->thri = true;
	u->ier = value & IER_MASK;
}

/*
 * The transmitter is always empty, and with no interrupt line there is no
 * edge to miss: THRI stands as long as it is enabled, or a polling driver
 * would wait for it for ever.
 */
static bool tells_empty(const struct uart *u)
{
	return u->ier & IER_THRI && (u->thri || !u->ops->irq);
}

/* The interrupt that goes first. Neither line errors nor the modem have any. */
static uint8_t interrupt(const struct uart *u)
{
	size_t n = received(u);

	if (u->ier & IER_RDI && n)
		return u->fifo && n < u->trigger && u->ops->irq ? IIR_TIMEOUT
								: IIR_RDI;
	return tells_empty(u) ? IIR_THRI : IIR_NONE;
}

static uint8_t read_iir(struct uart *u)
{
	uint8_t iir = interrupt(u);

	if (iir == IIR_THRI)
		u->thri = false;
	return iir | (u->fifo ? IIR_FIFO : 0);
}

static void write_fcr(struct uart *u, uint8_t value)
{
	static const uint8_t triggers[] = { 1, 4, 8, 14 };

	u->fifo = value & FCR_ENABLE;
	u->trigger = triggers[value >> FCR_TRIGGER];
}

static uint8_t read_lcr(struct uart *u)
{
	return u->lcr;
}

static void write_lcr(struct uart *u, uint8_t value)
{
	u->lcr = value;
}

static uint8_t read_mcr(struct uart *u)
{
	return u->mcr;
}

static void write_mcr(struct uart *u, uint8_t value)
{
	u->mcr = value & MCR_MASK;
	if (!(u->mcr & MCR_LOOP))
		u->looped = false;
}

static uint8_t read_lsr(struct uart *u)
{
	return LSR_THRE | LSR_TEMT | (ready(u) ? LSR_DR : 0);
}

static uint8_t read_msr(struct uart *u)
{
	if (!(u->mcr & MCR_LOOP))
		return MSR_CTS | MSR_DSR | MSR_DCD;
	return (u->mcr & MCR_DTR ? MSR_DSR : 0) |
	       (u->mcr & MCR_RTS ? MSR_CTS : 0) |
	       (u->mcr & MCR_OUT1 ? MSR_RI : 0) |
	       (u->mcr & MCR_OUT2 ? MSR_DCD : 0);
}

static uint8_t read_scr(struct uart *u)
{
	return u->scr;
}

static void write_scr(struct uart *u, uint8_t value)
{
	u->scr = value;
}

/* A missing write is a read-only register: the write is ignored. */
static const struct uart_register {
	uint8_t (*read)(struct uart *u);
	void (*write)(struct uart *u, uint8_t value);
} registers[N_REGISTERS] = {
	{ read_data, write_data }, /* RBR, THR; DLL with DLAB */
	{ read_ier, write_ier },   /* IER; DLM with DLAB */
	{ read_iir, write_fcr },   /* IIR, FCR */
	{ read_lcr, write_lcr },   /* LCR */
	{ read_mcr, write_mcr },   /* MCR */
	{ read_lsr, NULL },	   /* LSR */
	{ read_msr, NULL },	   /* MSR */
	{ read_scr, write_scr },   /* SCR */
};

void uart_init(struct uart *u, const struct uart_ops *ops, void *host)
{
	*u = (struct uart){ .trigger = 1, .ops = ops, .host = host };
}

void uart_poll(struct uart *u)
{
	bool level = interrupt(u) != IIR_NONE;

	if (!u->ops->irq || level == u->line)
		return;
	u->line = level;
	u->ops->irq(u->host, level);
}

/* A wider access reaches the register at its address, in its low byte. */
bool uart_access(void *dev, struct bus_access *access)
{
	struct uart *u = dev;
	const struct uart_register *r;

	if (!access->write)
		access->value = 0;
	if (access->offset >= N_REGISTERS)
		return true;
	r = &registers[access->offset];
	if (!access->write)
		access->value = r->read(u);
	else if (r->write)
		r->write(u, (uint8_t)access->value);
	uart_poll(u);
	return true;
}
