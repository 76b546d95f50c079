/* SPDX-License-Identifier: BSD-2-Clause */
/* What stands at the beginning and at the end of each page. */
#ifndef CLI_EXPORT_EXPORT_HTML_H
#define CLI_EXPORT_EXPORT_HTML_H

extern const char export_html_head[]; /* with style and heading */
extern const char export_html_tail[]; /* with the script that zooms */

#endif
