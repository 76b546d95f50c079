/* SPDX-License-Identifier: BSD-2-Clause */
/* Console output on its way into records, and the end of the input. */
#ifndef CORE_MACHINE_CONSOLE_H
#define CORE_MACHINE_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board/board.h"
#include "owners.h"

struct console *console_new(void); /* NULL without memory */
void console_free(struct console *c);
/* Output of a device access under way; recorded once that is complete. */
void console_add(struct console *c, enum board_port port, const uint8_t *bytes,
		 size_t len);
/* Records it, at the hart whose turn it is. */
void console_flush(struct machine *m);
/* What the firmware writes from now on is put down to @pc. */
void console_set_place(struct console *c, uint64_t pc);
/* Records what the firmware writes. */
void console_record(struct machine *m, const uint8_t *bytes, size_t len);
/* Will no byte ever come? */
bool console_is_over(const struct console *c);

/* All of it between two runs (state-bytes.h). */
void console_give(const struct console *c, struct state *to);
void console_take(struct console *c, struct state *from);

#endif
