/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rows as data. What they say of names and types is checked against what
 * protoc-c made of the services, here and when this is compiled.
 */
#include "methods/methods.h"

#include <stddef.h>
#include <string.h>

#define SERVICES(X)                                                            \
	X(V1, Machine, pmu__v1__machine_service)                               \
	X(V1, Hart, pmu__v1__hart_service)                                     \
	X(V1, Sbi, pmu__v1__sbi_service)                                       \
	X(V1, Event, pmu__v1__event_service)                                   \
	X(V1, Trace, pmu__v1__trace_service)                                   \
	X(V1, Symbol, pmu__v1__symbol_service)                                 \
	X(V1, Ebb, pmu__v1__ebb_service)                                       \
	X(V1, System, pmu__v1__system_service)                                 \
	X(Internal, Process, pmu__internal__process_service)

/* protoc-c makes a struct of each service, with a function for each method. */
#define SERVICE(package, service) Pmu__##package##__##service##Service_Service
#define FUNCTIONS(bytes)                                                       \
	(((bytes) - sizeof(ProtobufCService)) / sizeof(void (*)(void)))

enum service_id {
#define X(package, service, prefix) SERVICE_##service,
	SERVICES(X)
#undef X
};

/* As many rows as methods; a row that is there twice does not build anyway. */
#define ONE(...) +1
#define X(package, service, prefix)                                            \
	_Static_assert((0 METHODS_##service(ONE, )) ==                         \
			       FUNCTIONS(sizeof(SERVICE(package, service))),   \
		       #service "Service: a method without a row");
SERVICES(X)
#undef X

/* The types that handlers get are those of the service. */
#define CHECK(DO, package, service, method, name, ...)                         \
	_Static_assert(                                                        \
		_Generic(                                                      \
			((SERVICE(package, service) *)0)->name,                \
			void (*)(SERVICE(package, service) *,                  \
				 const METHOD_REQUEST(package, method) *,      \
				 Pmu__##package##__##method##Response_Closure, \
				 void *) : 1,                                  \
			default : 0),                                          \
		#method ": its messages have other names");
METHODS(CHECK, )
#undef CHECK

static const ProtobufCServiceDescriptor *const services[] = {
#define X(package, service, prefix) [SERVICE_##service] = &prefix##__descriptor,
	SERVICES(X)
#undef X
};

const struct method methods[N_METHODS] = {
#define ROW(DO, package, service_, method, name, place, needs_)                \
	[METHOD_##method] = {                                                  \
		.service = SERVICE_##service_,                                 \
		.index =                                                       \
			FUNCTIONS(offsetof(SERVICE(package, service_), name)), \
		.kind = METHOD_KIND(method),                                   \
		.needs = METHOD_##needs_,                                      \
	},
	METHODS(ROW, )
#undef ROW
};

const ProtobufCMethodDescriptor *method_descriptor(enum method_id id)
{
	const struct method *m = &methods[id];

	return &services[m->service]->methods[m->index];
}

enum method_id method_find(const char *name)
{
	enum method_id id = 0;

	while (id < N_METHODS && strcmp(method_descriptor(id)->name, name) != 0)
		id++;
	return id;
}
