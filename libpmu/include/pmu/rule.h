/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How tables and tests write the rule that a row stands for: an anchor of the
 * ISA manual without its "norm:" prefix, or the number of an item of the
 * project's conformance list as in "C112". This file only makes the mark that
 * tests/lint/rules.py looks for; the list of rules is tests/rules/anchors.txt.
 */
#ifndef PMU_RULE_H
#define PMU_RULE_H

/* RULE("mhpmevent_of_op"): the string itself, checked by the lint. */
#define RULE(name) "" name

#endif
