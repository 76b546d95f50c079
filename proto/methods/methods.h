/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the rows mean. pmud and pmud-machine take their tables from them and
 * bind their handlers by a row's name, so that a handler which is missing, or
 * has other types than the protocol says, does not build. A row that is missing
 * does not build either.
 */
#ifndef METHODS_METHODS_H
#define METHODS_METHODS_H

#include <protobuf-c/protobuf-c.h>

#include "methods/method-rows.h"
#include "pmu/internal/machine.pb-c.h"
#include "pmu/method-facts.h"
#include "pmu/v1/ebb.pb-c.h"
#include "pmu/v1/events.pb-c.h"
#include "pmu/v1/harts.pb-c.h"
#include "pmu/v1/machines.pb-c.h"
#include "pmu/v1/sbi.pb-c.h"
#include "pmu/v1/symbols.pb-c.h"
#include "pmu/v1/system.pb-c.h"
#include "pmu/v1/traces.pb-c.h"

enum method_kind {
	METHOD_UNARY,
	METHOD_CLIENT_STREAM, /* its last message is answered */
	METHOD_SERVER_STREAM,
};

/*
 * What is to be so before a handler is asked; each needs the ones before it,
 * too. Which state a machine has to be in, it says itself: which of two wrong
 * things is told first is part of its answer.
 */
enum method_needs {
	METHOD_ANYBODY,	   /* nothing */
	METHOD_CALLER,	   /* it is known who asks */
	METHOD_CONFIGURED, /* there is a machine in the process */
	METHOD_ROOM,	   /* for the record that it leaves however often */
};

enum method_id { /* METHOD_ReadCsr and so on */
#define METHOD_ID(DO, package, service, method, ...) METHOD_##method,
	METHODS(METHOD_ID, )
#undef METHOD_ID
	N_METHODS,
	N_PUBLIC_METHODS = METHOD_Configure,
};

/*
 * DO(package, method, name) for each that a program has a handler for, by the
 * row's place: PMUD answers; it is forwarded to the MACHINE's process as it
 * came; BOTH, pmud's handler asks the machine's; INTERNAL, the machine's, which
 * nobody but pmud asks.
 */
#define METHODS_OF_PMUD(DO)    METHODS(METHOD_IF_PMUD, DO)
#define METHODS_OF_MACHINE(DO) METHODS(METHOD_IF_MACHINE, DO)

#define METHOD_IF_PMUD(DO, package, service, method, name, place, ...)         \
	METHOD_IF_PMUD_##place(DO, package, method, name)
#define METHOD_IF_PMUD_PMUD(DO, ...) DO(__VA_ARGS__)
#define METHOD_IF_PMUD_BOTH(DO, ...) DO(__VA_ARGS__)
#define METHOD_IF_PMUD_MACHINE(DO, ...)
#define METHOD_IF_PMUD_INTERNAL(DO, ...)

#define METHOD_IF_MACHINE(DO, package, service, method, name, place, ...)      \
	METHOD_IF_MACHINE_##place(DO, package, method, name)
#define METHOD_IF_MACHINE_PMUD(DO, ...)
#define METHOD_IF_MACHINE_BOTH(DO, ...)	    DO(__VA_ARGS__)
#define METHOD_IF_MACHINE_MACHINE(DO, ...)  DO(__VA_ARGS__)
#define METHOD_IF_MACHINE_INTERNAL(DO, ...) DO(__VA_ARGS__)

/* enum method_kind of a method, and any other name that ends as those do. */
#define METHOD_KIND(method) METHOD_BY_KIND(METHOD_, method)
#define METHOD_BY_KIND(prefix, method)                                         \
	METHOD_PASTE(prefix, METHOD_KIND_##method)
#define METHOD_PASTE(prefix, kind)    METHOD_PASTE_IT(prefix, kind)
#define METHOD_PASTE_IT(prefix, kind) prefix##kind

/* The types of its messages. */
#define METHOD_REQUEST(package, method)	 Pmu__##package##__##method##Request
#define METHOD_RESPONSE(package, method) Pmu__##package##__##method##Response

struct method {
	unsigned service, index; /* in the service */
	enum method_kind kind;
	enum method_needs needs;
};

extern const struct method methods[N_METHODS];

/* As its service has it: "ReadCsr", and the types of its messages. */
const ProtobufCMethodDescriptor *method_descriptor(enum method_id id);
/* The method of that name, or N_METHODS. */
enum method_id method_find(const char *name);

#endif
