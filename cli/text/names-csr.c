/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CSRs by number: a trace outlives the machine that could be asked. A test
 * compares the names with those of libpmu.
 */
#include <stdio.h>

#include "names.h"

static const struct csr_run {
	uint16_t first, last;
	uint8_t base;	    /* number in the first name of a run */
	const char *name;   /* of a run: without the number */
	const char *suffix; /* of a run, behind the number; NULL: one CSR */
} runs[] = {
	{ 0x001, 0x001, 0, "fflags", NULL },
	{ 0x002, 0x002, 0, "frm", NULL },
	{ 0x003, 0x003, 0, "fcsr", NULL },
	{ 0x100, 0x100, 0, "sstatus", NULL },
	{ 0x104, 0x104, 0, "sie", NULL },
	{ 0x105, 0x105, 0, "stvec", NULL },
	{ 0x106, 0x106, 0, "scounteren", NULL },
	{ 0x10a, 0x10a, 0, "senvcfg", NULL },
	{ 0x10c, 0x10f, 0, "sstateen", "" },
	{ 0x120, 0x120, 0, "scountinhibit", NULL },
	{ 0x140, 0x140, 0, "sscratch", NULL },
	{ 0x141, 0x141, 0, "sepc", NULL },
	{ 0x142, 0x142, 0, "scause", NULL },
	{ 0x143, 0x143, 0, "stval", NULL },
	{ 0x144, 0x144, 0, "sip", NULL },
	{ 0x14d, 0x14d, 0, "stimecmp", NULL },
	{ 0x150, 0x150, 0, "siselect", NULL },
	{ 0x151, 0x151, 0, "sireg", NULL },
	{ 0x152, 0x153, 2, "sireg", "" },
	{ 0x155, 0x157, 4, "sireg", "" },
	{ 0x15d, 0x15d, 0, "stimecmph", NULL },
	{ 0x180, 0x180, 0, "satp", NULL },
	{ 0x200, 0x200, 0, "vsstatus", NULL },
	{ 0x204, 0x204, 0, "vsie", NULL },
	{ 0x205, 0x205, 0, "vstvec", NULL },
	{ 0x240, 0x240, 0, "vsscratch", NULL },
	{ 0x241, 0x241, 0, "vsepc", NULL },
	{ 0x242, 0x242, 0, "vscause", NULL },
	{ 0x243, 0x243, 0, "vstval", NULL },
	{ 0x244, 0x244, 0, "vsip", NULL },
	{ 0x24d, 0x24d, 0, "vstimecmp", NULL },
	{ 0x250, 0x250, 0, "vsiselect", NULL },
	{ 0x251, 0x251, 0, "vsireg", NULL },
	{ 0x252, 0x253, 2, "vsireg", "" },
	{ 0x255, 0x257, 4, "vsireg", "" },
	{ 0x25d, 0x25d, 0, "vstimecmph", NULL },
	{ 0x280, 0x280, 0, "vsatp", NULL },
	{ 0x300, 0x300, 0, "mstatus", NULL },
	{ 0x301, 0x301, 0, "misa", NULL },
	{ 0x302, 0x302, 0, "medeleg", NULL },
	{ 0x303, 0x303, 0, "mideleg", NULL },
	{ 0x304, 0x304, 0, "mie", NULL },
	{ 0x305, 0x305, 0, "mtvec", NULL },
	{ 0x306, 0x306, 0, "mcounteren", NULL },
	{ 0x308, 0x308, 0, "mvien", NULL },
	{ 0x309, 0x309, 0, "mvip", NULL },
	{ 0x30a, 0x30a, 0, "menvcfg", NULL },
	{ 0x30c, 0x30f, 0, "mstateen", "" },
	{ 0x310, 0x310, 0, "mstatush", NULL },
	{ 0x312, 0x312, 0, "medelegh", NULL },
	{ 0x318, 0x318, 0, "mvienh", NULL },
	{ 0x319, 0x319, 0, "mviph", NULL },
	{ 0x31a, 0x31a, 0, "menvcfgh", NULL },
	{ 0x31c, 0x31f, 0, "mstateen", "h" },
	{ 0x320, 0x320, 0, "mcountinhibit", NULL },
	{ 0x321, 0x321, 0, "mcyclecfg", NULL },
	{ 0x322, 0x322, 0, "minstretcfg", NULL },
	{ 0x323, 0x33f, 3, "mhpmevent", "" },
	{ 0x340, 0x340, 0, "mscratch", NULL },
	{ 0x341, 0x341, 0, "mepc", NULL },
	{ 0x342, 0x342, 0, "mcause", NULL },
	{ 0x343, 0x343, 0, "mtval", NULL },
	{ 0x344, 0x344, 0, "mip", NULL },
	{ 0x34a, 0x34a, 0, "mtinst", NULL },
	{ 0x34b, 0x34b, 0, "mtval2", NULL },
	{ 0x350, 0x350, 0, "miselect", NULL },
	{ 0x351, 0x351, 0, "mireg", NULL },
	{ 0x352, 0x353, 2, "mireg", "" },
	{ 0x355, 0x357, 4, "mireg", "" },
	{ 0x3a0, 0x3af, 0, "pmpcfg", "" },
	{ 0x3b0, 0x3ef, 0, "pmpaddr", "" },
	{ 0x600, 0x600, 0, "hstatus", NULL },
	{ 0x602, 0x602, 0, "hedeleg", NULL },
	{ 0x603, 0x603, 0, "hideleg", NULL },
	{ 0x604, 0x604, 0, "hie", NULL },
	{ 0x605, 0x605, 0, "htimedelta", NULL },
	{ 0x606, 0x606, 0, "hcounteren", NULL },
	{ 0x607, 0x607, 0, "hgeie", NULL },
	{ 0x608, 0x608, 0, "hvien", NULL },
	{ 0x60a, 0x60a, 0, "henvcfg", NULL },
	{ 0x60c, 0x60f, 0, "hstateen", "" },
	{ 0x612, 0x612, 0, "hedelegh", NULL },
	{ 0x615, 0x615, 0, "htimedeltah", NULL },
	{ 0x618, 0x618, 0, "hvienh", NULL },
	{ 0x61a, 0x61a, 0, "henvcfgh", NULL },
	{ 0x61c, 0x61f, 0, "hstateen", "h" },
	{ 0x643, 0x643, 0, "htval", NULL },
	{ 0x644, 0x644, 0, "hip", NULL },
	{ 0x645, 0x645, 0, "hvip", NULL },
	{ 0x64a, 0x64a, 0, "htinst", NULL },
	{ 0x655, 0x655, 0, "hviph", NULL },
	{ 0x680, 0x680, 0, "hgatp", NULL },
	{ 0x721, 0x721, 0, "mcyclecfgh", NULL },
	{ 0x722, 0x722, 0, "minstretcfgh", NULL },
	{ 0x723, 0x73f, 3, "mhpmevent", "h" },
	{ 0x7a0, 0x7a0, 0, "tselect", NULL },
	{ 0x7a1, 0x7a3, 1, "tdata", "" },
	{ 0xb00, 0xb00, 0, "mcycle", NULL },
	{ 0xb02, 0xb02, 0, "minstret", NULL },
	{ 0xb03, 0xb1f, 3, "mhpmcounter", "" },
	{ 0xb80, 0xb80, 0, "mcycleh", NULL },
	{ 0xb82, 0xb82, 0, "minstreth", NULL },
	{ 0xb83, 0xb9f, 3, "mhpmcounter", "h" },
	{ 0xc00, 0xc00, 0, "cycle", NULL },
	{ 0xc01, 0xc01, 0, "time", NULL },
	{ 0xc02, 0xc02, 0, "instret", NULL },
	{ 0xc03, 0xc1f, 3, "hpmcounter", "" },
	{ 0xc80, 0xc80, 0, "cycleh", NULL },
	{ 0xc81, 0xc81, 0, "timeh", NULL },
	{ 0xc82, 0xc82, 0, "instreth", NULL },
	{ 0xc83, 0xc9f, 3, "hpmcounter", "h" },
	{ 0xda0, 0xda0, 0, "scountovf", NULL },
	{ 0xe12, 0xe12, 0, "hgeip", NULL },
	{ 0xf11, 0xf11, 0, "mvendorid", NULL },
	{ 0xf12, 0xf12, 0, "marchid", NULL },
	{ 0xf13, 0xf13, 0, "mimpid", NULL },
	{ 0xf14, 0xf14, 0, "mhartid", NULL },
	{ 0xf15, 0xf15, 0, "mconfigptr", NULL },
};

const char *name_csr(uint32_t number, char *buf)
{
	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		const struct csr_run *r = &runs[i];

		if (number < r->first || number > r->last)
			continue;
		if (!r->suffix)
			return r->name;
		snprintf(buf, NAME_MAX_LEN, "%s%u%s", r->name,
			 number - r->first + r->base, r->suffix);
		return buf;
	}
	return NULL;
}
