/* SPDX-License-Identifier: BSD-2-Clause */
/* Who answers each method, as data: the programs bind handlers by it instead.
 */
#ifndef TESTS_METHOD_PLACES_H
#define TESTS_METHOD_PLACES_H

#include "methods/methods.h"

enum method_place {
	PLACE_PMUD,
	PLACE_MACHINE,
	PLACE_BOTH,
	PLACE_INTERNAL,
};

#define METHOD_PLACE(DO, package, service, method, name, place, ...)           \
	[METHOD_##method] = PLACE_##place,
static const enum method_place method_places[N_METHODS] = { METHODS(
	METHOD_PLACE, ) };
#undef METHOD_PLACE

#endif
