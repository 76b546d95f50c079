/* SPDX-License-Identifier: BSD-2-Clause */
/* What is loaded into a machine before it starts. */
#ifndef CORE_MACHINE_BOOT_H
#define CORE_MACHINE_BOOT_H

#include <stdint.h>

struct bus;
struct images;

struct images *images_new(struct bus *bus, uint8_t xlen); /* may be NULL */
void images_free(struct images *all);

#endif
