/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How often a machine's memory is read as a supervisor reads it. To be linked
 * with --wrap=machine_read_supervisor.
 */
#ifndef COUNTED_READS_H
#define COUNTED_READS_H

extern unsigned counted_reads;

#endif
