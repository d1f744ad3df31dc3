// The tests of files in the test explorer. They are found in the texts, and `wave test` runs them a file at a time.
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { blocksOf } from './outline';
import { folderArguments, runProgram } from './program';
import { complaint, verdictsOf, type Verdict } from './verdicts';

const largestFile = 4 * 1024 * 1024;

export class Tests implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController('wave', 'Wave');
  private readonly disposables: vscode.Disposable[] = [this.controller];

  constructor() {
    this.controller.createRunProfile('Run', vscode.TestRunProfileKind.Run, (request, token) => this.run(request, token), true);
    this.controller.refreshHandler = () => this.findAll();
    const watcher = vscode.workspace.createFileSystemWatcher('**/*.wave');
    this.disposables.push(watcher,
      watcher.onDidCreate((file) => this.readFile(file)),
      watcher.onDidChange((file) => this.readFile(file)),
      watcher.onDidDelete((file) => this.controller.items.delete(file.toString())),
      vscode.workspace.onDidOpenTextDocument((document) => this.read(document)),
      vscode.workspace.onDidChangeTextDocument((change) => this.read(change.document)));
    void this.findAll();
  }

  dispose(): void { this.disposables.forEach((one) => one.dispose()); }

  private async findAll(): Promise<void> {
    const files = await vscode.workspace.findFiles('**/*.wave', '**/{node_modules,build,.git}/**', 5000);
    await Promise.all(files.map((file) => this.readFile(file)));
    vscode.workspace.textDocuments.forEach((document) => this.read(document));
  }

  private async readFile(file: vscode.Uri): Promise<void> {
    const { size } = await vscode.workspace.fs.stat(file);
    if (size <= largestFile) this.show(file, Buffer.from(await vscode.workspace.fs.readFile(file)).toString());
  }

  private read(document: vscode.TextDocument): void {
    if (document.languageId === 'wave' && document.uri.scheme === 'file') this.show(document.uri, document.getText());
  }

  private show(file: vscode.Uri, text: string): void {
    const tests = blocksOf(text).filter((block) => block.kind === 'test');
    if (tests.length === 0) return this.controller.items.delete(file.toString());
    const item = this.controller.items.get(file.toString()) ??
      this.controller.createTestItem(file.toString(), vscode.workspace.asRelativePath(file), file);
    const starts = lineStarts(text);
    item.children.replace(tests.map((test, at) => {
      const child = this.controller.createTestItem(`${at}`, test.name, file);
      child.range = new vscode.Range(placeOf(starts, test.begin), placeOf(starts, test.end));
      return child;
    }));
    this.controller.items.add(item);
  }

  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const run = this.controller.createTestRun(request);
    const wanted = new Map<vscode.TestItem, Set<vscode.TestItem>>();
    const add = (item: vscode.TestItem) => {
      const file = item.parent ?? item;
      const tests = wanted.get(file) ?? new Set();
      if (item.parent) tests.add(item);
      else item.children.forEach((child) => tests.add(child));
      wanted.set(file, tests);
    };
    if (request.include) request.include.forEach(add);
    else this.controller.items.forEach(add);
    request.exclude?.forEach((item) => wanted.forEach((tests) => tests.delete(item)));
    for (const [file, tests] of wanted) {
      if (token.isCancellationRequested) break;
      tests.forEach((test) => run.started(test));
      await this.runFile(run, file, tests, token);
    }
    run.end();
  }

  private async runFile(run: vscode.TestRun, file: vscode.TestItem, tests: Set<vscode.TestItem>, token: vscode.CancellationToken): Promise<void> {
    const uri = file.uri as vscode.Uri;
    const fail = (text: string) => tests.forEach((test) => run.errored(test, new vscode.TestMessage(text)));
    try {
      const text = Buffer.from(await vscode.workspace.fs.readFile(uri)).toString();
      const outcome = await runProgram(['test', basename(uri.fsPath), '--format', 'json', '--diagnostics', 'json', ...folderArguments(uri)],
        dirname(uri.fsPath), '', token);
      if (token.isCancellationRequested) return;
      const blocks = blocksOf(text).filter((block) => block.kind === 'test');
      const verdicts = verdictsOf(outcome.output, blocks);
      const lines = verdicts?.map(({ passed }, at) => `${passed ? 'ok    ' : 'FAILED'} ${blocks[at].name}\n`) ?? [];
      run.appendOutput(`${lines.join('')}${complaint(outcome.errors)}\n`.replace(/\n/g, '\r\n'));
      if (!verdicts) return fail(complaint(outcome.errors) || 'the file has changed while its tests ran');
      tests.forEach((test) => report(run, test, verdicts[Number(test.id)]));
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error));
    }
  }
}

function report(run: vscode.TestRun, test: vscode.TestItem, verdict: Verdict | undefined): void {
  if (!verdict) return run.skipped(test);
  if (verdict.passed) return run.passed(test);
  run.failed(test, verdict.failures.map(({ line, column, message }) => {
    const failure = new vscode.TestMessage(message);
    failure.location = new vscode.Location(test.uri as vscode.Uri, new vscode.Position(line - 1, column - 1));
    return failure;
  }));
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function placeOf(starts: number[], offset: number): vscode.Position {
  let line = 0, above = starts.length;
  while (above - line > 1) {
    const middle = (line + above) >> 1;
    if (starts[middle] <= offset) line = middle;
    else above = middle;
  }
  return new vscode.Position(line, offset - starts[line]);
}
