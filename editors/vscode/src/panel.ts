// The panel beside the text: what the model under the cursor gives, with a slider for each of its numbers.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { definitions, drawable, outputsOf, parseDocument, slidersOf, variation, type Document, type Slider } from './model';
import { hasProcess, modelAt, parametersOf, studiesOf, type Block } from './outline';
import { folderArguments, runProgram, settings, type Outcome } from './program';
import { timelineOf } from './timeline';

// What the page sends.
type Request =
  | { kind: 'ready' }
  | { kind: 'values'; values: Record<string, number> }
  | { kind: 'plot'; of: string; over: string }
  | { kind: 'study'; name: string; open: boolean }
  | { kind: 'timeline'; open: boolean };

const delays = { typing: 300, sliding: 40 };   // milliseconds
const shownRanks = 8;

export class ModelPanel implements vscode.Disposable {
  private readonly folder = mkdtempSync(join(tmpdir(), 'wave-panel-'));
  private readonly disposables: vscode.Disposable[] = [];
  private timer: NodeJS.Timeout | undefined;
  private running: vscode.CancellationTokenSource | undefined;
  private values: Record<string, number> = {};
  private plot = { of: '', over: '' };
  private hasTimeline = false;           // it is unfolded
  private readonly openStudies = new Set<string>();   // those that are unfolded
  private hasProcess = false;
  private sliders: Slider[] = [];
  private isPlain = false;               // the sliders are those of the text
  private model = '';

  constructor(private readonly view: vscode.WebviewPanel, private editor: vscode.TextEditor, extension: vscode.Uri) {
    const media = vscode.Uri.joinPath(extension, 'media');
    view.webview.options = { enableScripts: true, localResourceRoots: [media] };
    this.disposables.push(
      view.webview.onDidReceiveMessage((request: Request) => this.receive(request)),
      vscode.workspace.onDidChangeTextDocument((change) => {
        if (change.document === this.editor.document && change.contentChanges.length > 0) this.begin(delays.typing);
      }),
      // It may be one that the model imports.
      vscode.workspace.onDidSaveTextDocument((document) => {
        if (document.languageId === 'wave' && document !== this.editor.document) this.begin(delays.typing);
      }),
      vscode.window.onDidChangeTextEditorSelection((change) => this.follow(change.textEditor)),
      vscode.window.onDidChangeActiveTextEditor((active) => active && this.follow(active)),
    );
    view.webview.html = page(view.webview, media);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.running?.cancel();
    this.disposables.forEach((one) => one.dispose());
    rmSync(this.folder, { recursive: true, force: true });
  }

  // Shows the model under the cursor, if it is another one.
  follow(editor: vscode.TextEditor): void {
    if (editor.document.languageId !== 'wave') return;
    if (editor.document !== this.editor.document) {
      this.turnTo('');
      this.openStudies.clear();
    }
    this.editor = editor;
    if (modelAt(this.text(), this.offset())?.name !== this.model) this.begin(0);
  }

  // Shows the plot of a study of the model under the cursor.
  openStudy(name: string): void {
    this.openStudies.add(name);
    this.post({ kind: 'unfold', name });
    this.begin(0);
  }

  private turnTo(model: string): void {
    this.model = model;
    this.values = {};
    this.plot = { of: '', over: '' };
    this.isPlain = false;
  }

  private text(): string { return this.editor.document.getText(); }
  private offset(): number { return this.editor.document.offsetAt(this.editor.selection.active); }

  private receive(request: Request): void {
    switch (request.kind) {
      case 'ready': return this.begin(0);
      case 'values': this.values = request.values; return this.schedule(delays.sliding);
      case 'plot': this.plot = { of: request.of, over: request.over }; return this.schedule(0);
      case 'study': this.openStudies[request.open ? 'add' : 'delete'](request.name); return this.schedule(0);
      case 'timeline': this.hasTimeline = request.open; return this.schedule(0);
    }
  }

  // Begins with the text, which may be another one.
  private begin(delay: number): void {
    this.isPlain = false;
    this.schedule(delay);
  }

  // Ends what is being evaluated, and evaluates after a moment in which nothing else was asked for.
  private schedule(delay: number): void {
    clearTimeout(this.timer);
    this.running?.cancel();
    this.timer = setTimeout(() => {
      const source = new vscode.CancellationTokenSource();
      this.running = source;
      this.evaluate(source.token).catch((error: unknown) => {
        if (!source.token.isCancellationRequested) this.fail(error instanceof Error ? error.message : String(error));
      });
    }, delay);
  }

  private post(message: object): void {
    const file = vscode.workspace.asRelativePath(this.editor.document.uri);
    void this.view.webview.postMessage({ model: this.model, file, ...message });
  }

  private fail(text: string): void { this.post({ kind: 'failed', text }); }

  // The text as it is typed goes to the program's standard input; what it imports is looked up beside the file.
  private wave(verb: string, args: string[], token: vscode.CancellationToken): Promise<Outcome> {
    const file = this.editor.document.uri;
    const limit = settings(file).get<number>('timeLimit', 10);
    return runProgram([verb, '-', '--color', 'never', '--time-limit', `${limit}s`, ...folderArguments(file), ...args],
      file.scheme === 'file' ? dirname(file.fsPath) : this.folder, this.text(), token);
  }

  private async evaluate(token: vscode.CancellationToken): Promise<void> {
    const block = modelAt(this.text(), this.offset());
    if (!block) return this.showOnlyStudies(token);
    if (block.name !== this.model) this.turnTo(block.name);
    this.hasProcess = hasProcess(this.text(), block);
    this.post({ kind: 'busy' });
    if (!this.isPlain && !(await this.findSliders(block, token))) return;

    const moved = definitions(this.values, this.sliders);
    const outcome = await this.wave('run', [...this.ofModel(), '--format', 'json', '--breakdown', ...moved], token);
    if (token.isCancellationRequested) return;
    const document = documentOf(outcome);
    if (!document) return this.post({ kind: 'refused', text: outcome.errors });
    this.showResults(document, outcome.errors);
    await Promise.all([this.showPlot(document, token), this.showTimeline(moved, token)]);
    await this.showStudies(token);
  }

  private async showOnlyStudies(token: vscode.CancellationToken): Promise<void> {
    if (studiesOf(this.text(), '').length === 0) return this.fail('There is no model in this file.');
    this.turnTo('');
    this.sliders = [];
    this.hasProcess = false;
    this.showResults({ model: '', parameters: {}, tables: {} }, '');
    await this.showStudies(token);
  }

  // Evaluates the model as the text has it: what is moved must not change how far sliders reach.
  private async findSliders(block: Block, token: vscode.CancellationToken): Promise<boolean> {
    const outcome = await this.wave('run', [...this.ofModel(), '--format', 'json'], token);
    if (token.isCancellationRequested) return false;
    const document = documentOf(outcome);
    if (!document) this.fail(outcome.errors || `wave ended with ${outcome.code}`);
    else {
      this.sliders = slidersOf(document, parametersOf(this.text(), block));
      const names = new Set(this.sliders.map((slider) => slider.name));
      this.values = Object.fromEntries(Object.entries(this.values).filter(([name]) => names.has(name)));
    }
    this.isPlain = document !== undefined;
    return this.isPlain;
  }

  private showResults(document: Document, errors: string): void {
    const now = Object.fromEntries(Object.entries(document.parameters).map(([name, one]) => [name, one.value]));
    const choices = drawable(document);
    if (!choices.includes(this.plot.of)) this.plot.of = choices[0] ?? '';
    if (!this.sliders.some((slider) => slider.name === this.plot.over)) this.plot.over = this.sliders[0]?.name ?? '';
    this.post({ kind: 'results', errors,
                sliders: this.sliders.map((slider) => ({ ...slider, now: now[slider.name] ?? slider.value })), moved: Object.keys(this.values),
                outputs: outputsOf(document), choices, plot: this.plot, hasProcess: this.hasProcess,
                studies: studiesOf(this.text(), this.model).map(({ name }) => ({ name, open: this.openStudies.has(name) })) });
  }

  private ofModel(): string[] { return ['--model', this.model]; }

  // Drawn by the program, into a file of ours.
  private async showPlot(document: Document, token: vscode.CancellationToken): Promise<void> {
    const over = this.sliders.find((slider) => slider.name === this.plot.over);
    if (!over || !drawable(document).includes(this.plot.of)) return this.post({ kind: 'plot', image: '', text: '' });
    const drawn = await this.draw('plot', [...this.ofModel(), ...this.moved([over.name]), '--vary', variation(over), '--show', this.plot.of,
      '--draw', `${this.plot.of} vs ${over.name}`], token);
    // Values that the model refuses lie on the way of a slider.
    if (drawn) this.post({ kind: 'plot', image: drawn.image, text: drawn.image ? '' : drawn.text });
  }

  // The plots of studies that are unfolded, one after the other: each has many points.
  private async showStudies(token: vscode.CancellationToken): Promise<void> {
    for (const { name, varied, isOfModel } of studiesOf(this.text(), this.model)) {
      if (!this.openStudies.has(name)) continue;
      const drawn = await this.draw('study', ['--study', name, ...(isOfModel ? this.moved(varied) : [])], token);
      if (!drawn) return;
      this.post({ kind: 'study', name, ...drawn });
    }
  }

  // What was moved, without the parameters that are varied.
  private moved(varied: string[]): string[] {
    return definitions(this.values, this.sliders.filter(({ name }) => !varied.includes(name)));
  }

  // A picture, or why there is none. Undefined: nobody wants it any more.
  private async draw(name: string, args: string[], token: vscode.CancellationToken): Promise<{ image: string; text: string } | undefined> {
    const file = join(this.folder, `${name}.svg`);
    rmSync(file, { force: true });
    const outcome = await this.wave('sweep', [...args, '--svg', file], token);
    if (token.isCancellationRequested) return undefined;
    let image = '';
    try { image = readFileSync(file).toString('base64'); } catch { /* nothing was drawn; the errors say why */ }
    return { image, text: outcome.code === 0 ? '' : outcome.errors || 'this has too many points to be shown' };
  }

  private async showTimeline(moved: string[], token: vscode.CancellationToken): Promise<void> {
    if (!this.hasTimeline || !this.hasProcess) return;
    const trace = (last: number) => this.wave('trace', [...this.ofModel(), ...moved, '--ranks', `0-${last}`], token);
    let outcome = await trace(shownRanks - 1);
    const last = /its ranks are 0 to ([0-9]+)|its only rank is (0)/.exec(outcome.errors);
    if (last && !token.isCancellationRequested) outcome = await trace(Number(last[1] ?? last[2]));
    if (token.isCancellationRequested) return;
    if (outcome.code === 0) this.post({ kind: 'timeline', timeline: timelineOf(outcome.output), text: '' });
    else this.post({ kind: 'timeline', timeline: null, text: outcome.errors || 'the timeline is too long to be shown' });
  }
}

// A model of which some outputs failed ends with 1, and writes the others all the same.
function documentOf(outcome: Outcome): Document | undefined {
  if (outcome.code !== 0 && outcome.code !== 1) return undefined;
  return outcome.output.startsWith('{') ? parseDocument(outcome.output) : undefined;
}

function page(webview: vscode.Webview, media: vscode.Uri): string {
  const at = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(media, name)).toString();
  const policy = `default-src 'none'; img-src data:; style-src ${webview.cspSource}; script-src ${webview.cspSource}`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <link rel="stylesheet" href="${at('panel.css')}">
  <title>Wave</title>
</head>
<body>
  <main id="panel" aria-busy="true"></main>
  <script src="${at('panel.js')}"></script>
</body>
</html>`;
}
