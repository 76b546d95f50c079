/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Descriptors 0 to 2 of a program that was started with some of them closed:
 * the next file or socket that it opens would have such a number, and what is
 * printed would be written into it.
 */
#ifndef WIRE_STANDARD_FDS_H
#define WIRE_STANDARD_FDS_H

#include <stdbool.h>

/*
 * Opens each of them that is closed, so that no other file can have its
 * number; to read from it, or to write to it, stays an error (EBADF). For the
 * beginning of main(). False: one could not be held; errno says why.
 */
bool standard_fds_hold(void);

#endif
