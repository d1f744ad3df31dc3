// What `wave test` says of the tests of a file, without the editor.
import type { Block } from './outline';

export interface Failure { line: number; column: number; message: string }   // from 1
export interface Verdict { name: string; passed: boolean; failures: Failure[] }

interface Diagnostic { message: string; severity: string; file: string | null; line?: number; column?: number;
                       labels?: { file: string; line: number; column: number; text: string; primary: boolean }[]; notes?: string[]; help?: string[] }

// The diagnostics of standard error, one object a line; other lines are none.
export function diagnosticsOf(errors: string): Diagnostic[] {
  return errors.split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Diagnostic);
}

const wordsOf = (diagnostic: Diagnostic) =>
  [diagnostic.message, ...(diagnostic.labels ?? []).filter((label) => label.text).map((label) => label.text),
   ...(diagnostic.notes ?? []), ...(diagnostic.help ?? []).map((text) => `help: ${text}`)].join('\n');

// The verdicts stand in the order of the tests. Undefined: the file has errors of its own, or is another one by now.
export function verdictsOf(output: string, errors: string, text: string, tests: Block[]): Verdict[] | undefined {
  const lines = [...output.matchAll(/^ {2}(ok|FAILED) {3,}/gm)].map((found) => found[1] === 'ok');
  if (lines.length !== tests.length) return undefined;
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
  const failures = diagnosticsOf(errors).filter((one) => one.severity === 'error' && one.line !== undefined)
    .map((one) => ({ line: one.line ?? 1, column: one.column ?? 1, message: wordsOf(one) }));
  return tests.map((test, at) => ({ name: test.name, passed: lines[at],
    failures: failures.filter(({ line }) => line >= lineOf(test.begin) && line <= lineOf(test.end)) }));
}

export const complaint = (errors: string) => diagnosticsOf(errors).map(wordsOf).join('\n\n') || errors;
