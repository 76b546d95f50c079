/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How much a machine takes: known to both sides, so that a client need not send
 * what will be refused.
 */
#ifndef METHODS_UPLOAD_LIMITS_H
#define METHODS_UPLOAD_LIMITS_H

enum {
	/* of all files with symbols: part of what a machine's memory is
	 * reckoned with */
	UPLOAD_MAX_SYMBOLS = 32 << 20
};

#endif
