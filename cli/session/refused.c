/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Of the options that set a field (refused-fields.c) the one that the command
 * takes, in the place of the name that pmud has for it.
 */
#include "refused.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cmd/command.h"

/* "settings[2].value" and "settings.value" are the same. */
static bool is_field(const char *path, const char *field)
{
	while (*path && *path == *field) {
		path++;
		field++;
		if (*path != '[')
			continue;
		path += strcspn(path, "]");
		if (*path)
			path++;
	}
	return !*path && !*field;
}

/* N_OPTIONS: none of the command has made it. */
static enum args_option option_of(const struct args *args, const char *path)
{
	for (const struct refused_field *row = refused_fields; row->field;
	     row++)
		for (size_t k = 0; is_field(path, row->field) && k < row->n;
		     k++)
			if (args->command->options >> row->option[k] & 1)
				return row->option[k];
	return N_OPTIONS;
}

static bool was_set(const struct args *args, const char *key, size_t len)
{
	for (size_t i = 0; i < args->n_set; i++)
		if (!strncmp(args->set[i], key, len) &&
		    args->set[i][len] == '=')
			return true;
	return false;
}

/*
 * The option of its own that @key was set by. N_OPTIONS: none was, so that it
 * is of the trace that is replayed. Those that set always the same, which is
 * never wrong, are left out.
 */
static enum args_option own_option(const struct args *args, const char *key,
				   size_t len)
{
	const struct {
		const char *key;
		enum args_option option;
		bool given;
	} own[] = {
		{ "max-insns", OPTION_MAX_INSNS,
		  args->max_insns != ARGS_UNSET },
		{ "max-cycles", OPTION_MAX_CYCLES,
		  args->max_cycles != ARGS_UNSET },
		{ "uarch-explain", OPTION_EXPLAIN_MISSES,
		  args->explain_misses != ARGS_UNSET },
		{ "serial", OPTION_SERIAL, args->serial != NULL },
	};

	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		if (own[i].given && strlen(own[i].key) == len &&
		    !strncmp(own[i].key, key, len))
			return own[i].option;
	return N_OPTIONS;
}

/* "setting KEY: " as it was typed: by --set, or by an option of its own. */
static const char *setting_text(const struct args *args, const char *text,
				char buf[REFUSED_TEXT])
{
	static const char subject[] = "setting ";
	const char *key = text + strlen(subject);
	size_t len = strcspn(key, ":");
	enum args_option option;

	if (strncmp(text, subject, strlen(subject)) != 0 || !key[len])
		return text;
	if (was_set(args, key, len)) {
		snprintf(buf, REFUSED_TEXT, "--%s %s",
			 args_option_name(OPTION_SET), key);
		return buf;
	}
	option = own_option(args, key, len);
	if (option == N_OPTIONS)
		return text;
	snprintf(buf, REFUSED_TEXT, "--%s%s", args_option_name(option),
		 key + len);
	return buf;
}

/* Behind the field's own name, if it begins with that: "harts: ". */
static const char *without_subject(const char *text)
{
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz_.");

	return len && !strncmp(text + len, ": ", 2) ? text + len + 2 : text;
}

const char *refused_text(const struct args *args, const char *field,
			 const char *text, char buf[REFUSED_TEXT])
{
	enum args_option option;

	if (!field || !args->command)
		return text;
	option = option_of(args, field);
	if (option == N_OPTIONS)
		return text;
	if (option == OPTION_SET)
		return setting_text(args, text, buf);
	snprintf(buf, REFUSED_TEXT, "--%s: %s", args_option_name(option),
		 without_subject(text));
	return buf;
}
