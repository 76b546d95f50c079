/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reading firmware counters (conformance G), and event_get_info (H).
 */
#include "conf.h"

#define WIDE_FW	 0x100000005ull
/* Upper halves are there for RV32; the reference looks no further on RV64. */
#define NO_HIGH	 DIFF(ERR(PARAM), RV64_ANSWER)
#define LOW(v)	 XLEN_OF(v)
#define HIGH(v)	 (RV64 ? 0 : (v) >> 32)
#define ENTRY(e) ((e) << 1)
#if __riscv_xlen == 64
#define RV64_ANSWER VAL(0)
#else
#define RV64_ANSWER ERR(PARAM)
#endif

static const struct step reading[] = {
	FRESH,
	CLAIM("cycle is no firmware counter", RULE("C79"), BOTH(ERR(PARAM)),
	      fw_read, 0),
	CLAIM("nor is a programmable counter", RULE("C79"), BOTH(ERR(PARAM)),
	      fw_read, HW1),
	CLAIM("nor is time", RULE("C79"), BOTH(ERR(PARAM)), fw_read, 1),
	CLAIM("nor what is beyond the last", RULE("C79"), BOTH(ERR(PARAM)),
	      fw_read, N),
	CLAIM("nor -1", RULE("C79"), BOTH(ERR(PARAM)), fw_read, ALL),
	CLAIM("one without an event cannot be read", RULE("C79"),
	      BOTH(ERR(PARAM)), fw_read, FW1),
	CLAIM("cycle has no upper half", RULE("C80"), BOTH(ERR(PARAM)),
	      fw_read_hi, 0),
	CLAIM("nor has what is beyond the last", RULE("C80"), BOTH(ERR(PARAM)),
	      fw_read_hi, N),
	CLAIM("the upper half of one without an event", RULE("C80"), NO_HIGH,
	      fw_read_hi, FW1),
	CLAIM("a counter of set_timer", RULE("C43"), BOTH(VAL(FW1)), config,
	      FW1, FW_SET, CLEAR, FW_SET_TIMER),
	DO(set_timer, ~0ull),
	CLAIM("stopped, it counts nothing", RULE("C79 C91"), BOTH(VAL(0)),
	      fw_read, FW1),
	DO(start, FW1, 1),
	DO(set_timer, ~0ull),
	DO(set_timer, ~0ull),
	CLAIM("started, it counts", RULE("C79 C91 C95"), BOTH(VAL(2)), fw_read,
	      FW1),
	CLAIM("its upper half is 0", RULE("C80"), BOTH(VAL(0)), fw_read_hi,
	      FW1),
	CLAIM("stop it", RULE("C190"), BOTH(VAL(0)), stop, FW1, 1),
	DO(set_timer, ~0ull),
	CLAIM("stopped, it keeps its value", RULE("C79"), BOTH(VAL(2)), fw_read,
	      FW1),
	CLAIM("start it with a wide value", RULE("C3 C82"), BOTH(VAL(0)), start,
	      FW1, 1, SET_INIT, WIDE_FW),
	CLAIM("the lower half of that", RULE("C3 C82"), BOTH(VAL(LOW(WIDE_FW))),
	      fw_read, FW1),
	CLAIM("the upper half of that", RULE("C80 C82"),
	      BOTH(VAL(HIGH(WIDE_FW))), fw_read_hi, FW1),
	CLAIM("a redundant start", RULE("C51"), BOTH(ERR(STARTED)), start, FW1,
	      1, SET_INIT, 9),
	CLAIM("changes no value", RULE("C51 C53"), BOTH(VAL(LOW(WIDE_FW))),
	      fw_read, FW1),
	DO(stop, FW1, 1),
	DO(start, FW1, 1, SET_INIT, ~0ull),
	DO(set_timer, ~0ull),
	CLAIM("it wraps in silence", RULE("C82"), BOTH(VAL(0)), fw_read, FW1),
	CLAIM("RESET", RULE("C62"), BOTH(VAL(0)), stop, FW1, 1, RESET),
	CLAIM("reset, it cannot be read", RULE("C79"), BOTH(ERR(PARAM)),
	      fw_read, FW1),
};

static const struct step values[] = {
	FRESH,
	DO(config, FW1, 1, CLEAR, FW_SET_TIMER),
	DO(start, FW1, 1, SET_INIT, 7),
	DO(stop, FW1, 1, RESET),
	DO(config, FW1, 1, 0, FW_SET_TIMER),
	CLAIM("without CLEAR_VALUE the old value stays", RULE("C33"),
	      BOTH(VAL(7)), fw_read, FW1),
	CLAIM("SKIP_MATCH and CLEAR_VALUE", RULE("C29 C33"), BOTH(VAL(FW1)),
	      config, FW1, 1, SKIP_MATCH | CLEAR, FW_SET_TIMER),
	CLAIM("clear it", RULE("C33"), BOTH(VAL(0)), fw_read, FW1),
	DO(stop, FW1, 1, RESET),
	CLAIM("AUTO_START", RULE("C35"), BOTH(VAL(FW1)), config, FW1, 1, AUTO,
	      FW_SET_TIMER),
	CLAIM("starts it", RULE("C35"), BOTH(ERR(STARTED)), start, FW1, 1),
	CLAIM("so that it can be stopped", RULE("C35"), BOTH(VAL(0)), stop, FW1,
	      1),
	CLAIM("once", RULE("C61"), BOTH(ERR(STOPPED)), stop, FW1, 1),
	FRESH,
};

void chapter_firmware(void)
{
	TAP_STEPS("firmware", reading);
	TAP_STEPS("firmware", values);
}

/* Puts entry a[0]: event a[1], output 0xdead, event_data a[2]. */
static struct answer put(const uint64_t *a)
{
	shared_page[ENTRY(a[0])] = 0xdeadull << 32 | a[1];
	shared_page[ENTRY(a[0]) + 1] = a[2];
	return (struct answer){ 0, 0 };
}

static struct answer output(const uint64_t *a)
{
	const uint64_t at = ENTRY(a[0]);

	return (struct answer){ 0, page_word(&at).value >> 32 };
}

/* Asks about one event, a[0] with event_data a[1]: its output. */
static struct answer ask(const uint64_t *a)
{
	const uint64_t entry[] = { 0, a[0], a[1] };
	const uint64_t args[] = { (uintptr_t)shared_page, 0, 1, 0 };
	struct answer got;

	put(entry);
	got = event_info(args);
	got.value = output(entry).value;
	return got;
}

static const struct step refused[] = {
	CLAIM("reserved flags", RULE("C83"), BOTH(ERR(PARAM)), event_info, PAGE,
	      0, 1, 1),
	CLAIM("an address that is not aligned", RULE("C83"), BOTH(ERR(PARAM)),
	      event_info, PAGE_8, 0, 1, 0),
	CLAIM("no entries", RULE("C84"), BOTH(ERR(PARAM)), event_info, PAGE, 0,
	      0, 0),
	CLAIM("an address beyond the low register", RULE("C83 C141"),
	      BOTH(ERR(ADDRESS)), event_info, PAGE, 1, 1, 0),
	DO(put, 0, CYCLES),
	DO(put, 1, 1 << 20 | CYCLES),
	CLAIM("reserved bits in an entry", RULE("C83"),
	      DIFF(ERR(PARAM), VAL(0)), event_info, PAGE, 0, 2, 0),
	CLAIM("an error leaves all entries alone", RULE("C89"),
	      DIFF(VAL(0xdead), VAL(1)), output, 0),
	CLAIM("reserved bits are no event", RULE("C83"),
	      DIFF(VAL(0xdead), VAL(0)), output, 1),
	DO(put, 0, CYCLES),
	DO(put, 1, INSNS, 5),
	DO(put, 2, 0xffffull << 16, 7),
	CLAIM("two of three entries", RULE("C85 C190"), BOTH(VAL(0)),
	      event_info, PAGE, 0, 2, 0),
	CLAIM("the second has its whole word", RULE("C85"),
	      BOTH(VAL(1ull << 32 | INSNS)), page_word, 2),
	CLAIM("its event_data is as it was", RULE("C85 C87"), BOTH(VAL(5)),
	      page_word, 3),
	CLAIM("the third was not asked for", RULE("C90"), BOTH(VAL(0xdead)),
	      output, 2),
};

static const struct step answers[] = {
	CLAIM("cycles", RULE("C86"), BOTH(VAL(1)), ask, CYCLES),
	CLAIM("instructions", RULE("C86"), BOTH(VAL(1)), ask, INSNS),
	CLAIM("event_data of a general event does not count", RULE("C87"),
	      BOTH(VAL(1)), ask, CYCLES, 1),
	CLAIM("NO_EVENT", RULE("C20 C86"), BOTH(VAL(0)), ask, 0),
	CLAIM("general event 11", RULE("C19 C86"), BOTH(VAL(0)), ask, 11),
	CLAIM("event type 4", RULE("C19 C86"), BOTH(VAL(0)), ask, 0x40000),
	CLAIM("a raw selector of 0", RULE("C41 C86"), BOTH(VAL(0)), ask,
	      0x20000),
	CLAIM("set_timer", RULE("C86"), BOTH(VAL(1)), ask, FW_SET_TIMER),
	CLAIM("firmware event 22", RULE("C19 C86"), BOTH(VAL(0)), ask, 0xf0016),
	CLAIM("a platform event", RULE("C44 C86"), BOTH(VAL(0)), ask, 0xfffff,
	      1),
};

void chapter_event_info(void)
{
	TAP_STEPS("event info", refused);
	TAP_STEPS("event info", answers);
}
