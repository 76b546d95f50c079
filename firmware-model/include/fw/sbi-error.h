/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The errors of SBI calls, their codes and their names: the one table, for the
 * firmware and for whoever prints its answers. SBI 3.0, Binary Encoding.
 */
#ifndef FW_SBI_ERROR_H
#define FW_SBI_ERROR_H

#include <stddef.h>
#include <stdint.h>

/* clang-format off */
#define SBI_ERRORS(row)                                                        \
	row(FAILED, -1)                                                        \
	row(NOT_SUPPORTED, -2)                                                 \
	row(INVALID_PARAM, -3)                                                 \
	row(DENIED, -4)                                                        \
	row(INVALID_ADDRESS, -5)                                               \
	row(ALREADY_AVAILABLE, -6)                                             \
	row(ALREADY_STARTED, -7)                                               \
	row(ALREADY_STOPPED, -8)                                               \
	row(NO_SHMEM, -9)                                                      \
	row(INVALID_STATE, -10)                                                \
	row(BAD_RANGE, -11)                                                    \
	row(TIMEOUT, -12)                                                      \
	row(IO, -13)                                                           \
	row(DENIED_LOCKED, -14)
/* clang-format on */

enum sbi_error {
	SBI_SUCCESS = 0,
#define SBI_ERROR_NUMBER(name, code) SBI_ERR_##name = (code),
	SBI_ERRORS(SBI_ERROR_NUMBER)
#undef SBI_ERROR_NUMBER
};

/* "INVALID_PARAM" of @error; NULL: no error has this code. */
static inline const char *sbi_error_name(int64_t error)
{
	switch (error) {
	case SBI_SUCCESS:
		return "SUCCESS";
#define SBI_ERROR_NAME(name, code)                                             \
	case SBI_ERR_##name:                                                   \
		return #name;
		SBI_ERRORS(SBI_ERROR_NAME)
#undef SBI_ERROR_NAME
	default:
		return NULL;
	}
}

#endif
