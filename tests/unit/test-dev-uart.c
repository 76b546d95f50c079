/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The serial port, register by register: each row is a sequence of accesses
 * and what the reads in it answer.
 */
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

static void setup(void)
{
	board_host_setup(1, true);
}

static const struct sequence_row {
	const char *why;
	struct {
		enum op op;
		uint8_t reg, value;
	} step[8];
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
	{ "THRI stands in IIR as long as it is enabled (engine quirk 14)",
	  { { WRITE, IER, 2 },
	    { READ, IIR, 0x02 },
	    { READ, IIR, 0x02 },
	    { WRITE, THR, 'x' },
	    { READ, IIR, 0x02 },
	    { WRITE, IER, 0 },
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

TEST_ROWS(registers_answer_as_a_16550a, sequence_rows)
{
	const struct sequence_row *row = &sequence_rows[_i];

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

SUITE("dev-uart", .setup = setup, .teardown = board_host_teardown);
