/* SPDX-License-Identifier: BSD-2-Clause */
/* The protocol's FileDescriptorSet, for reflection; made by the build. */
#ifndef SERVER_DESCRIPTORS_H
#define SERVER_DESCRIPTORS_H

#include <stddef.h>

extern const unsigned char descriptors_pb[];
extern const size_t descriptors_pb_len;

#endif
