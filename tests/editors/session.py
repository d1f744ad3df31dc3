#!/usr/bin/env python3
"""A session with `wave lsp`, from end to end: opens a model, asks about it, changes it, and ends.

usage: session.py WAVE
"""
import pathlib
import sys
import tempfile

from lsp_client import Client


def main():
    folder = pathlib.Path(tempfile.mkdtemp())
    path = folder / "model.wave"
    path.write_text("model M { output t = 1 us }\n")
    uri = path.as_uri()
    server = Client(sys.argv[1])
    answer = server.request("initialize", {"capabilities": {}, "workspaceFolders": [{"uri": folder.as_uri(), "name": "x"}]})
    assert answer["serverInfo"]["name"] == "wave"
    server.notify("initialized")
    server.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "wave", "version": 1,
                                                            "text": "model M { output t = missing }\n"}})
    assert [one["code"] for one in server.diagnostics_of(uri, 1)] == ["E0201"]
    server.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2},
                                             "contentChanges": [{"text": "model M { output t = 2 * 1 us }\n"}]})
    assert server.diagnostics_of(uri, 2) == []
    about = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 25}}
    assert "time" in server.request("textDocument/hover", about)["contents"]["value"]
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}}
    hints = server.request("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": whole})
    assert [one["label"] for one in hints] == ["= 2 us"]
    assert [one["name"] for one in server.request("workspace/symbol", {"query": ""})] == ["M", "t"]
    server.request("shutdown")
    server.notify("exit")
    assert server.process.wait(20) == 0
    assert path.read_text() == "model M { output t = 1 us }\n", "nothing was asked to be written"


main()
