/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The target description has GDB's standard features for RISC-V; the CSRs in
 * it are those that the machine reports, by its own names. It says that there
 * is no operating system: as for a process of Linux, a GDB would not step a
 * hart but put breakpoints where it thinks that the next instruction is, and
 * miss a trap's handler.
 */
#include "gdb-xml.h"

#include <stdio.h>
#include <stdlib.h>

#include "session/pmud.h"
#include "text/names.h"

static const char *const x_names[GDB_PC] = {
	"zero", "ra", "sp", "gp", "tp",	 "t0",	"t1", "t2", "fp", "s1", "a0",
	"a1",	"a2", "a3", "a4", "a5",	 "a6",	"a7", "s2", "s3", "s4", "s5",
	"s6",	"s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
};

static const char *const f_names[GDB_CSR0 - GDB_F0] = {
	"ft0", "ft1", "ft2",  "ft3",  "ft4", "ft5", "ft6",  "ft7",
	"fs0", "fs1", "fa0",  "fa1",  "fa2", "fa3", "fa4",  "fa5",
	"fa6", "fa7", "fs2",  "fs3",  "fs4", "fs5", "fs6",  "fs7",
	"fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11",
};

static void begin(FILE *out, const char *feature)
{
	fprintf(out, "<feature name=\"org.gnu.gdb.riscv.%s\">\n", feature);
}

static void end(FILE *out)
{
	fputs("</feature>\n", out);
}

static void reg(FILE *out, const char *name, unsigned number, unsigned bits,
		const char *type)
{
	fprintf(out,
		"<reg name=\"%s\" bitsize=\"%u\" type=\"%s\" regnum=\"%u\"/>\n",
		name, bits, type, number);
}

static void cpu(FILE *out, const struct gdb_target *t)
{
	static const char pointer[] = "data_ptr";

	begin(out, "cpu");
	for (unsigned i = 0; i < GDB_PC; i++)
		reg(out, x_names[i], i, t->xlen,
		    i == 1	       ? "code_ptr"
		    : i >= 2 && i <= 4 ? pointer
				       : "int");
	reg(out, "pc", GDB_PC, t->xlen, "code_ptr");
	end(out);
}

static void fpu(FILE *out, const struct gdb_target *t)
{
	static const char *const csrs[] = { "fflags", "frm", "fcsr" };
	bool both = t->flen == 64;

	begin(out, "fpu");
	if (both)
		fputs("<union id=\"riscv_double\">\n"
		      "<field name=\"float\" type=\"ieee_single\"/>\n"
		      "<field name=\"double\" type=\"ieee_double\"/>\n"
		      "</union>\n",
		      out);
	for (unsigned i = 0; i < GDB_CSR0 - GDB_F0; i++)
		reg(out, f_names[i], GDB_F0 + i, t->flen,
		    both ? "riscv_double" : "ieee_single");
	for (unsigned i = 0; i < 3; i++)
		reg(out, csrs[i], GDB_CSR0 + 1 + i, 32, "int");
	end(out);
}

static void csr(FILE *out, const struct gdb_target *t)
{
	begin(out, "csr");
	for (size_t i = 0; i < t->n_csrs; i++)
		reg(out, t->csrs[i].name, GDB_CSR0 + t->csrs[i].number, t->xlen,
		    "int");
	end(out);
}

char *gdb_xml_target(const struct gdb_target *t)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fprintf(out,
		"<?xml version=\"1.0\"?>\n"
		"<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n"
		"<target>\n<architecture>riscv:rv%u</architecture>\n"
		"<osabi>none</osabi>\n",
		t->xlen);
	cpu(out, t);
	if (t->flen)
		fpu(out, t);
	csr(out, t);
	begin(out, "virtual");
	reg(out, "priv", GDB_PRIV, t->xlen, "int");
	end(out);
	fputs("</target>\n", out);
	fclose(out);
	return text;
}

void gdb_thread_text(const Pmu__V1__HartInfo *h, char *ret, size_t size)
{
	static const char *const states[] = { "", "running", "waiting",
					      "stopped" };
	size_t state = h->status < 4 ? h->status : 0;

	snprintf(ret, size, "%s %s", name_privilege((int)h->privilege),
		 states[state]);
}

char *gdb_xml_threads(struct gdb_target *t)
{
	Pmu__V1__ListHartsRequest req = PMU__V1__LIST_HARTS_REQUEST__INIT;
	Pmu__V1__ListHartsResponse *r;
	char *text = NULL, info[32];
	size_t size;
	FILE *out;

	req.machine = (char *)t->machine;
	if (!GDB_CALL(t, ListHarts, &req, &r))
		return NULL;
	out = open_memstream(&text, &size);
	if (out) {
		fputs("<?xml version=\"1.0\"?>\n<threads>\n", out);
		for (size_t i = 0; i < r->n_harts; i++) {
			gdb_thread_text(r->harts[i], info, sizeof(info));
			fprintf(out,
				"<thread id=\"%zx\" core=\"%zu\" "
				"name=\"hart %zu\">%s</thread>\n",
				i + 1, i, i, info);
		}
		fputs("</threads>\n", out);
		fclose(out);
	}
	answer_free(r);
	return text;
}
