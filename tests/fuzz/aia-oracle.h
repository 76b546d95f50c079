/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The first interrupt of each level and what sip, sie, vsip and vsie must show,
 * written from the Advanced Interrupt Architecture's text alone. It works on
 * CSR values as M-mode reads them, and remembers nothing.
 */
#ifndef TESTS_FUZZ_AIA_ORACLE_H
#define TESTS_FUZZ_AIA_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/hart.h>
#include <pmu/trap.h>

/* The CSRs that take part; one that the hart lacks reads 0. */
enum aia_csr {
	A_MIP,
	A_MIE,
	A_MIDELEG,
	A_MVIEN,
	A_MVIP,
	A_SIP,
	A_SIE,
	A_HIP,
	A_HIE,
	A_HIDELEG,
	A_HVIEN,
	A_HVIP,
	A_HVICTL,
	A_HVIPRIO1,
	A_HVIPRIO2,
	A_HSTATUS,
	A_VSIP,
	A_VSIE,
	AIA_N_CSRS,
};

enum {
	AIA_IRQS = 64
};

struct aia_state {
	uint64_t csr[AIA_N_CSRS];	  /* RV32: halves joined */
	uint8_t m[AIA_IRQS], s[AIA_IRQS]; /* the arrays of priorities */
};

const char *aia_csr_name(unsigned csr);
uint16_t aia_csr_number(unsigned csr);
/* RV32: where its upper half is, 0 for none. */
uint16_t aia_csr_high(unsigned csr);
/* Selects each register of the arrays in turn; the selectors stay as found. */
void aia_look(struct pmu_hart *h, struct aia_state *ret);

/* What mtopi, stopi and vstopi must read. */
uint64_t aia_mtopi(const struct aia_state *s);
uint64_t aia_stopi(const struct aia_state *s);
uint64_t aia_vstopi(const struct aia_state *s);
/* The first view that shows something else than the tables say; NULL: none. */
const char *aia_wrong_view(const struct aia_state *s);

#endif
