/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the machine's files ask of each other. Included by machine-inside.h.
 */
#ifndef CORE_MACHINE_PARTS_H
#define CORE_MACHINE_PARTS_H

/* machine-exit.c: what leaves the engine. */
enum engine_next machine_on_exit(void *host, const struct engine_exit *exit);
/* Must @h get a software event before it goes on? It ends a wait. */
bool machine_event_due(const struct machine *m, const struct hart *h);
/* Takes the present hart's interrupt or software event if there is one. */
bool machine_take_interrupt(struct machine *m);
/* Adds what the engine has done since the last time. */
void machine_advance(struct machine *m);
/* Sets the budget from the plan. False: the plan allows no instruction. */
bool machine_set_budget(struct machine *m);
/* The regime that the present hart runs in; translations fit it. */
enum engine_regime machine_enter_regime(struct machine *m);

/* machine-mem.c: translation, devices, RAM. */
bool machine_translate(void *host, struct engine_walk *walk);
bool machine_mmio(void *host, struct engine_mmio *access);
void machine_stored(void *host, uint64_t paddr, uint64_t size);
/* Page tables, in RAM. */
struct pmu_pte_ops machine_ptes(struct machine *m);
extern const struct board_ops machine_board_ops;
/* Records console output of a device access that is complete. */
void machine_flush_console(struct machine *m);

/* machine-guest.c: guests' memory on harts with the H extension. */
/* Completes @trap, which has cause and tval of @exit, a fault. */
void machine_describe_fault(struct machine *m, struct hart *h,
			    const struct engine_exit *exit,
			    struct pmu_trap *trap);
/*
 * Makes the access of a hypervisor load or store. False: it faults, and @trap
 * has got everything but pc and the transformed instruction.
 */
bool machine_guest_access(struct machine *m, const struct pmu_exec_access *a,
			  uint64_t *ret_loaded, struct pmu_trap *trap);

/* machine-fw.c: what the firmware model may ask. */
extern const struct fw_host_ops machine_fw_ops;

/* machine-hart.c: one hart's states, and its records. */
struct record_at machine_at(struct machine *m, const struct hart *h,
			    uint64_t pc);
uint64_t machine_pc(struct machine *m, const struct hart *h);
void machine_set_pc(struct machine *m, struct hart *h, uint64_t pc);
void machine_start_hart(struct machine *m, struct hart *h, uint64_t pc,
			uint64_t arg);
void machine_stop_hart(struct machine *m, struct hart *h);
/* Its wait is over: it runs when its turn comes, where a WFI retires first. */
void machine_wake_hart(struct machine *m, struct hart *h);
/* The hart waits from the present clock on. */
void machine_wait_hart(struct machine *m, struct hart *h, enum hart_wait wait,
		       uint64_t next_pc);
/* Accounts for the waiting of all harts up to now, lazily but exactly. */
void machine_account_waiting(struct machine *m);
void machine_account_wait(struct machine *m, struct hart *h);
/* When waiting can end or overflow something, of all waiting harts. */
uint64_t machine_wait_event(struct machine *m);
uint64_t machine_hart_timer(struct machine *m, const struct hart *h);
/* Records what became of @h, at its pc and mode. */
void machine_record_change(struct machine *m, struct hart *h,
			   enum hart_change what);
/* Records the overflows of @h since the last time; @last_pc: who did it. */
void machine_record_overflows(struct machine *m, struct hart *h,
			      uint64_t last_pc);
/* Brings the engine's FP switch to what FS and the mode say. */
void machine_sync_fp(struct machine *m, struct hart *h);

/* machine-run.c: the stop points. */
/* Timers, lines and waiting overflows that are due at the present clock. */
void machine_settle(struct machine *m);
/* Everything due at the present clock, inputs included. */
void machine_settle_inputs(struct machine *m);
void machine_end(struct machine *m, enum machine_cause cause, int exit_code);
/* Turns and waits begun, and software events come, at the present clock. */
uint32_t machine_moment(const struct machine *m);
/* One more. */
void machine_next_moment(struct machine *m);
/* Is the next turn to be given, be it to the same hart again? */
bool machine_turn_is_over(const struct machine *m);

/* machine-hold.c */
void machine_hold(struct machine *m, enum machine_cause cause);
/* Traps that it ever took. */
uint64_t machine_hart_traps(const struct hart *h);
/* It is @h that steps, from now on. */
void machine_begin_step(struct machine *m, const struct hart *h);
/* All executed, or so many traps that nothing else is to be expected? */
bool machine_step_is_over(struct machine *m);
/* The hart that steps cannot have taken that many traps in fewer cycles. */
uint64_t machine_step_cycles(struct machine *m);
void machine_sync_breakpoints(struct machine *m);

/* machine.c */
uint64_t machine_insns(const struct machine *m);

/* machine-input.c: what an input does. */
bool machine_apply_input(struct machine *m, const struct input *in,
			 struct record_sbi *ret_sbi, struct error *e);

/* machine-loop.c */
void machine_watch_traps(struct machine *m, struct hart *h,
			 const struct pmu_trap *trap);

#endif
