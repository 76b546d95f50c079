/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The public methods as those that call them name them: what is called so does
 * not build unless the protocol has it, nor does a message of another method.
 */
#ifndef METHODS_METHOD_CALLS_H
#define METHODS_METHOD_CALLS_H

#include "pmu/method-facts.h"

/* "HartService/ReadCsr" */
#define METHOD_PATH(method)	METHOD_PATH_##method
/* The types of its messages. */
#define METHOD_QUESTION(method) (&METHOD_QUESTION_##method)
#define METHOD_ANSWER(method)	(&METHOD_ANSWER_##method)

/* @req, a request of the method, as a message of any type. */
#define METHOD_ASKED(method, req)                                              \
	(&(1 ? (req) : (const Pmu__V1__##method##Request *)0)->base)
/* @ret, where an answer of the method is to go, as that of any message. */
#define METHOD_ANSWERED(method, ret)                                           \
	((ProtobufCMessage **)(1 ? (ret) : (Pmu__V1__##method##Response **)0))

#endif
