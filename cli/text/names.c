/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names for people. The protocol speaks of numbers; what a number is called in
 * the specifications stands in the tables here.
 */
#include "names.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <pmu/cause.h>
#include <pmu/mode.h>
#include <pmu/trap.h>

#include "number.h"
#include "pmu/v1/common.pb-c.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

const char *name_enum(const ProtobufCEnumDescriptor *desc, int value, char *buf)
{
	const ProtobufCEnumValue *v =
		protobuf_c_enum_descriptor_get_value(desc, value);
	const ProtobufCEnumValue *zero =
		protobuf_c_enum_descriptor_get_value(desc, 0);
	size_t prefix = zero ? strlen(zero->name) - strlen("UNSPECIFIED") : 0;
	size_t i;

	if (!v) {
		snprintf(buf, NAME_MAX_LEN, "%d", value);
		return buf;
	}
	if (value == 0)
		return strcpy(buf, "-");
	for (i = 0; v->name[prefix + i] && i < NAME_MAX_LEN - 1; i++) {
		int c = (unsigned char)v->name[prefix + i];

		buf[i] = c == '_' ? '-' : (char)tolower(c);
	}
	buf[i] = '\0';
	return buf;
}

/* The protocol's are the harts', in their order. PMU_N_MODES: it is none. */
static enum pmu_mode mode_of(int privilege)
{
	const int first = PMU__V1__PRIVILEGE__PRIVILEGE_M;

	if (privilege < first || privilege >= first + PMU_N_MODES)
		return PMU_N_MODES;
	return (enum pmu_mode)(privilege - first);
}

const char *name_privilege(int privilege)
{
	enum pmu_mode mode = mode_of(privilege);

	if (privilege == PMU__V1__PRIVILEGE__PRIVILEGE_UNSPECIFIED)
		return "-";
	return mode < PMU_N_MODES ? pmu_mode_name(mode) : "?";
}

bool privilege_is_user(int privilege)
{
	return pmu_mode_is_user(mode_of(privilege));
}

bool privilege_is_guest(int privilege)
{
	return pmu_mode_is_guest(mode_of(privilege));
}

/* The AIA's, which no hart of ours raises. */
enum {
	IRQ_RAS_LOW = 35,
	IRQ_RAS_HIGH = 43,
};

static const char *const interrupts[] = {
	[PMU_IRQ_SSI] = "S software",
	[PMU_IRQ_VSSI] = "VS software",
	[PMU_IRQ_MSI] = "M software",
	[PMU_IRQ_STI] = "S timer",
	[PMU_IRQ_VSTI] = "VS timer",
	[PMU_IRQ_MTI] = "M timer",
	[PMU_IRQ_SEI] = "S external",
	[PMU_IRQ_VSEI] = "VS external",
	[PMU_IRQ_MEI] = "M external",
	[PMU_IRQ_SGEI] = "S guest external",
	[PMU_IRQ_LCOFI] = "counter overflow",
	[IRQ_RAS_LOW] = "low-priority RAS",
	[IRQ_RAS_HIGH] = "high-priority RAS",
};

const char *name_cause(bool interrupt, uint32_t cause)
{
	if (interrupt)
		return cause < ARRAY_SIZE(interrupts) ? interrupts[cause]
						      : NULL;
	return pmu_cause_name(cause);
}

/* By number: x0-x31, pc, f0-f31, fcsr. */
static const char *const registers[] = {
	"zero", "ra",	"sp",	"gp",  "tp",  "t0",   "t1",   "t2",  "s0",
	"s1",	"a0",	"a1",	"a2",  "a3",  "a4",   "a5",   "a6",  "a7",
	"s2",	"s3",	"s4",	"s5",  "s6",  "s7",   "s8",   "s9",  "s10",
	"s11",	"t3",	"t4",	"t5",  "t6",  "pc",   "ft0",  "ft1", "ft2",
	"ft3",	"ft4",	"ft5",	"ft6", "ft7", "fs0",  "fs1",  "fa0", "fa1",
	"fa2",	"fa3",	"fa4",	"fa5", "fa6", "fa7",  "fs2",  "fs3", "fs4",
	"fs5",	"fs6",	"fs7",	"fs8", "fs9", "fs10", "fs11", "ft8", "ft9",
	"ft10", "ft11", "fcsr",
};

const char *name_line(uint32_t line, char *buf)
{
	if (line)
		snprintf(buf, NAME_MAX_LEN, "%" PRIu32, line);
	else
		strcpy(buf, "?");
	return buf;
}

const char *name_register(unsigned number)
{
	return number < ARRAY_SIZE(registers) ? registers[number] : "?";
}

const char *name_register_at(size_t i)
{
	return i < ARRAY_SIZE(registers) ? registers[i] : NULL;
}

int name_find_register(const char *name)
{
	const char *end = name + 1;
	uint64_t n;

	if (strcmp(name, "fp") == 0)
		return 8;
	for (size_t i = 0; i < ARRAY_SIZE(registers); i++) {
		if (strcmp(name, registers[i]) == 0)
			return (int)i;
	}
	if (name[0] != 'x' && name[0] != 'f')
		return -1;
	if (!number_take(&end, &n) || *end || n > 31)
		return -1;
	return (int)(name[0] == 'x' ? n : REGISTER_F0 + n);
}
