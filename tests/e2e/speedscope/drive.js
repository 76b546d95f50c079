/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs in speedscope's own page: opens each of FILES as its command line would, and
 * has it export what it made of it. That and its table of functions, or what it
 * complained of, is what the test is told, by the names of the files.
 */
"use strict";

let saved = null, complaint = null;

URL.createObjectURL = blob => {
	saved = blob;
	return "#";
};
HTMLAnchorElement.prototype.click = () => {};
window.alert = text => {
	complaint = text;
};

/* Of what ends with a word, the innermost; there may be none yet. */
function press(word)
{
	const found = [...document.querySelectorAll("div")].filter(
		div => div.textContent.endsWith(word));

	if (found.length)
		found.pop().click();
}

function turn()
{
	return new Promise(done => setTimeout(done, 10));
}

/* What stands in the cells of functions: in all, alone, and the name. */
function table()
{
	return [...document.querySelectorAll("tr")].slice(1).map(
		row => [...row.cells].map(cell => cell.textContent));
}

/* Has the table been laid out, with all that the first profile has? */
function is_whole(read)
{
	const there = new Set(table().map(row => row[2]));

	return read.profiles[0].events.every(
		event => there.has(read.shared.frames[event.frame].name));
}

async function read(name, text)
{
	saved = complaint = null;
	speedscope.loadFileFromBase64(name, text);
	for (;;) {
		await turn();
		if (complaint)
			return { complaint };
		press("Export");
		const read = saved && JSON.parse(await saved.text());
		if (read && read.name === name && is_whole(read))
			return { read, table: table() };
	}
}

(async () => {
	const said = {};

	for (const [name, text] of FILES)
		said[name] = await read(name, text);
	return said;
})();
