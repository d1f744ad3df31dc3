// The program `wave`: where it is, and runs of it that can be cancelled and whose output is bounded.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { resolve } from 'node:path';
import * as vscode from 'vscode';

export interface Outcome {
  code: number | null;                   // null: it was ended from outside
  output: string;
  errors: string;
}

// Of each stream; whatever is longer ends the program.
const largestOutput = 32 * 1024 * 1024;

export const settings = (scope?: vscode.Uri) => vscode.workspace.getConfiguration('wave', scope);

export function programPath(): string {
  return settings().get<string>('path', 'wave').trim() || 'wave';
}

// `-I` for each further folder, relative to the folder of the workspace that the file is in.
export function folderArguments(file: vscode.Uri): string[] {
  const root = vscode.workspace.getWorkspaceFolder(file)?.uri.fsPath ?? '';
  return settings(file).get<string[]>('folders', []).flatMap((folder) => ['-I', resolve(root, folder)]);
}

// Starts the program. Rejects if there is none.
export function startProgram(args: string[], folder?: string): Promise<ChildProcessWithoutNullStreams> {
  return new Promise((started, reject) => {
    const child = spawn(programPath(), args, { cwd: folder, stdio: 'pipe' });
    child.stdin.on('error', () => undefined);   // it ended before it had read everything
    child.once('spawn', () => started(child));
    child.once('error', (error) =>
      reject(new Error(`\`${programPath()}\` cannot be started (${error.message}); the setting \`wave.path\` says where it is`)));
  });
}

// Runs the program, whose standard input is `input`. Cancelled, it is ended.
export async function runProgram(args: string[], folder: string, input: string, token: vscode.CancellationToken): Promise<Outcome> {
  const child = await startProgram(args, folder);
  const pieces = { output: [] as Buffer[], errors: [] as Buffer[] };
  const sizes = { output: 0, errors: 0 };
  const collect = (stream: 'output' | 'errors') => (piece: Buffer) => {
    sizes[stream] += piece.length;
    if (sizes[stream] > largestOutput) child.kill('SIGKILL');
    else pieces[stream].push(piece);
  };
  child.stdout.on('data', collect('output'));
  child.stderr.on('data', collect('errors'));
  const end = () => { child.kill('SIGKILL'); };
  const cancelled = token.onCancellationRequested(end);
  if (token.isCancellationRequested) end();
  child.stdin.end(input);
  const code = await new Promise<number | null>((closed) => child.once('close', closed));
  cancelled.dispose();
  return { code, output: Buffer.concat(pieces.output).toString(), errors: Buffer.concat(pieces.errors).toString() };
}
