/* SPDX-License-Identifier: BSD-2-Clause */
/* The CSR numbers of Smaia and Ssaia, for csr-numbers.h. */
#ifndef TESTS_CSR_NUMBERS_AIA_H
#define TESTS_CSR_NUMBERS_AIA_H

enum {
	SIEH = 0x114,
	SIPH = 0x154,
	STOPEI = 0x15c,
	VSIEH = 0x214,
	VSIPH = 0x254,
	VSTOPEI = 0x25c,
	MIDELEGH = 0x313,
	MIEH = 0x314,
	MIPH = 0x354,
	HVICTL = 0x609,
	HIDELEGH = 0x613,
	HVIPRIO1 = 0x646,
	HVIPRIO2 = 0x647,
	HVIPRIO1H = 0x656,
	HVIPRIO2H = 0x657,
	STOPI = 0xdb0,
	VSTOPI = 0xeb0,
	MTOPI = 0xfb0,
};

#endif
