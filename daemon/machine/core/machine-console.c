/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A device writes while its instruction is still under way; its bytes wait here
 * until the hart stands behind it. The firmware's are recorded at once, at the
 * instruction that asked for them.
 */
#include "machine-console.h"

#include <assert.h>
#include <stdlib.h>

#include "buf.h"
#include "machine-hart.h"
#include "plan.h"

struct console {
	struct buf out[BOARD_N_PORTS];
	struct {
		uint64_t place;
		bool over;
	} state;
};

struct console *console_new(void)
{
	return calloc(1, sizeof(struct console));
}

void console_free(struct console *c)
{
	for (unsigned i = 0; c && i < BOARD_N_PORTS; i++)
		buf_free(&c->out[i]);
	free(c);
}

void console_add(struct console *c, enum board_port port, const uint8_t *bytes,
		 size_t len)
{
	if (buf_append(&c->out[port], bytes, len) < 0)
		abort();
}

static void flush(struct machine *m, enum board_port port)
{
	struct buf *o = &m->console->out[port];
	const struct hart *h;
	struct record_at at;

	if (!buf_len(o))
		return;
	h = hart_present(m);
	at = hart_at(m, h, hart_pc(m, h));
	record_console(m->recorder, &at, port, buf_head(o), buf_len(o));
	buf_clear(o);
}

void console_flush(struct machine *m)
{
	flush(m, BOARD_CONSOLE);
	flush(m, BOARD_SERIAL);
}

void console_set_place(struct console *c, uint64_t pc)
{
	c->state.place = pc;
}

void console_record(struct machine *m, const uint8_t *bytes, size_t len)
{
	struct record_at at =
		hart_at(m, hart_present(m), m->console->state.place);

	record_console(m->recorder, &at, BOARD_CONSOLE, bytes, len);
}

bool console_is_over(const struct console *c)
{
	return c->state.over;
}

void machine_console_eof(struct machine *m)
{
	m->console->state.over = true;
	if (life_state(m->life) != MACHINE_WAITING)
		return;
	life_wake(m->life);
	plan_input_came(m->plan);
}

/* Between runs no output is under way. */
void console_give(const struct console *c, struct state *to)
{
	assert(!buf_len(&c->out[BOARD_CONSOLE]) &&
	       !buf_len(&c->out[BOARD_SERIAL]));
	state_put(to, "console", &c->state, sizeof(c->state));
}

void console_take(struct console *c, struct state *from)
{
	state_get(from, "console", &c->state, sizeof(c->state));
}
