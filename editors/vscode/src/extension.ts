// The extension: starts the language server, and offers what evaluates where the workspace is trusted.
import * as vscode from 'vscode';
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from 'vscode-languageclient/node';
import { ModelPanel } from './panel';
import { folderArguments, settings, startProgram } from './program';
import { TaskProvider } from './tasks';
import { Tests } from './tests';

let client: LanguageClient | undefined;

// Values beside the text are evaluated.
const hasValues = (file: vscode.Uri) => vscode.workspace.isTrusted && settings(file).get<boolean>('inlayHints', true);

// Puts the cursor to a declaration, whose name is a word.
async function goTo(uri: string, declaration: string): Promise<void> {
  const editor = await vscode.window.showTextDocument(vscode.Uri.parse(uri), { viewColumn: vscode.ViewColumn.One });
  const at = editor.document.getText().search(new RegExp(`\\b${declaration}\\b`));
  if (at >= 0) editor.selection = new vscode.Selection(editor.document.positionAt(at), editor.document.positionAt(at));
}

// Commands of the server that the editor does itself, or asks something for first.
type Next = (command: string, args: unknown[]) => unknown;
const inEditor: Record<string, (args: unknown[], next: Next) => unknown> = {
  'wave.run': async ([uri, model]) => {
    await goTo(String(uri), `model\\s+${String(model)}`);
    await vscode.commands.executeCommand('wave.showModel');
  },
  'wave.uses': ([uri, position]) => {
    const { line, character } = position as { line: number; character: number };
    return vscode.commands.executeCommand('editor.action.goToReferences', vscode.Uri.parse(String(uri)), new vscode.Position(line, character));
  },
  'wave.setParameters': async (args, next) => {
    const document = vscode.window.activeTextEditor?.document;
    if (args.length > 0 || document?.languageId !== 'wave') return next('wave.setParameters', args);
    const given = await vscode.window.showInputBox({ prompt: 'Values for parameters while this text is open, nothing for their defaults', placeHolder: 'n = 64; net.L = 5 us' });
    if (given === undefined) return undefined;
    return next('wave.setParameters', [document.uri.toString(), given.split(';').map((one) => one.trim()).filter(Boolean)]);
  },
};

async function startServer(files: vscode.FileSystemWatcher): Promise<void> {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri;
  const server: ServerOptions = () =>
    startProgram(['lsp', ...(root ? folderArguments(root) : [])], root?.scheme === 'file' ? root.fsPath : undefined);
  const options: LanguageClientOptions = {
    // `wave:` are the modules of the library, which are in the program.
    documentSelector: ['file', 'untitled', 'wave'].map((scheme) => ({ language: 'wave', scheme })),
    // Where nothing may be evaluated, it only checks.
    initializationOptions: { evaluate: vscode.workspace.isTrusted, plots: true },
    synchronize: { fileEvents: files },
    middleware: {
      provideInlayHints: (document, range, token, next) => (hasValues(document.uri) ? next(document, range, token) : []),
      executeCommand: (command, args, next) => (inEditor[command] ? inEditor[command](args, next) : next(command, args)),
    },
  };
  client = new LanguageClient('wave', 'Wave', server, options);
  await client.start().catch(() => { client = undefined; });   // the client has said why
}

let panel: ModelPanel | undefined;

function showModel(context: vscode.ExtensionContext): void {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.document.languageId !== 'wave') return;
  if (!vscode.workspace.isTrusted) {
    void vscode.window.showInformationMessage('Wave: models are evaluated only in a workspace that you trust.');
    return;
  }
  if (panel) return panel.follow(editor);
  const view = vscode.window.createWebviewPanel('wave.model', 'Wave', { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
    { retainContextWhenHidden: true });
  const made = new ModelPanel(view, editor, context.extensionUri);
  panel = made;
  view.onDidDispose(() => {
    made.dispose();
    panel = undefined;
  });
}

async function plotStudy(context: vscode.ExtensionContext, uri: string, study: string): Promise<void> {
  await goTo(uri, `study\\s+${study}`);
  showModel(context);
  panel?.openStudy(study);
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const files = vscode.workspace.createFileSystemWatcher('**/{*.wave,wave.toml,wave.lock}');
  const restartServer = async () => {
    await client?.stop().catch(() => undefined);
    await startServer(files);
  };
  context.subscriptions.push(
    files,
    vscode.commands.registerCommand('wave.showModel', () => showModel(context)),
    vscode.commands.registerCommand('wave.restartServer', restartServer),
    vscode.commands.registerCommand('wave.plot', (uri: string, study: string) => plotStudy(context, uri, study)),
    vscode.tasks.registerTaskProvider('wave', new TaskProvider()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (['wave.path', 'wave.folders', 'wave.inlayHints'].some((name) => change.affectsConfiguration(name))) void restartServer();
    }));
  const offerTests = () => { context.subscriptions.push(new Tests()); };
  if (vscode.workspace.isTrusted) offerTests();
  context.subscriptions.push(vscode.workspace.onDidGrantWorkspaceTrust(() => {
    offerTests();
    void restartServer();
  }));
  await startServer(files);
}

export async function deactivate(): Promise<void> {
  panel?.dispose();
  await client?.stop();
}
