/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counter_config_matching with SKIP_MATCH (conformance C29 to C36), and the
 * calls that the reference does not survive, which come last of all.
 */
#include "conf.h"

static const struct step unconfigured[] = {
	FRESH,
	CLAIM("a counter without an event", RULE("C29 C32"), BOTH(ERR(PARAM)),
	      config, HW1, 1, SKIP_MATCH, CYCLES),
	CLAIM("a firmware counter without an event", RULE("C29"),
	      BOTH(ERR(PARAM)), config, FW1, 1, SKIP_MATCH, FW_SET_TIMER),
	CLAIM("time", RULE("C8 C32"), BOTH(ERR(PARAM)), config, 1, 1,
	      SKIP_MATCH, CYCLES),
	CLAIM("cycle, which always has its event", RULE("C26"), BOTH(VAL(0)),
	      config, 0, 1, SKIP_MATCH, CYCLES),
	CLAIM("cycle for instructions", RULE("C30"),
	      DIFF(ERR(UNSUPPORTED), VAL(0)), config, 0, 1, SKIP_MATCH, INSNS),
	FRESH,
};

static const struct step stopped[] = {
	DO(config, HW1, 1, SINH | CLEAR, CYCLES),
	CLAIM("a stopped counter, its event", RULE("C30"), BOTH(VAL(HW1)),
	      config, HW1, 1, SKIP_MATCH | SINH, CYCLES),
	CLAIM("a stopped counter, another event", RULE("C30"), BOTH(VAL(HW1)),
	      config, HW1, 1, SKIP_MATCH | SINH, INSNS),
	CLAIM("a stopped counter, no event", RULE("C20 C30 C206"),
	      DIFF(ERR(UNSUPPORTED), VAL(HW1)), config, HW1, 1, SKIP_MATCH, 0),
	CLAIM("a stopped counter, bits above the twenty", RULE("C22 C206"),
	      DIFF(ERR(UNSUPPORTED), VAL(HW1)), config, HW1, 1, SKIP_MATCH,
	      1 << 20 | CYCLES),
	CLAIM("a stopped counter, an event that is none", RULE("C19"),
	      DIFF(ERR(UNSUPPORTED), ERR(PARAM)), config, HW1, 1, SKIP_MATCH,
	      11),
	CLAIM("the first of a set is meant", RULE("C29"), BOTH(VAL(HW1)),
	      config, 0, PROGRAMMABLE, SKIP_MATCH | SINH, CYCLES),
	DO(start, HW1, 1, SET_INIT, 500),
	DO(stop, HW1, 1),
	CLAIM("without CLEAR_VALUE", RULE("C33"), BOTH(VAL(HW1)), config, HW1,
	      1, SKIP_MATCH | SINH, CYCLES),
	CLAIM("the value stays", RULE("C33"), BOTH(VAL(500)), read_counter,
	      HW1),
	CLAIM("a refused call changes nothing", RULE("C28"), BOTH(VAL(0)),
	      start, HW1, 1),
};

static const struct step started[] = {
	CLAIM("a started counter, another event", RULE("C30"),
	      DIFF(ERR(UNSUPPORTED), VAL(HW1)), config, HW1, 1,
	      SKIP_MATCH | SINH, INSNS),
	CLAIM("a started counter, other filters", RULE("C30"),
	      DIFF(ERR(UNSUPPORTED), VAL(HW1)), config, HW1, 1,
	      SKIP_MATCH | SINH | UINH, CYCLES),
	CLAIM("a started counter, the same again", RULE("C30 C35"),
	      BOTH(VAL(HW1)), config, HW1, 1, SKIP_MATCH | SINH | AUTO, CYCLES),
	CLAIM("it runs on", RULE("C30 C35"), BOTH(ERR(STARTED)), start, HW1, 1),
	CLAIM("with its value", RULE("C35"), BOTH(VAL(500)), read_counter, HW1),
	CLAIM("a started counter, CLEAR_VALUE", RULE("C33"), BOTH(VAL(HW1)),
	      config, HW1, 1, SKIP_MATCH | SINH | CLEAR, CYCLES),
	CLAIM("clears it", RULE("C33"), BOTH(VAL(0)), read_counter, HW1),
	FRESH,
	DO(config, FW1, 1, 0, FW_SET_TIMER),
	CLAIM("a firmware counter, another event", RULE("C30"), BOTH(VAL(FW1)),
	      config, FW1, 1, SKIP_MATCH, FW_ILLEGAL),
	FRESH,
};

void chapter_skip(void)
{
	TAP_STEPS("skip", unconfigured);
	TAP_STEPS("skip", stopped);
	TAP_STEPS("skip", started);
}
