/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Traces for what reads samples, in a folder of their own that is the current
 * one: "samples", of two harts, three events and all other kinds of records;
 * "processes", samples of those of Linux, whose names may be hostile; "mapped",
 * of what they have mapped: 7 /bin/prog, nothing, then /bin/other, 9 nobody
 * knows; "empty", of RV32, which only stops; "inputs" of a run that may be
 * replayed, "sampled" of one that may not; and "map", a list of symbols of the
 * first. There is an "image", an "image32", too, and standard input is the file
 * "typed".
 */
#ifndef TESTS_CANNED_SAMPLES_H
#define TESTS_CANNED_SAMPLES_H

void canned_samples_begin(void);
void canned_samples_end(void); /* all in the folder goes */

#endif
