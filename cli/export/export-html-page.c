/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Style and script of the page. It may fetch nothing, which it tells the
 * browser itself: names of a trace or an ELF file may be anybody's.
 */
#include "export-html.h"

const char export_html_head[] =
	"<!DOCTYPE html>\n"
	"<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
	"'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
	"<title>Samples of a trace</title>\n<style>\n"
	":root { color-scheme: light dark }\n"
	"body { font: 14px sans-serif; margin: 1em auto;\n"
	"  padding: 0 1em; max-width: 80em }\n"
	".flames > .frame { margin-bottom: 1em }\n"
	".frame { flex-basis: 0; min-width: 0; overflow: hidden }\n"
	".frame > span { display: block; overflow: hidden; padding: 2px 4px;\n"
	"\twhite-space: nowrap; text-overflow: ellipsis; color: #000;\n"
	"\tbackground: #f6c177; border: 1px solid #fff; cursor: pointer;\n"
	"\tborder-radius: 3px }\n"
	".frame .frame > span { background: #f2a65a }\n"
	".frame .frame .frame > span { background: #ee8866 }\n"
	".on { display: flex }\n"
	".hidden { display: none }\n"
	"table { border-collapse: collapse; width: 100% }\n"
	"th, td { text-align: left; padding: 2px 8px;\n"
	"\tborder-bottom: 1px solid #8884 }\n"
	".functions td:nth-child(n+5), .time td:nth-child(3) {\n"
	"\ttext-align: right }\n"
	".bars { width: 75%; padding: 2px 0 }\n"
	"svg { width: 100%; height: 40px; display: block;\n"
	"\tbackground: #8882 }\n"
	"rect { fill: #d1495b }\n"
	"</style>\n</head>\n<body>\n<h1>Samples of a trace</h1>\n";

const char export_html_tail[] =
	"<script>\n"
	"\"use strict\";\n"
	"/* A click on a frame hides what stands beside it; again: shows it. "
	"*/\n"
	"let zoomed = null;\n"
	"function zoom(frame)\n{\n"
	"\tfor (const f of document.querySelectorAll('.hidden'))\n"
	"\t\tf.classList.remove('hidden');\n"
	"\tzoomed = frame === zoomed ? null : frame;\n"
	"\tfor (let f = zoomed; f && f.classList.contains('frame');\n"
	"\t     f = f.parentElement.parentElement)\n"
	"\t\tfor (const beside of f.parentElement.children)\n"
	"\t\t\tif (beside !== f)\n"
	"\t\t\t\tbeside.classList.add('hidden');\n"
	"}\n"
	"for (const label of document.querySelectorAll('.frame > span'))\n"
	"\tlabel.addEventListener('click', () => zoom(label.parentElement));\n"
	"</script>\n</body>\n</html>\n";
