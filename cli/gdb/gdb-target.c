/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Registers and memory over the daemon's calls. Which CSRs there are is what
 * the machine itself says of each hart; nothing here knows a CSR.
 */
#include "gdb-target.h"

#include <stdlib.h>
#include <string.h>

#include <pmu/fcsr.h>

#include "session/pmud.h"
#include "text/exit-codes.h"
#include "text/names.h"
#include "text/report.h"

enum {
	PAGE = 4096,
};

bool gdb_target_call(struct gdb_target *t, const char *method,
		     const ProtobufCMessage *request,
		     const ProtobufCMessageDescriptor *response, void *ret)
{
	int err = pmuclient_call(pmud_client(t->pmud), method, request,
				 response, (ProtobufCMessage **)ret);

	t->lost |= err == -PMUCLIENT_ELOST;
	return !err;
}

const char *gdb_target_error(const struct gdb_target *t)
{
	return pmuclient_error(pmud_client(t->pmud));
}

/* Single letters of an ISA string, up to its first '_'. */
static bool has_letter(const char *isa, char letter)
{
	const char *found;

	if (strlen(isa) < 4)
		return false;
	found = strchr(isa + 4, letter);
	return found && found < isa + strcspn(isa, "_");
}

static int list_harts(struct gdb_target *t)
{
	Pmu__V1__ListHartsRequest req = PMU__V1__LIST_HARTS_REQUEST__INIT;
	Pmu__V1__ListHartsResponse *r = NULL;
	int code;

	req.machine = (char *)t->machine;
	code = PMUD_CALL(t->pmud, ListHarts, &req, &r);
	if (code)
		return code;
	t->harts = (unsigned)r->n_harts;
	t->xlen = 64;
	for (size_t i = 0; i < r->n_harts; i++) {
		const char *isa = r->harts[i]->isa;

		if (!strncmp(isa, "rv32", 4))
			t->xlen = 32;
		if (has_letter(isa, 'f') && t->flen < 32)
			t->flen = 32;
		if (has_letter(isa, 'd'))
			t->flen = 64;
	}
	answer_free(r);
	return EXIT_OK;
}

/* Those of one hart, among those of the harts before. */
static int list_csrs(struct gdb_target *t, unsigned hart,
		     struct gdb_csr *by_number)
{
	Pmu__V1__ListCsrsRequest req = PMU__V1__LIST_CSRS_REQUEST__INIT;
	Pmu__V1__ListCsrsResponse *r = NULL;
	int code;

	req.machine = (char *)t->machine;
	req.hart = hart;
	code = PMUD_CALL(t->pmud, ListCsrs, &req, &r);
	if (code)
		return code;
	for (size_t i = 0; i < r->n_csrs; i++) {
		const Pmu__V1__Csr *csr = r->csrs[i];
		struct gdb_csr *to = &by_number[csr->number % PMU_N_CSRS];

		if (pmu_is_fcsr(csr->number) || csr->number >= PMU_N_CSRS ||
		    strlen(csr->name) >= sizeof(to->name))
			continue;
		to->number = (uint16_t)csr->number;
		strcpy(to->name, csr->name);
	}
	answer_free(r);
	return EXIT_OK;
}

static int all_csrs(struct gdb_target *t)
{
	int code = EXIT_OK;

	t->csrs = calloc(PMU_N_CSRS, sizeof(*t->csrs));
	if (!t->csrs)
		return report_no_memory("CSRs of the harts");
	for (unsigned i = 0; i < t->harts && !code; i++)
		code = list_csrs(t, i, t->csrs);
	for (size_t i = 0; i < PMU_N_CSRS; i++)
		if (*t->csrs[i].name)
			t->csrs[t->n_csrs++] = t->csrs[i];
	return code;
}

int gdb_target_init(struct gdb_target *t, struct pmud *pmud,
		    const char *machine)
{
	int code;

	*t = (struct gdb_target){ .pmud = pmud, .machine = machine };
	t->points = calloc(GDB_MAX_POINTS, sizeof(*t->points));
	t->removed = calloc(GDB_MAX_POINTS, sizeof(*t->removed));
	t->set = calloc(GDB_MAX_POINTS, sizeof(*t->set));
	if (!t->points || !t->removed || !t->set)
		return report_no_memory("breakpoints");
	code = list_harts(t);
	return code ? code : all_csrs(t);
}

void gdb_target_fini(struct gdb_target *t)
{
	gdb_target_moved(t);
	free(t->points);
	free(t->removed);
	free(t->set);
	free(t->csrs);
}

/* Registers */

void gdb_target_moved(struct gdb_target *t)
{
	answer_free(t->cache);
	t->cache = NULL;
}

static bool has_csr(const struct gdb_target *t, uint64_t number)
{
	for (size_t i = 0; i < t->n_csrs; i++)
		if (t->csrs[i].number == number)
			return true;
	return false;
}

size_t gdb_register_size(const struct gdb_target *t, uint64_t n)
{
	if (n <= GDB_PC || n == GDB_PRIV)
		return t->xlen / 8;
	if (n < GDB_CSR0)
		return t->flen / 8;
	if (n >= GDB_N_REGISTERS)
		return 0;
	if (pmu_is_fcsr(n - GDB_CSR0))
		return t->flen ? 4 : 0;
	return has_csr(t, n - GDB_CSR0) ? t->xlen / 8 : 0;
}

static const Pmu__V1__ReadRegistersResponse *registers(struct gdb_target *t,
						       unsigned hart)
{
	Pmu__V1__ReadRegistersRequest req =
		PMU__V1__READ_REGISTERS_REQUEST__INIT;

	if (t->cache && t->cached_hart == hart)
		return t->cache;
	gdb_target_moved(t);
	req.machine = (char *)t->machine;
	req.hart = hart;
	if (!GDB_CALL(t, ReadRegisters, &req, &t->cache))
		return NULL;
	t->cached_hart = hart;
	if (t->cache->n_x < 32 || t->cache->n_f < 32)
		gdb_target_moved(t);
	return t->cache;
}

static bool read_csr(struct gdb_target *t, unsigned hart, uint32_t number,
		     uint64_t *ret)
{
	Pmu__V1__ReadCsrRequest req = PMU__V1__READ_CSR_REQUEST__INIT;
	Pmu__V1__ReadCsrResponse *r;
	bool good;

	req.machine = (char *)t->machine;
	req.hart = hart;
	req.csr_case = PMU__V1__READ_CSR_REQUEST__CSR_NUMBER;
	req.number = number;
	if (!GDB_CALL(t, ReadCsr, &req, &r))
		return false;
	good = r->csr;
	if (good)
		*ret = r->csr->value;
	answer_free(r);
	return good;
}

/* As xRET and dcsr encode a mode; V, which GDB does not know, is left out. */
static uint64_t mode_bits(Pmu__V1__Privilege mode)
{
	switch (mode) {
	case PMU__V1__PRIVILEGE__PRIVILEGE_M:
		return 3;
	case PMU__V1__PRIVILEGE__PRIVILEGE_S:
	case PMU__V1__PRIVILEGE__PRIVILEGE_VS:
		return 1;
	case PMU__V1__PRIVILEGE__PRIVILEGE_UNSPECIFIED:
	case PMU__V1__PRIVILEGE__PRIVILEGE_U:
	case PMU__V1__PRIVILEGE__PRIVILEGE_VU:
	case _PMU__V1__PRIVILEGE_IS_INT_SIZE:
		break;
	}
	return 0;
}

static bool read_mode(struct gdb_target *t, unsigned hart, uint64_t *ret)
{
	Pmu__V1__ListHartsRequest req = PMU__V1__LIST_HARTS_REQUEST__INIT;
	Pmu__V1__ListHartsResponse *r;
	bool good;

	req.machine = (char *)t->machine;
	if (!GDB_CALL(t, ListHarts, &req, &r))
		return false;
	good = hart < r->n_harts;
	if (good)
		*ret = mode_bits(r->harts[hart]->privilege);
	answer_free(r);
	return good;
}

bool gdb_register_read(struct gdb_target *t, unsigned hart, uint64_t n,
		       uint64_t *ret)
{
	const Pmu__V1__ReadRegistersResponse *r;

	if (n == GDB_PRIV)
		return read_mode(t, hart, ret);
	if (n > GDB_CSR0 && !pmu_is_fcsr(n - GDB_CSR0))
		return read_csr(t, hart, (uint32_t)(n - GDB_CSR0), ret);
	r = registers(t, hart);
	if (!r)
		return false;
	if (n < GDB_PC)
		*ret = r->x[n];
	else if (n == GDB_PC)
		*ret = r->pc;
	else if (n < GDB_CSR0)
		*ret = r->f[n - GDB_F0];
	else
		*ret = pmu_fcsr_read(r->fcsr, n - GDB_CSR0);
	return true;
}

static bool write_csr(struct gdb_target *t, unsigned hart, uint32_t number,
		      uint64_t value)
{
	Pmu__V1__WriteCsrRequest req = PMU__V1__WRITE_CSR_REQUEST__INIT;
	Pmu__V1__WriteCsrResponse *r = NULL;
	bool good;

	req.machine = (char *)t->machine;
	req.hart = hart;
	req.csr_case = PMU__V1__WRITE_CSR_REQUEST__CSR_NUMBER;
	req.number = number;
	req.value = value;
	good = GDB_CALL(t, WriteCsr, &req, &r);
	answer_free(r);
	return good;
}

/* The whole of fcsr with one of its parts changed. */
static bool merge_fcsr(struct gdb_target *t, unsigned hart, uint64_t csr,
		       uint64_t *value)
{
	uint64_t fcsr;

	if (csr == PMU_CSR_FCSR)
		return true;
	if (!gdb_register_read(t, hart, GDB_CSR0 + PMU_CSR_FCSR, &fcsr))
		return false;
	*value = pmu_fcsr_write((uint32_t)fcsr, csr, *value);
	return true;
}

bool gdb_register_write(struct gdb_target *t, unsigned hart, uint64_t n,
			uint64_t value)
{
	Pmu__V1__WriteRegisterRequest req =
		PMU__V1__WRITE_REGISTER_REQUEST__INIT;
	Pmu__V1__WriteRegisterResponse *r = NULL;
	bool good;

	if (n > GDB_CSR0 && !pmu_is_fcsr(n - GDB_CSR0))
		return n != GDB_PRIV &&
		       write_csr(t, hart, (uint32_t)(n - GDB_CSR0), value);
	req.number = (uint32_t)n; /* the same numbers up to f31 */
	if (n >= GDB_CSR0) {
		req.number = REGISTER_FCSR;
		if (!merge_fcsr(t, hart, n - GDB_CSR0, &value))
			return false;
	}
	req.machine = (char *)t->machine;
	req.hart = hart;
	req.value = value;
	good = GDB_CALL(t, WriteRegister, &req, &r);
	answer_free(r);
	gdb_target_moved(t);
	return good;
}

/* Memory */

static bool read_piece(struct gdb_target *t, unsigned hart, uint64_t address,
		       uint8_t *ret, size_t len)
{
	Pmu__V1__ReadMemoryRequest req = PMU__V1__READ_MEMORY_REQUEST__INIT;
	Pmu__V1__ReadMemoryResponse *r;
	bool good;

	req.machine = (char *)t->machine;
	req.hart = hart;
	req.address = address;
	req.size = (uint32_t)len;
	req.virtual_ = !t->physical;
	if (!GDB_CALL(t, ReadMemory, &req, &r))
		return false;
	good = r->data.len == len;
	if (good)
		memcpy(ret, r->data.data, len);
	answer_free(r);
	return good;
}

size_t gdb_memory_read(struct gdb_target *t, unsigned hart, uint64_t address,
		       uint8_t *ret, size_t len)
{
	size_t done = 0, n;

	if (len && read_piece(t, hart, address, ret, len))
		return len;
	for (; done < len; done += n) {
		n = PAGE - (address + done) % PAGE;
		if (n > len - done)
			n = len - done;
		if (!read_piece(t, hart, address + done, ret + done, n))
			break;
	}
	return done;
}

bool gdb_memory_write(struct gdb_target *t, unsigned hart, uint64_t address,
		      const uint8_t *bytes, size_t len)
{
	Pmu__V1__WriteMemoryRequest req = PMU__V1__WRITE_MEMORY_REQUEST__INIT;
	Pmu__V1__WriteMemoryResponse *r = NULL;
	bool good;

	if (!len)
		return true;
	req.machine = (char *)t->machine;
	req.hart = hart;
	req.address = address;
	req.data.data = (uint8_t *)bytes;
	req.data.len = len;
	req.virtual_ = !t->physical;
	good = GDB_CALL(t, WriteMemory, &req, &r);
	answer_free(r);
	return good;
}
