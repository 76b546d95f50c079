/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Supervisor software events, as whoever drives a hart sees them. Those that a
 * trap to the firmware brings are delivered by fw_trap(); these are for the
 * others: injected by another hart or an instrument, kept while the hart slept.
 */
#ifndef FW_SSE_H
#define FW_SSE_H

#include <stdbool.h>

struct fw;
struct fw_regs;
struct fw_trap;

/*
 * Must a software event be delivered on @hart before its next instruction, and
 * before any interrupt that S-mode would take? It ends WFI and suspension, too.
 * False for an overflow: that comes by LCOFI, an interrupt to the firmware,
 * which is to be taken first.
 */
bool fw_sse_due(const struct fw *fw, unsigned hart);
/*
 * Delivers it, if there is one: no trap, at no cost. Of @t->trap only pc is
 * read, where the hart would go on; @ret is set as by fw_trap().
 */
void fw_sse_deliver(struct fw *fw, unsigned hart, const struct fw_trap *t,
		    struct fw_regs *ret);

#endif
