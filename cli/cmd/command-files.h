/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All files that a command line names, those that the command reads and those
 * that it writes, so that no file is written that is one of the others.
 */
#ifndef CLI_CMD_COMMAND_FILES_H
#define CLI_CMD_COMMAND_FILES_H

struct args;

/*
 * Compares each file that the command of @args writes with all others of it:
 * by device and inode, or, where neither is there yet, by folder and name. To
 * be called before the first of them is opened. Returns an exit code after an
 * error was said, which names both.
 */
int command_files_check(const struct args *args);

#endif
