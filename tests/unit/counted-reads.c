/* SPDX-License-Identifier: BSD-2-Clause */
/* In front of the function that reads. */
#include "counted-reads.h"

#include "core/machine-read.h"

unsigned counted_reads;

bool __real_machine_read_supervisor(const struct machine *m, unsigned hart,
				    uint64_t vaddr, void *ret, size_t len);
bool __wrap_machine_read_supervisor(const struct machine *m, unsigned hart,
				    uint64_t vaddr, void *ret, size_t len);

bool __wrap_machine_read_supervisor(const struct machine *m, unsigned hart,
				    uint64_t vaddr, void *ret, size_t len)
{
	counted_reads++;
	return __real_machine_read_supervisor(m, hart, vaddr, ret, len);
}
