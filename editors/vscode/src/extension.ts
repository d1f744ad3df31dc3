// The extension: starts the language server, and offers what evaluates where the workspace is trusted.
import * as vscode from 'vscode';
import { LanguageClient, TransportKind, type LanguageClientOptions, type ServerOptions } from 'vscode-languageclient/node';
import { ModelPanel } from './panel';
import { folderArguments, programPath, settings } from './program';
import { TaskProvider } from './tasks';
import { Tests } from './tests';

let client: LanguageClient | undefined;

// What the server is told: where nothing may be evaluated, it only checks.
const choices = () => ({
  evaluate: vscode.workspace.isTrusted,
  inlayHints: settings().get<boolean>('inlayHints', true) && vscode.workspace.isTrusted,
});

async function startServer(): Promise<void> {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri;
  const server: ServerOptions = {
    command: programPath(),
    args: ['lsp', ...(root ? folderArguments(root) : [])],
    transport: TransportKind.stdio,
    options: { cwd: root?.scheme === 'file' ? root.fsPath : undefined },
  };
  const options: LanguageClientOptions = {
    documentSelector: [{ language: 'wave', scheme: 'file' }, { language: 'wave', scheme: 'untitled' }],
    initializationOptions: choices(),
    synchronize: { configurationSection: 'wave', fileEvents: vscode.workspace.createFileSystemWatcher('**/*.wave') },
  };
  client = new LanguageClient('wave', 'Wave', server, options);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    void vscode.window.showWarningMessage(
      `Wave: \`${programPath()} lsp\` does not start, so texts are only coloured. The setting wave.path says where the program is. (${String(error)})`);
  }
}

async function restartServer(): Promise<void> {
  await client?.stop().catch(() => undefined);
  await startServer();
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

// What evaluates: only in a workspace that is trusted.
function offerEvaluation(context: vscode.ExtensionContext): void {
  context.subscriptions.push(new Tests());
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand('wave.showModel', () => showModel(context)),
    vscode.commands.registerCommand('wave.restartServer', restartServer),
    vscode.tasks.registerTaskProvider('wave', new TaskProvider()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('wave.path') || change.affectsConfiguration('wave.folders')) void restartServer();
    }));
  if (vscode.workspace.isTrusted) offerEvaluation(context);
  context.subscriptions.push(vscode.workspace.onDidGrantWorkspaceTrust(() => {
    offerEvaluation(context);
    void restartServer();
  }));
  await startServer();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
