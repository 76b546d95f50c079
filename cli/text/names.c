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

const char *name_privilege(int privilege)
{
	const int first = PMU__V1__PRIVILEGE__PRIVILEGE_M;

	if (privilege == PMU__V1__PRIVILEGE__PRIVILEGE_UNSPECIFIED)
		return "-";
	if (privilege < first || privilege >= first + PMU_N_MODES)
		return "?";
	/* the protocol's are the harts', in their order */
	return pmu_mode_name((enum pmu_mode)(privilege - first));
}

bool privilege_is_user(int privilege)
{
	return privilege == PMU__V1__PRIVILEGE__PRIVILEGE_U ||
	       privilege == PMU__V1__PRIVILEGE__PRIVILEGE_VU;
}

bool privilege_is_guest(int privilege)
{
	return privilege == PMU__V1__PRIVILEGE__PRIVILEGE_VS ||
	       privilege == PMU__V1__PRIVILEGE__PRIVILEGE_VU;
}

static const char *const interrupts[] = {
	[1] = "S software",	    [2] = "VS software",
	[3] = "M software",	    [5] = "S timer",
	[6] = "VS timer",	    [7] = "M timer",
	[9] = "S external",	    [10] = "VS external",
	[11] = "M external",	    [12] = "S guest external",
	[13] = "counter overflow",  [35] = "low-priority RAS",
	[43] = "high-priority RAS",
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
