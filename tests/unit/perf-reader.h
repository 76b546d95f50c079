/* SPDX-License-Identifier: BSD-2-Clause */
/* perf.data in `file`, every byte of it. */
#ifndef TESTS_PERF_READER_H
#define TESTS_PERF_READER_H

/* Tells what it has, a line for each attribute, record and feature. */
void perf_read(void);

#endif
