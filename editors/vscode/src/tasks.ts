// Tasks: the verbs of the program on the file that is open, and those that a workspace writes down (`"type": "wave"`).
import * as vscode from 'vscode';
import { folderArguments, programPath } from './program';

interface Definition extends vscode.TaskDefinition { verb: string; file: string; arguments?: string[] }

const offered: { verb: string; group?: vscode.TaskGroup }[] = [
  { verb: 'check', group: vscode.TaskGroup.Build },
  { verb: 'run' },
  { verb: 'test', group: vscode.TaskGroup.Test },
];

function makeTask(definition: Definition, scope: vscode.WorkspaceFolder, group?: vscode.TaskGroup): vscode.Task {
  const file = vscode.Uri.joinPath(scope.uri, definition.file);
  const args = [definition.verb, definition.file, '--color', 'never', ...folderArguments(file), ...(definition.arguments ?? [])];
  const task = new vscode.Task(definition, scope, `${definition.verb} ${definition.file}`, 'wave',
    new vscode.ProcessExecution(programPath(), args, { cwd: scope.uri.fsPath }), '$wave');
  task.group = group;
  return task;
}

// What evaluates needs trust; a check does not.
const isAllowed = (verb: string) => vscode.workspace.isTrusted || verb === 'check';

export class TaskProvider implements vscode.TaskProvider {
  provideTasks(): vscode.Task[] {
    const document = vscode.window.activeTextEditor?.document;
    const scope = document && vscode.workspace.getWorkspaceFolder(document.uri);
    if (!document || !scope || document.languageId !== 'wave') return [];
    const file = vscode.workspace.asRelativePath(document.uri, false);
    return offered.filter(({ verb }) => isAllowed(verb))
      .map(({ verb, group }) => makeTask({ type: 'wave', verb, file }, scope, group));
  }

  resolveTask(task: vscode.Task): vscode.Task | undefined {
    const definition = task.definition as Definition;
    if (typeof task.scope !== 'object' || !isAllowed(definition.verb)) return undefined;
    return makeTask(definition, task.scope, task.group);
  }
}
