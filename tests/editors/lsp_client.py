"""A client of `wave lsp`, as an editor is one."""
import json
import subprocess


class Client:
    def __init__(self, program):
        self.process = subprocess.Popen([program, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.ids = 0
        self.diagnostics = {}  # by document and version

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
