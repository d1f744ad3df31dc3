// What `wave test` says of the tests of a file, without the editor.
import type { Block } from './outline';

export interface Failure { line: number; column: number; message: string }   // from 1
export interface Verdict { passed: boolean; failures: Failure[] }

interface Diagnostic { message: string; severity: string; file: string | null; line?: number; column?: number;
                       labels?: { file: string; line: number; column: number; text: string; primary: boolean }[]; notes?: string[]; help?: string[] }

// The diagnostics of standard error, one object a line; other lines are none.
export function diagnosticsOf(errors: string): Diagnostic[] {
  return errors.split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Diagnostic);
}

const wordsOf = (diagnostic: Diagnostic) =>
  [diagnostic.message, ...(diagnostic.labels ?? []).filter((label) => label.text).map((label) => label.text),
   ...(diagnostic.notes ?? []), ...(diagnostic.help ?? []).map((text) => `help: ${text}`)].join('\n');

interface Table { columns: { name: string }[]; rows: (string | number)[][] }

const rowsOf = ({ columns, rows }: Table) =>
  rows.map((row) => Object.fromEntries(row.map((cell, at) => [columns[at].name, cell])) as Record<string, string | number>);

// From `wave test --format json`, in the order of the tests. Undefined: the file has errors of its own, or is another one by
// now.
export function verdictsOf(output: string, tests: Block[]): Verdict[] | undefined {
  if (!output.startsWith('{')) return undefined;
  const { tables } = JSON.parse(output) as { tables: { tests: Table; failures: Table } };
  const found = rowsOf(tables.tests), failures = rowsOf(tables.failures);
  if (found.length !== tests.length || found.some(({ test }, at) => test !== tests[at].name)) return undefined;
  return found.map(({ line, verdict }) => ({
    passed: verdict === 'passed',
    failures: failures.filter((one) => one.test_line === line && Number(one.line) > 0).map((one) => ({
      line: Number(one.line), column: Number(one.column),
      message: [one.message, one.labels, one.notes, one.help && `help: ${one.help}`].filter(Boolean).join('\n'),
    })),
  }));
}

export const complaint = (errors: string) => diagnosticsOf(errors).map(wordsOf).join('\n\n') || errors;
