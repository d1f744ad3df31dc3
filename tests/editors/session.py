#!/usr/bin/env python3
"""A session with `wave lsp`, from end to end: opens a model, asks about it, changes it, and ends.

usage: session.py WAVE
"""
import json
import pathlib
import subprocess
import sys
import tempfile


class Server:
    def __init__(self, program):
        self.process = subprocess.Popen([program, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.ids = 0
        self.diagnostics = {}

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def read(self):
        length = 0
        while line := self.process.stdout.readline().strip():
            name, value = line.split(b":")
            if name.lower() == b"content-length":
                length = int(value)
        message = json.loads(self.process.stdout.read(length))
        if message.get("method") == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"], message["params"]["version"]] = message["params"]["diagnostics"]
        return message

    def request(self, method, params=None):
        self.ids += 1
        self.send({"id": self.ids, "method": method, "params": params or {}})
        while (message := self.read()).get("id") != self.ids:
            pass
        return message["result"]

    def notify(self, method, params=None):
        self.send({"method": method, "params": params or {}})

    def diagnostics_of(self, uri, version):
        while (uri, version) not in self.diagnostics:
            self.read()
        return self.diagnostics[uri, version]


def main():
    folder = pathlib.Path(tempfile.mkdtemp())
    path = folder / "model.wave"
    path.write_text("model M { output t = 1 us }\n")
    uri = path.as_uri()
    server = Server(sys.argv[1])
    answer = server.request("initialize", {"capabilities": {}, "workspaceFolders": [{"uri": folder.as_uri(), "name": "x"}]})
    assert answer["serverInfo"]["name"] == "wave"
    server.notify("initialized")
    server.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "wave", "version": 1,
                                                            "text": "model M { output t = missing }\n"}})
    assert [one["code"] for one in server.diagnostics_of(uri, 1)] == ["E0201"]
    server.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2},
                                             "contentChanges": [{"text": "model M { output t = 2 us }\n"}]})
    assert server.diagnostics_of(uri, 2) == []
    about = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 21}}
    assert "time" in server.request("textDocument/hover", about)["contents"]["value"]
    assert [one["name"] for one in server.request("workspace/symbol", {"query": ""})] == ["M", "t"]
    server.request("shutdown")
    server.notify("exit")
    assert server.process.wait(20) == 0
    assert path.read_text() == "model M { output t = 1 us }\n", "nothing was asked to be written"


main()
