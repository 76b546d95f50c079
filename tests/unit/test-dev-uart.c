/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The serial port, register by register: each row is a sequence of accesses
 * and what the reads in it answer.
 */
#include "board/dev-uart.h"

#include "board-host.h"

enum {
	RBR,
	IER,
	IIR,
	LCR,
	MCR,
	LSR,
	MSR,
	SCR,
	THR = RBR,
	FCR = IIR
};
enum {
	DLL = RBR,
	DLM = IER,
	DLAB = 0x80
};

enum op {
	END,
	READ,
	WRITE,
	INPUT
};

enum boards {
	BOTH,
	VIRT, /* the UART interrupts */
	PLAIN /* it does not */
};

static void setup(void)
{
	board_host_setup(1, false);
}

static const struct sequence_row {
	const char *why;
	struct {
		enum op op;
		uint8_t reg, value;
	} step[8];
	enum boards boards;
} sequence_rows[] = {
	{ "at reset nothing is enabled",
	  { { READ, IER, 0 },
	    { READ, IIR, 0x01 },
	    { READ, LCR, 0 },
	    { READ, MCR, 0 },
	    { READ, SCR, 0 } } },
	{ "the transmitter is always empty", { { READ, LSR, 0x60 } } },
	{ "a byte that waits shows in LSR, once",
	  { { INPUT, 0, 'a' },
	    { READ, LSR, 0x61 },
	    { READ, RBR, 'a' },
	    { READ, LSR, 0x60 },
	    { READ, RBR, 0 } } },
	{ "bytes come in order",
	  { { INPUT, 0, 1 },
	    { INPUT, 0, 2 },
	    { READ, RBR, 1 },
	    { READ, RBR, 2 } } },
	{ "IER has four bits",
	  { { WRITE, IER, 0xff },
	    { READ, IER, 0x0f },
	    { WRITE, IER, 0 },
	    { READ, IER, 0 } } },
	{ "without an interrupt THRI stands in IIR as long as it is enabled",
	  { { WRITE, IER, 2 },
	    { READ, IIR, 0x02 },
	    { READ, IIR, 0x02 },
	    { WRITE, THR, 'x' },
	    { READ, IIR, 0x02 },
	    { WRITE, IER, 0 },
	    { READ, IIR, 0x01 } },
	  PLAIN },
	{ "with one, IIR tells THRI once",
	  { { WRITE, IER, 2 }, { READ, IIR, 0x02 }, { READ, IIR, 0x01 } },
	  VIRT },
	{ "until something is sent",
	  { { WRITE, IER, 2 },
	    { READ, IIR, 0x02 },
	    { WRITE, THR, 'x' },
	    { READ, IIR, 0x02 },
	    { READ, IIR, 0x01 } },
	  VIRT },
	{ "or enabled anew",
	  { { WRITE, IER, 2 },
	    { READ, IIR, 0x02 },
	    { WRITE, IER, 0 },
	    { READ, IIR, 0x01 },
	    { WRITE, IER, 2 },
	    { READ, IIR, 0x02 } },
	  VIRT },
	{ "but not by enabling what was",
	  { { WRITE, IER, 2 },
	    { READ, IIR, 0x02 },
	    { WRITE, IER, 3 },
	    { READ, IIR, 0x01 } },
	  VIRT },
	{ "what is looped was sent, too",
	  { { WRITE, IER, 2 },
	    { READ, IIR, 0x02 },
	    { WRITE, MCR, 0x10 },
	    { WRITE, THR, 'z' },
	    { READ, IIR, 0x02 } },
	  VIRT },
	{ "telling of input does not tell THRI",
	  { { WRITE, IER, 3 },
	    { INPUT, 0, 'a' },
	    { READ, IIR, 0x04 },
	    { READ, RBR, 'a' },
	    { READ, IIR, 0x02 },
	    { READ, IIR, 0x01 } },
	  VIRT },
	{ "below the trigger level it is a timeout",
	  { { WRITE, FCR, 0x41 },
	    { WRITE, IER, 1 },
	    { INPUT, 0, 'a' },
	    { INPUT, 0, 'b' },
	    { INPUT, 0, 'c' },
	    { READ, IIR, 0xcc },
	    { INPUT, 0, 'd' },
	    { READ, IIR, 0xc4 } },
	  VIRT },
	{ "levels are for FIFOs",
	  { { WRITE, FCR, 0xc0 },
	    { WRITE, IER, 1 },
	    { INPUT, 0, 'a' },
	    { READ, IIR, 0x04 } } },
	{ "a level of one has no timeout",
	  { { WRITE, FCR, 0x01 },
	    { WRITE, IER, 1 },
	    { INPUT, 0, 'a' },
	    { READ, IIR, 0xc4 } } },
	{ "the modem's interrupt never comes",
	  { { WRITE, IER, 0x0c },
	    { WRITE, MCR, 0x1f },
	    { WRITE, MCR, 0 },
	    { READ, IIR, 0x01 } } },
	{ "received data goes before THRI",
	  { { WRITE, IER, 3 },
	    { INPUT, 0, 'a' },
	    { READ, IIR, 0x04 },
	    { READ, RBR, 'a' },
	    { READ, IIR, 0x02 } } },
	{ "received data is told only when enabled",
	  { { INPUT, 0, 'a' },
	    { READ, IIR, 0x01 },
	    { WRITE, IER, 1 },
	    { READ, IIR, 0x04 } } },
	{ "FIFOs show in IIR while enabled",
	  { { WRITE, FCR, 0x01 },
	    { READ, IIR, 0xc1 },
	    { WRITE, FCR, 0 },
	    { READ, IIR, 0x01 } } },
	{ "clearing the FIFOs loses no input",
	  { { INPUT, 0, 'a' },
	    { WRITE, FCR, 0x07 },
	    { READ, LSR, 0x61 },
	    { READ, RBR, 'a' } } },
	{ "DLAB puts the divisor in front of data and IER",
	  { { WRITE, IER, 1 },
	    { WRITE, LCR, DLAB | 3 },
	    { WRITE, DLL, 0x12 },
	    { WRITE, DLM, 0x34 },
	    { READ, DLL, 0x12 },
	    { READ, DLM, 0x34 },
	    { WRITE, LCR, 3 },
	    { READ, IER, 1 } } },
	{ "the divisor stays",
	  { { WRITE, LCR, DLAB },
	    { WRITE, DLL, 7 },
	    { WRITE, LCR, 0 },
	    { WRITE, LCR, DLAB },
	    { READ, DLL, 7 },
	    { READ, LCR, DLAB } } },
	{ "reading the divisor takes no input",
	  { { INPUT, 0, 'a' },
	    { WRITE, LCR, DLAB },
	    { READ, DLL, 0 },
	    { WRITE, LCR, 0 },
	    { READ, RBR, 'a' } } },
	{ "IIR reads the same with DLAB set",
	  { { WRITE, LCR, 0xbf }, { READ, IIR, 0x01 } } },
	{ "MCR has five bits", { { WRITE, MCR, 0xff }, { READ, MCR, 0x1f } } },
	{ "the modem is there", { { READ, MSR, 0xb0 } } },
	{ "loopback turns RTS and OUT2 into CTS and DCD",
	  { { WRITE, MCR, 0x1a }, { READ, MSR, 0x90 } } },
	{ "loopback turns DTR and OUT1 into DSR and RI",
	  { { WRITE, MCR, 0x15 }, { READ, MSR, 0x60 } } },
	{ "loopback turns each into its own",
	  { { WRITE, MCR, 0x11 },
	    { READ, MSR, 0x20 },
	    { WRITE, MCR, 0x12 },
	    { READ, MSR, 0x10 },
	    { WRITE, MCR, 0x14 },
	    { READ, MSR, 0x40 },
	    { WRITE, MCR, 0x18 },
	    { READ, MSR, 0x80 } } },
	{ "loopback returns what is sent, and hides input",
	  { { INPUT, 0, 'a' },
	    { WRITE, MCR, 0x10 },
	    { READ, LSR, 0x60 },
	    { WRITE, THR, 'z' },
	    { READ, LSR, 0x61 },
	    { READ, RBR, 'z' },
	    { WRITE, MCR, 0 },
	    { READ, RBR, 'a' } } },
	{ "a looped byte does not outlive loopback",
	  { { WRITE, MCR, 0x10 },
	    { WRITE, THR, 'z' },
	    { WRITE, MCR, 0 },
	    { READ, LSR, 0x60 },
	    { WRITE, MCR, 0x10 },
	    { READ, LSR, 0x60 } } },
	{ "LSR and MSR are read-only",
	  { { WRITE, LSR, 0 },
	    { WRITE, MSR, 0 },
	    { READ, LSR, 0x60 },
	    { READ, MSR, 0xb0 } } },
	{ "the scratch register keeps a byte",
	  { { WRITE, SCR, 0xa5 }, { READ, SCR, 0xa5 } } },
	{ "beyond the registers there is nothing",
	  { { WRITE, 0x80, 1 }, { READ, 0x80, 0 }, { READ, 0xff, 0 } } },
};

static void run_row(const struct sequence_row *row)
{
	for (unsigned i = 0; i < 8 && row->step[i].op != END; i++) {
		uint64_t addr = BOARD_UART_BASE + row->step[i].reg;
		uint8_t value = row->step[i].value;

		if (row->step[i].op == READ)
			ck_assert_msg(rd(addr, 1, 0) == value, "%s: step %u",
				      row->why, i);
		else if (row->step[i].op == WRITE)
			ck_assert(wr(addr, 1, value, 0));
		else
			ck_assert(board_console_input(host.board, &value, 1));
	}
}

TEST_WHERE(registers_answer_as_a_16550a, 0, ARRAY_SIZE(sequence_rows),
	   sequence_rows[_i].boards != PLAIN)
{
	run_row(&sequence_rows[_i]);
}

TEST_WHERE(and_without_an_interrupt, 0, ARRAY_SIZE(sequence_rows),
	   sequence_rows[_i].boards != VIRT)
{
	board_host_setup_kind(1, false, BOARD_PLAIN);
	run_row(&sequence_rows[_i]);
}

/* The line alone, with whoever is at its other end. */
static struct uart uart;
static unsigned n_waiting, n_driven;
static bool line;

static void line_out(void *h, uint8_t byte)
{
}

static size_t line_waiting(void *h)
{
	return n_waiting;
}

static uint8_t line_in(void *h)
{
	n_waiting--;
	return 'a';
}

static void line_irq(void *h, bool level)
{
	ck_assert(line != level);
	line = level;
	n_driven++;
}

static uint8_t line_access(uint8_t reg, bool write, uint8_t value)
{
	struct bus_access a = {
		.offset = reg, .size = 1, .write = write, .value = value
	};

	ck_assert(uart_access(&uart, &a));
	return (uint8_t)a.value;
}

static const struct line_row {
	const char *why;
	struct {
		enum op op;
		uint8_t reg, value;
		bool line; /* afterwards */
	} step[6];
} line_rows[] = {
	{ "input raises it when enabled, until it is read",
	  { { INPUT, 0, 1, false },
	    { WRITE, IER, 1, true },
	    { INPUT, 0, 1, true },
	    { READ, RBR, 'a', true },
	    { READ, RBR, 'a', false } } },
	{ "IIR does not lower what input raised",
	  { { WRITE, IER, 1, false },
	    { INPUT, 0, 1, true },
	    { READ, IIR, 0x04, true },
	    { WRITE, IER, 0, false } } },
	{ "THRI is raised by its enabling, lowered by IIR",
	  { { WRITE, IER, 2, true },
	    { READ, LSR, 0x60, true },
	    { READ, IIR, 0x02, false },
	    { WRITE, IER, 0, false },
	    { WRITE, IER, 2, true } } },
	{ "and raised by what is sent",
	  { { WRITE, IER, 2, true },
	    { READ, IIR, 0x02, false },
	    { WRITE, THR, 'x', true },
	    { WRITE, IER, 0, false } } },
	{ "both: one after the other",
	  { { WRITE, IER, 3, true },
	    { INPUT, 0, 1, true },
	    { READ, IIR, 0x04, true },
	    { READ, RBR, 'a', true },
	    { READ, IIR, 0x02, false } } },
	{ "input does not count in loopback, what is looped does",
	  { { WRITE, IER, 1, false },
	    { INPUT, 0, 1, true },
	    { WRITE, MCR, 0x10, false },
	    { WRITE, THR, 'z', true },
	    { READ, RBR, 'z', false },
	    { WRITE, MCR, 0, true } } },
	{ "the divisor is no data",
	  { { WRITE, IER, 2, true },
	    { READ, IIR, 0x02, false },
	    { WRITE, LCR, DLAB, false },
	    { WRITE, DLL, 1, false },
	    { WRITE, DLM, 3, false } } },
};

TEST_ROWS(the_interrupt_line_follows, line_rows)
{
	static const struct uart_ops ops = { line_out, line_waiting, line_in,
					     line_irq };
	const struct line_row *row = &line_rows[_i];

	line = false;
	n_waiting = 0;
	uart_init(&uart, &ops, NULL);
	for (unsigned i = 0; i < 6 && row->step[i].op != END; i++) {
		uint8_t reg = row->step[i].reg, value = row->step[i].value;

		if (row->step[i].op == INPUT) {
			n_waiting++;
			uart_poll(&uart);
		} else if (row->step[i].op == WRITE) {
			line_access(reg, true, value);
		} else {
			ck_assert_msg(line_access(reg, false, 0) == value,
				      "%s: step %u", row->why, i);
		}
		ck_assert_msg(line == row->step[i].line, "%s: step %u: line",
			      row->why, i);
	}
}

/* Through the controller to S-mode of hart 0. */
#define PLIC(offset) (BOARD_PLIC_BASE + (offset))

TEST(input_interrupts_a_hart)
{
	uint8_t byte = 'a';

	wr(PLIC(4 * BOARD_SOURCE_UART), 4, 1, 0);
	wr(PLIC(0x2080), 4, 1u << BOARD_SOURCE_UART, 0);
	wr(BOARD_UART_BASE + IER, 1, 1, 0);
	ck_assert(!host.line[PMU_IRQ_SEI][0]);
	board_console_input(host.board, &byte, 1);
	ck_assert(host.line[PMU_IRQ_SEI][0]);
	ck_assert(!host.line[PMU_IRQ_MEI][0]);
	ck_assert_uint_eq(rd(PLIC(0x201004), 4, 0), BOARD_SOURCE_UART);
	ck_assert(!host.line[PMU_IRQ_SEI][0]);
	wr(PLIC(0x201004), 4, BOARD_SOURCE_UART, 0);
	ck_assert(host.line[PMU_IRQ_SEI][0]);
}

/* The firmware takes the byte: the device has nothing to tell any more. */
TEST(what_the_firmware_reads_lowers_the_line)
{
	uint8_t byte = 'a';

	wr(PLIC(4 * BOARD_SOURCE_UART), 4, 1, 0);
	wr(PLIC(0x2080), 4, 1u << BOARD_SOURCE_UART, 0);
	wr(BOARD_UART_BASE + IER, 1, 1, 0);
	board_console_input(host.board, &byte, 1);
	ck_assert_uint_eq(rd(PLIC(0x201004), 4, 0), BOARD_SOURCE_UART);
	ck_assert_uint_eq(board_console_read(host.board, &byte, 1), 1);
	wr(PLIC(0x201004), 4, BOARD_SOURCE_UART, 0);
	ck_assert(!host.line[PMU_IRQ_SEI][0]);
	ck_assert_uint_eq(rd(PLIC(0x1000), 4, 0), 0);
}

TEST(the_second_port_is_its_own)
{
	wr(PLIC(4 * BOARD_SOURCE_SERIAL), 4, 1, 0);
	wr(PLIC(0x2080), 4, 1u << BOARD_SOURCE_SERIAL, 0);
	wr(BOARD_UART_BASE + IER, 1, 2, 0);
	ck_assert(!host.line[PMU_IRQ_SEI][0]);
	wr(BOARD_SERIAL_BASE + IER, 1, 2, 0);
	ck_assert(host.line[PMU_IRQ_SEI][0]);
	ck_assert_uint_eq(rd(PLIC(0x201004), 4, 0), BOARD_SOURCE_SERIAL);
	wr(BOARD_SERIAL_BASE, 1, 'b', 0);
	ck_assert_int_eq(host.port, BOARD_SERIAL);
	wr(BOARD_UART_BASE, 1, 'a', 0);
	ck_assert_int_eq(host.port, BOARD_CONSOLE);
	ck_assert_str_eq(host.out, "ba");
}

TEST(nothing_comes_in_by_the_second_port)
{
	board_console_input(host.board, (const uint8_t *)"a", 1);
	ck_assert_uint_eq(rd(BOARD_SERIAL_BASE + LSR, 1, 0), 0x60);
	ck_assert_uint_eq(rd(BOARD_SERIAL_BASE, 1, 0), 0);
	ck_assert_uint_eq(rd(BOARD_UART_BASE, 1, 0), 'a');
}

/* Only a hart's own accesses claim; nobody outside can read a device. */
TEST(the_firmwares_guest_has_the_controller)
{
	board_host_setup(1, true);
	ck_assert_uint_eq(rd(PLIC(0x200000), 4, 0), 7);
	ck_assert_uint_eq(rd(PLIC(0x201000), 4, 0), 7);
	ck_assert(!bus_read(board_bus(host.board), PLIC(0x201004),
			    &(uint32_t){ 0 }, 4));
}

TEST(output_leaves_at_once)
{
	for (const char *p = "Hi\n"; *p; p++)
		wr(BOARD_UART_BASE, 1, (uint8_t)*p, 0);
	ck_assert_str_eq(host.out, "Hi\n");
}

TEST(neither_divisor_nor_loopback_reaches_the_console)
{
	wr(BOARD_UART_BASE + LCR, 1, DLAB, 0);
	wr(BOARD_UART_BASE + DLL, 1, 'a', 0);
	wr(BOARD_UART_BASE + LCR, 1, 0, 0);
	wr(BOARD_UART_BASE + MCR, 1, 0x10, 0);
	wr(BOARD_UART_BASE + THR, 1, 'b', 0);
	ck_assert_uint_eq(host.n_out, 0);
}

TEST(a_wide_access_means_the_register_at_its_address)
{
	ck_assert(wr(BOARD_UART_BASE, 4, 0x11223344 + 'A' - 0x44, 0));
	ck_assert_str_eq(host.out, "A");
	ck_assert_uint_eq(rd(BOARD_UART_BASE + 4, 4, 0), 0);
	wr(BOARD_UART_BASE + SCR, 1, 0x77, 0);
	ck_assert_uint_eq(rd(BOARD_UART_BASE + 6, 2, 0), 0xb0);
	ck_assert_uint_eq(rd(BOARD_UART_BASE, 8, 0), 0);
}

/* One byte less waits for more, as a timeout. */
TEST_RANGE(a_level_is_reached_by_so_many_bytes, 0, 4)
{
	static const unsigned levels[] = { 1, 4, 8, 14 };
	unsigned n = levels[_i];

	wr(BOARD_UART_BASE + FCR, 1, (uint64_t)_i << 6 | 1, 0);
	wr(BOARD_UART_BASE + IER, 1, 1, 0);
	for (unsigned i = 1; i <= n; i++) {
		board_console_input(host.board, (const uint8_t *)"a", 1);
		ck_assert_uint_eq(rd(BOARD_UART_BASE + IIR, 1, 0),
				  i < n ? 0xcc : 0xc4);
	}
}

SUITE("dev-uart", .setup = setup, .teardown = board_host_teardown);
