/* SPDX-License-Identifier: BSD-2-Clause */
/* What GDB is told in XML: which registers there are, and the threads. */
#ifndef CLI_GDB_GDB_XML_H
#define CLI_GDB_GDB_XML_H

#include "gdb-target.h"

/* Both are to be freed; NULL: no memory, or no answer. */
char *gdb_xml_target(const struct gdb_target *t);
char *gdb_xml_threads(struct gdb_target *t);

/* Mode and state of a hart, "S running", cut to @size. */
void gdb_thread_text(const Pmu__V1__HartInfo *h, char *ret, size_t size);

#endif
