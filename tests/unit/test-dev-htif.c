/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The host-target interface: when a stored word is a command, in whole and in
 * halves, and what each command does and answers.
 */
#include "board-host.h"
#include "board/dev-htif.h"

#define TOHOST	 0x80001000ull
#define FROMHOST 0x80001040ull
#define BLOCK	 0x80002000ull
#define TEXT	 0x80003000ull

#define CONSOLE(cmd, byte) (1ull << 56 | (uint64_t)(cmd) << 48 | (byte))
#define GOT(byte)	   (CONSOLE(0, 0x100) | (byte))

static void setup(void)
{
	board_host_setup(1, false);
	board_set_htif(host.board, TOHOST, FROMHOST);
}

static uint64_t ram(uint64_t paddr)
{
	uint64_t value;

	ck_assert(bus_read(board_bus(host.board), paddr, &value, 8));
	return value;
}

static void poke(uint64_t paddr, uint64_t value)
{
	ck_assert(bus_write(board_bus(host.board), paddr, &value, 8));
}

static void call(uint64_t number, uint64_t a, uint64_t b, uint64_t c)
{
	poke(BLOCK, number);
	poke(BLOCK + 8, a);
	poke(BLOCK + 16, b);
	poke(BLOCK + 24, c);
	wr(TOHOST, 8, BLOCK, 0);
}

TEST(only_pages_of_the_words_are_watched)
{
	ck_assert_int_eq(board_page(host.board, TOHOST + 0xfff),
			 BOARD_PAGE_HTIF);
	ck_assert_int_eq(board_page(host.board, TOHOST - 1), BOARD_PAGE_RAM);
	ck_assert_int_eq(board_page(host.board, 0x80002000), BOARD_PAGE_RAM);
	board_set_htif(host.board, TOHOST, 0x80005000);
	ck_assert_int_eq(board_page(host.board, 0x80005008), BOARD_PAGE_HTIF);
	board_set_htif(host.board, 0, 0);
	ck_assert_int_eq(board_page(host.board, TOHOST), BOARD_PAGE_RAM);
}

TEST(other_stores_to_the_page_are_plain)
{
	ck_assert(wr(TOHOST + 8, 2, 0x12345, 0));
	ck_assert_uint_eq(rd(TOHOST + 8, 4, 0), 0x2345);
	ck_assert_uint_eq(host.n_written, 1);
	ck_assert_uint_eq(host.written, TOHOST + 8);
	ck_assert_uint_eq(host.n_ends + host.n_out, 0);
}

static const struct exit_row {
	const char *why;
	uint64_t addr, value;
	uint8_t size;
	bool ends;
	uint64_t code;
} exit_rows[] = {
	{ "1 is success", TOHOST, 1, 8, true, 0 },
	{ "the code is shifted by one", TOHOST, 7 << 1 | 1, 8, true, 7 },
	{ "a large code", TOHOST, 0xffffffffffff, 8, true, 0x7fffffffffff },
	{ "the low half alone", TOHOST, 3, 4, true, 1 },
	{ "one byte alone", TOHOST, 5, 1, true, 2 },
	{ "0 is nothing", TOHOST, 0, 8, false, 0 },
	{ "an even number that is no RAM", TOHOST, 0x42, 8, false, 0 },
	{ "fromhost is no command", FROMHOST, 1, 8, false, 0 },
	{ "a device that does not exist", TOHOST, 2ull << 56 | 1, 8, false, 0 },
};

TEST_ROWS(an_odd_word_ends_the_machine, exit_rows)
{
	const struct exit_row *row = &exit_rows[_i];

	ck_assert(wr(row->addr, row->size, row->value, 0));
	ck_assert_msg(host.n_ends == row->ends, "%s", row->why);
	if (row->ends) {
		ck_assert_int_eq(host.end, BOARD_END_HTIF);
		ck_assert_msg(host.code == row->code, "%s", row->why);
		ck_assert_uint_eq(ram(TOHOST), 0);
	}
}

TEST(putchar_prints_and_clears_tohost)
{
	wr(TOHOST, 8, CONSOLE(1, 'o'), 0);
	ck_assert_uint_eq(ram(TOHOST), 0);
	wr(TOHOST, 8, CONSOLE(1, 'k'), 0);
	ck_assert_str_eq(host.out, "ok");
	ck_assert_uint_eq(ram(FROMHOST), 0);
}

TEST(halves_make_a_console_command_high_half_first)
{
	wr(TOHOST + 4, 4, 0x01010000, 0);
	ck_assert_uint_eq(host.n_out, 0);
	wr(TOHOST, 4, 'A', 0);
	ck_assert_str_eq(host.out, "A");
	ck_assert_uint_eq(host.n_ends, 0);
}

/* Where the low half alone is no command yet. */
TEST(halves_make_a_console_command_low_half_first)
{
	wr(TOHOST, 4, 'B', 0);
	ck_assert_uint_eq(host.n_out + host.n_ends, 0);
	wr(TOHOST + 4, 4, 0x01010000, 0);
	ck_assert_str_eq(host.out, "B");
	ck_assert_uint_eq(host.n_ends, 0);
}

/* NUL, too, which only a store to the low half is. */
TEST_TIMES(each_byte_of_the_low_half_completes_a_command, 8)
{
	wr(TOHOST + 4, 4, 0x01010000, 0);
	ck_assert_uint_eq(host.n_out, 0);
	wr(TOHOST + (unsigned)_i, 1, _i == 7 || _i == 6, 0);
	ck_assert_uint_eq(host.n_out, _i < 4);
	ck_assert_uint_eq(host.n_ends, 0);
}

TEST(halves_of_an_exit_end_once)
{
	wr(TOHOST, 4, 1, 0);
	wr(TOHOST + 4, 4, 0, 0);
	ck_assert_uint_eq(host.n_ends, 1);
}

TEST(getchar_answers_when_there_is_input)
{
	wr(TOHOST, 8, CONSOLE(0, 0), 0);
	ck_assert_uint_eq(ram(TOHOST), 0);
	ck_assert_uint_eq(ram(FROMHOST), 0);
	board_console_input(host.board, (const uint8_t *)"xy", 2);
	ck_assert_uint_eq(ram(FROMHOST), GOT('x'));
	wr(FROMHOST, 8, 0, 0);
	ck_assert_uint_eq(ram(FROMHOST), 0);
	wr(TOHOST, 8, CONSOLE(0, 0), 0);
	ck_assert_uint_eq(ram(FROMHOST), GOT('y'));
}

TEST(an_answer_waits_until_fromhost_is_clear)
{
	board_console_input(host.board, (const uint8_t *)"xy", 2);
	wr(TOHOST, 8, CONSOLE(0, 0), 0);
	wr(TOHOST, 8, CONSOLE(0, 0), 0);
	ck_assert_uint_eq(ram(FROMHOST), GOT('x'));
	wr(FROMHOST, 8, 0, 0);
	ck_assert_uint_eq(ram(FROMHOST), GOT('y'));
}

TEST(a_program_without_fromhost_gets_no_answer)
{
	board_set_htif(host.board, TOHOST, 0);
	board_console_input(host.board, (const uint8_t *)"x", 1);
	wr(TOHOST, 8, CONSOLE(0, 0), 0);
	ck_assert_uint_eq(ram(FROMHOST), 0);
	ck_assert_uint_eq(board_console_space(host.board),
			  BOARD_CONSOLE_QUEUE - 1);
}

static const struct call_row {
	const char *why;
	uint64_t number, a, b, c;
	int64_t answer;
	const char *out;
} call_rows[] = {
	{ "write to stdout", 64, 1, TEXT, 5, 5, "Hello" },
	{ "write to stderr", 64, 2, TEXT, 2, 2, "He" },
	{ "write nothing", 64, 1, 0, 0, 0, "" },
	{ "write elsewhere", 64, 3, TEXT, 5, -9, "" },
	{ "write from a device", 64, 1, 0x10000000, 5, -14, "" },
	{ "write over the end of RAM", 64, 1, 0x8000fffc, 5, -14, "" },
	{ "write a length that wraps", 64, 1, 0x80008000, UINT64_MAX, -14, "" },
	{ "a call that is not proxied", 57, 1, 2, 3, -38, "" },
};

TEST_ROWS(proxied_calls_answer_in_their_block, call_rows)
{
	const struct call_row *row = &call_rows[_i];
	uint64_t text;

	memcpy(&text, "Hello!!!", 8);
	poke(TEXT, text);
	call(row->number, row->a, row->b, row->c);
	ck_assert_msg((int64_t)ram(BLOCK) == row->answer, "%s: %lld", row->why,
		      (long long)ram(BLOCK));
	ck_assert_str_eq(host.out, row->out);
	ck_assert_uint_eq(ram(FROMHOST), 1);
	ck_assert_uint_eq(ram(TOHOST), 0);
}

/* As many bytes as there are RAM: one more would be none of it. */
TEST(a_call_writes_so_much_at_once)
{
	call(64, 1, 0x80000000, HTIF_MAX_WRITE + 1);
	ck_assert_uint_eq(ram(BLOCK), HTIF_MAX_WRITE);
	ck_assert_uint_eq(host.n_out, sizeof(host.out) - 1); /* what it keeps */
}

TEST(proxied_exit_ends_the_machine)
{
	call(93, 42, 0, 0);
	ck_assert_uint_eq(host.n_ends, 1);
	ck_assert_uint_eq(host.code, 42);
	ck_assert_int_eq(host.end, BOARD_END_HTIF);
}

TEST(a_block_must_be_ram_as_a_whole)
{
	wr(TOHOST, 8, 0x8000ffc2, 0);
	ck_assert_uint_eq(ram(FROMHOST), 0);
	wr(TOHOST, 8, 0x8000ffc0, 0);
	ck_assert_uint_eq(ram(FROMHOST), 1);
}

SUITE("dev-htif", .setup = setup, .teardown = board_host_teardown);
