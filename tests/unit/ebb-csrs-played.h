/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The CSRs of guest/ebb.h played, for guest/ebb.c as a part of a test: it is
 * compiled with this file before its first line.
 */
#ifndef EBB_CSRS_PLAYED_H
#define EBB_CSRS_PLAYED_H

#include "guest/ebb.h"

unsigned long played_read(unsigned csr);
void played_write(unsigned csr, unsigned long value);

#undef EBB_READ
#undef EBB_WRITE
#undef EBB_SET
#undef EBB_CLEAR
#define EBB_READ(csr)	  played_read(csr)
#define EBB_WRITE(csr, v) played_write(csr, (unsigned long)(v))
#define EBB_SET(csr, v)	  played_write(csr, played_read(csr) | (v))
#define EBB_CLEAR(csr, v) played_write(csr, played_read(csr) & ~(v))

#endif
