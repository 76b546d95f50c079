# SPDX-License-Identifier: BSD-2-Clause
"""A Chromium without a window, spoken to by its debugging protocol.

Over pipes, which need no port: messages of JSON, each with a NUL behind it. No
page waits for a time, and neither does who asks.
"""
import base64
import contextlib
import json
import os
import select

import bench
import child
from bench import holds

COMMAND = ["chromium", "--headless", "--no-sandbox", "--disable-gpu",
           "--enable-unsafe-swiftshader", "--remote-debugging-pipe"]
# It reads from 3 and writes to 4, wherever ours are.
AT_3_AND_4 = 'there=$1 here=$2; shift 2; eval "exec \\"\\$@\\" ' \
    '3<&$there 4>&$here"'


class Page:
    """The only one of a browser."""

    def __init__(self, to, back):
        self.to, self.back, self.rest = to, back, b""
        self.number, self.session, self.loaded = 0, {}, set()

    def read(self):
        while b"\0" not in self.rest:
            holds(select.select([self.back], [], [], bench.LONG)[0],
                  "the browser says nothing")
            part = os.read(self.back, 1 << 20)
            holds(part, "the browser has ended")
            self.rest += part
        message, _, self.rest = self.rest.partition(b"\0")
        message = json.loads(message)
        said = message.get("params", {})
        if message.get("method") == "Page.lifecycleEvent" and \
                said["name"] == "load":
            self.loaded.add(said["loaderId"])
        return message

    def call(self, method, **params):
        """What a method of the protocol returns."""
        self.number += 1
        left = json.dumps({"id": self.number, "method": method,
                           "params": params, **self.session}).encode() + b"\0"
        while left:
            left = left[os.write(self.to, left):]
        answer = {}
        while answer.get("id") != self.number:
            answer = self.read()
        holds("result" in answer, answer)
        return answer["result"]

    def attach(self):
        target = self.call("Target.createTarget", url="about:blank")
        self.session = self.call("Target.attachToTarget", flatten=True,
                                 targetId=target["targetId"])
        self.call("Page.enable")
        self.call("Page.setLifecycleEventsEnabled", enabled=True)

    def open(self, url):
        done = self.call("Page.navigate", url=url)
        holds("errorText" not in done, done)
        while done["loaderId"] not in self.loaded:
            self.read()

    def ask(self, expression):
        """The value of an expression of JavaScript; of a promise, its own."""
        done = self.call("Runtime.evaluate", expression=expression,
                         awaitPromise=True, returnByValue=True)
        holds("exceptionDetails" not in done, done)
        return done["result"].get("value")

    def picture(self):
        """A PNG of it."""
        return base64.b64decode(self.call("Page.captureScreenshot")["data"])


@contextlib.contextmanager
def page(folder, width, height):
    """A page of a browser that keeps what it has to keep in a folder."""
    there, to = os.pipe()
    back, here = os.pipe()
    process = child.start(
        ["sh", "-c", AT_3_AND_4, "sh", str(there), str(here), *COMMAND,
         f"--user-data-dir={folder}", f"--window-size={width},{height}"],
        pass_fds=(there, here), stdout=-3, stderr=-3)
    os.close(there)
    os.close(here)
    try:
        made = Page(to, back)
        made.attach()
        yield made
        made.session = {}
        made.call("Browser.close")
    finally:
        os.close(to)
        os.close(back)
        process.terminate()
        process.wait(timeout=bench.LONG)
