/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A machine as a debugger sees it: registers of harts by GDB's numbers, memory,
 * breakpoints. It asks the daemon and knows no packets. What is refused is an
 * outcome, whose words gdb_target_error() has; nothing is printed.
 */
#ifndef CLI_GDB_GDB_TARGET_H
#define CLI_GDB_GDB_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pmu/csr-number.h>

#include "methods/method-calls.h"
#include "pmu/v1/harts.pb-c.h"
#include "pmu/v1/machines.pb-c.h"

struct pmud;

/*
 * Registers as the target description numbers them: what GDB itself calls them
 * inside, so that a description that is not read means the same.
 */
enum {
	GDB_PC = 32,
	GDB_F0 = 33,
	GDB_CSR0 = 65, /* CSR n is GDB_CSR0 + n */
	GDB_PRIV = GDB_CSR0 + PMU_N_CSRS,
	GDB_N_REGISTERS
};

enum {
	/* as many as a machine takes */
	GDB_MAX_POINTS = 1023,
	GDB_MAX_WATCHES = 64,
};

/* Kinds of points, as Z packets number them. */
enum gdb_kind {
	GDB_SOFTWARE,
	GDB_HARDWARE,
	GDB_WRITE,
	GDB_READ,
	GDB_ACCESS,
	GDB_N_KINDS
};

/* One breakpoint or watchpoint, as GDB inserts and removes them. */
struct gdb_point {
	enum gdb_kind kind;
	uint64_t address;
	uint64_t bytes; /* of what is watched; 0: a breakpoint */
};

/* A CSR that at least one hart has. */
struct gdb_csr {
	uint16_t number;
	char name[22];
};

struct gdb_target {
	struct pmud *pmud;
	const char *machine;
	unsigned harts;
	unsigned xlen, flen;  /* flen 0: no floating-point registers */
	struct gdb_csr *csrs; /* by number */
	size_t n_csrs;
	bool physical; /* memory is by physical addresses */
	bool lost;     /* the daemon is */

	/* the registers of one hart, until it moves */
	Pmu__V1__ReadRegistersResponse *cache;
	unsigned cached_hart;

	struct gdb_point *points; /* inserted now */
	size_t n_points;
	struct gdb_point watches[GDB_MAX_WATCHES], watches_set[GDB_MAX_WATCHES];
	size_t n_watches, n_watches_set; /* inserted; that the machine has */
	uint64_t *removed;		 /* since the machine stood still */
	size_t n_removed;
	bool sent;     /* the machine has ours, not what it had before */
	uint64_t *set; /* that the machine has */
	size_t n_set;
};

/* Asks what the machine has, once it has started. Returns an exit code. */
int gdb_target_init(struct gdb_target *t, struct pmud *pmud,
		    const char *machine);
void gdb_target_fini(struct gdb_target *t);
/* What was refused last. */
const char *gdb_target_error(const struct gdb_target *t);

/* One call; false: refused. The answer is the caller's to free. */
bool gdb_target_call(struct gdb_target *t, const char *method,
		     const ProtobufCMessage *request,
		     const ProtobufCMessageDescriptor *response, void *ret);
#define GDB_CALL(t, method, req, res)                                          \
	gdb_target_call(t, METHOD_PATH(method), METHOD_ASKED(method, req),     \
			METHOD_ANSWER(method), METHOD_ANSWERED(method, res))

/* Bytes of register @n; 0: there is none. */
size_t gdb_register_size(const struct gdb_target *t, uint64_t n);
bool gdb_register_read(struct gdb_target *t, unsigned hart, uint64_t n,
		       uint64_t *ret);
bool gdb_register_write(struct gdb_target *t, unsigned hart, uint64_t n,
			uint64_t value);
/* What was read is old now. */
void gdb_target_moved(struct gdb_target *t);

/* The bytes that are there from @address on, up to the first that is not. */
size_t gdb_memory_read(struct gdb_target *t, unsigned hart, uint64_t address,
		       uint8_t *ret, size_t len);
bool gdb_memory_write(struct gdb_target *t, unsigned hart, uint64_t address,
		      const uint8_t *bytes, size_t len);

/* False: there are too many. One that is there already is fine. */
bool gdb_point_insert(struct gdb_target *t, const struct gdb_point *p);
void gdb_point_remove(struct gdb_target *t, const struct gdb_point *p);
bool gdb_point_at(const struct gdb_target *t, uint64_t address,
		  enum gdb_kind *ret_kind);
/*
 * The watchpoint behind an access of @bytes at @address: its kind, and a byte
 * that both have.
 */
bool gdb_watch_at(const struct gdb_target *t, uint64_t address, uint64_t bytes,
		  struct gdb_point *ret);
/*
 * Gives the machine the points. @all: those removed since it stood still,
 * too.
 */
bool gdb_points_send(struct gdb_target *t, bool all);
/* None any more. */
bool gdb_points_clear(struct gdb_target *t);

#endif
