/* SPDX-License-Identifier: BSD-2-Clause */
/* What the firmware model may ask of the machine, which is its host. */
#ifndef CORE_MACHINE_FW_H
#define CORE_MACHINE_FW_H

#include <fw/fw.h>

extern const struct fw_host_ops fw_ops;

#endif
