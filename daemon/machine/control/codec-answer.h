/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the core and the view tell, as parts of answers. @ret is initialised,
 * lives as long as what it was made of, and borrows its texts; those that quote
 * what others sent may be no UTF-8 (control_text()).
 */
#ifndef CONTROL_CODEC_ANSWER_H
#define CONTROL_CODEC_ANSWER_H

#include "core/machine.h"
#include "engine/engine-pieces.h"
#include "pmu/v1/events.pb-c.h"
#include "pmu/v1/harts.pb-c.h"
#include "pmu/v1/machines.pb-c.h"
#include "pmu/v1/sbi.pb-c.h"
#include "view/explain-sentences.h"
#include "view/inspect.h"

/* All but notes, the access watched and why it is frozen. */
void encode_status(const struct machine_status *s, Pmu__V1__MachineInfo *ret);
void encode_piece(const struct engine_piece *p, Pmu__V1__EnginePiece *ret);
void encode_access(const struct machine_access *a, Pmu__V1__WatchedAccess *ret);
/* What the guest can see, all but the settings. */
void encode_config(const struct machine_config *cfg,
		   Pmu__V1__MachineConfig *ret);
void encode_part(const struct loader_range *part, Pmu__V1__LoadedPart *ret);
void encode_hart(unsigned hart, const struct inspect_hart *h,
		 Pmu__V1__HartInfo *ret);
void encode_csr(const struct inspect_csr *csr, Pmu__V1__Csr *ret);
void encode_registers(struct hart_state *s,
		      Pmu__V1__ReadRegistersResponse *ret);
void encode_counter(unsigned hart, unsigned index,
		    const struct inspect_counter *counter,
		    Pmu__V1__Counter *ret);
void encode_fact(const struct explain_fact *f, Pmu__V1__Fact *ret);
void encode_sbi_answer(const struct record_sbi *call,
		       Pmu__V1__CallSbiResponse *ret);

#endif
