/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What may be read of a machine between two slices, and changes nothing.
 * Waiting harts are accounted for up to now whenever machine_run(),
 * machine_look() or machine_input() has returned, so nothing has to be settled
 * first.
 */
#ifndef CORE_MACHINE_READ_H
#define CORE_MACHINE_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pmu/hart.h>

#include "engine/engine-host.h"
#include "engine/engine-pieces.h"
#include "machine.h"
#include "sched.h"

struct fw;

/* The caller sees to it that a @hart is below machine_config()->harts. */
enum machine_state machine_state(const struct machine *m);
uint64_t machine_clock(const struct machine *m);
uint64_t machine_time(const struct machine *m); /* ticks of the time base */
enum hart_status machine_hart_status(const struct machine *m, unsigned hart);
const struct pmu_hart *machine_pmu(const struct machine *m, unsigned hart);
const struct fw *machine_firmware(const struct machine *m); /* may be NULL */
/* Are there totals of @event? */
bool machine_has_total(const struct machine *m, enum pmu_event event);
/* Are the instructions of @hart stepped, as its models are fed? */
bool machine_steps(const struct machine *m, unsigned hart);
/* @n < ENGINE_PIECES; one of blocks is off, too, where all harts are stepped */
void machine_engine_piece(const struct machine *m, unsigned n,
			  struct engine_piece *ret);
/* How often a buffer of translated code was emptied. */
uint64_t machine_code_emptied(const struct machine *m);
/* One register of a hart, as engine_get() numbers them, or all. */
uint64_t machine_register(const struct machine *m, unsigned hart, unsigned reg);
void machine_registers(const struct machine *m, unsigned hart,
		       struct hart_state *ret);
/* False: not all of it is RAM. */
bool machine_read_memory(const struct machine *m, uint64_t paddr, void *ret,
			 size_t len);
/* All of it, to be read; *@ret_size: its bytes. */
const uint8_t *machine_ram(const struct machine *m, size_t *ret_size);
/*
 * The physical address behind a virtual one, for instruments: no A, no D is
 * set. False: nothing is there that could be loaded or executed.
 */
bool machine_find_address(const struct machine *m, unsigned hart,
			  uint64_t vaddr, uint64_t *ret);
/*
 * What S-mode of @hart would load at @vaddr, whatever its mode is, likewise;
 * may also be asked while a record is told. False: not all of it is RAM that S
 * may load.
 */
bool machine_read_supervisor(const struct machine *m, unsigned hart,
			     uint64_t vaddr, void *ret, size_t len);
/* The physical address that S-mode of @hart would load from, likewise. */
bool machine_find_supervisor(const struct machine *m, unsigned hart,
			     uint64_t vaddr, uint64_t *ret);
/*
 * Whose pages a pc is of: those of a user that ran, in U or VU, or those that
 * the hart has now.
 */
struct machine_space {
	unsigned hart;
	enum pmu_mode mode;
	uint64_t satp; /* of then, or vsatp; 0: as the hart fetches now */
};
/*
 * What would be executed there at @vaddr now, by the tables that are there,
 * likewise. False: not all of it is RAM that may be executed.
 */
bool machine_read_code(const struct machine *m, const struct machine_space *of,
		       uint64_t vaddr, void *ret, size_t len);

#endif
