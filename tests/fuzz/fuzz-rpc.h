/* SPDX-License-Identifier: BSD-2-Clause */
/* The entry point of the fuzzers of the RPC server, by libFuzzer's name. */
#ifndef TESTS_FUZZ_RPC_H
#define TESTS_FUZZ_RPC_H

#include <stddef.h>
#include <stdint.h>

/* One connection that sends @data and hangs up. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
