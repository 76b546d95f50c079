/* SPDX-License-Identifier: BSD-2-Clause */
/* Faults of device trees, and what trees say, as text or JSON. */
#ifndef CLI_TEXT_DT_TEXT_H
#define CLI_TEXT_DT_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include <fw/pmu-node.h>

struct dt_faults;

/* Aborts without memory. */
struct dt_faults *dt_faults_new(bool json);
void dt_faults_free(struct dt_faults *faults);
/* For fw_dt_source.fault, whose arg they are. */
void dt_faults_add(void *faults, const struct fw_dt_fault *fault);
unsigned dt_faults_errors(const struct dt_faults *faults);
/* All of them, and how many. Returns an exit code. */
int dt_faults_print(struct dt_faults *faults, const char *file, FILE *out);

/* A table of what the harts can count; @dt NULL: nothing. An exit code. */
int dt_print(const struct fw_dt *dt, bool json, FILE *out);

#endif
