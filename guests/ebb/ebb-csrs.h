/* SPDX-License-Identifier: BSD-2-Clause */
/* The CSRs of event-based branches by their own names, which no assembler
 * knows. */
#ifndef EBB_CSRS_H
#define EBB_CSRS_H

#include <guest/ebb.h>

#define sebbcs	  EBB_CSR_SCS
#define sebbown	  EBB_CSR_SOWN
#define sebbclaim EBB_CSR_SCLAIM
#define hebben	  EBB_CSR_HEN
#define mebben	  EBB_CSR_MEN
#define ebbhr	  EBB_CSR_HR
#define ebbrr	  EBB_CSR_RR
#define ebbcs	  EBB_CSR_CS
#define ebbctl	  EBB_CSR_CTL
#define ebbovf	  EBB_CSR_OVF
#define ebbfrz	  EBB_CSR_FRZ
#define ebbown	  EBB_CSR_OWN
#define ebbctr3	  EBB_CSR_CTR(3)

#define ebb_read(csr)	  EBB_READ(csr)
#define ebb_write(csr, v) EBB_WRITE(csr, v)
#define ebb_set(csr, v)	  EBB_SET(csr, v)
#define ebb_clear(csr, v) EBB_CLEAR(csr, v)

#endif
