// What the panel shows of a model: made of what `wave` writes, without the editor, so that it can be tested alone.
import type { Parameter } from './outline';

export interface Slider {
  name: string;
  value: number;
  unit: string;
  least: number;
  most: number;
  whole: boolean;                        // an `int`: the slider takes whole numbers
  logarithmic: boolean;
  source: string;
}

interface Value { value: unknown; unit?: string; given?: boolean; source?: string; doc?: string }
interface Result extends Value {
  status: string; shape: string; doc?: string; code?: string;
  fields?: Record<string, Value>; columns?: { name: string; unit?: string }[]; rows?: unknown[][];
}
// What `wave run --format json` writes: the outputs are its tables.
export interface Document { model: string; parameters: Record<string, Value>; tables: Record<string, Result> }

export const parseDocument = (text: string): Document => JSON.parse(text) as Document;

// Factors to seconds, bytes, flop: what `wave` counts in where no unit is asked for.
const factors: Record<string, number> = {
  ps: 1e-12, ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600,
  bit: 0.125, B: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40,
  kbit: 125, Mbit: 125e3, Gbit: 125e6,
  flop: 1, kflop: 1e3, Mflop: 1e6, Gflop: 1e9, Tflop: 1e12, Pflop: 1e15, Hz: 1, kHz: 1e3, MHz: 1e6, GHz: 1e9,
};

// `2 KiB` as 2048. Undefined: it is no number with units.
export function quantityValue(text: string): number | undefined {
  const found = /^\s*(-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)\s*(.*?)\s*$/.exec(text);
  if (!found) return undefined;
  let value = Number(found[1]);
  for (const [, symbol, unit, exponent] of found[2].matchAll(/([*/]?)([A-Za-z]+)(?:\^(-?[0-9]))?/g)) {
    if (!(unit in factors)) return undefined;
    value *= factors[unit] ** (Number(exponent ?? 1) * (symbol === '/' ? -1 : 1));
  }
  return Number(value.toPrecision(15));   // 10 us are 1e-5, or it would be below the range that it ends
}

// Where there is no range in the text, a slider reaches an eighth and eight times as far as the value.
const reach = 8;

// A slider for every parameter that is a number, those of its machines as well (`net.L`).
export function slidersOf(document: Document, declared: Map<string, Parameter>): Slider[] {
  return Object.entries(document.parameters).flatMap(([name, parameter]) => {
    if (typeof parameter.value !== 'number' || !Number.isFinite(parameter.value)) return [];
    const value = parameter.value, text = declared.get(name);
    const whole = text ? text.type === 'int' : parameter.unit === undefined && Number.isInteger(value);
    const lower = text?.lower === undefined ? undefined : quantityValue(text.lower);
    const upper = text?.upper === undefined ? undefined : quantityValue(text.upper);
    const around = [value / reach, value * reach, value === 0 ? 1 : 0].sort((a, b) => a - b);
    const [low, high] = value > 0 ? [whole ? 1 : around[1], around[2]] : value < 0 ? [around[0], around[1]] : [0, 1];
    const least = Math.min(lower ?? Math.min(low, upper ?? low), value);
    const most = Math.max(upper ?? Math.max(high, lower ?? high), value);
    return [{ name, value, unit: parameter.unit ?? '', least, most, whole, logarithmic: least > 0 && most / least >= 50,
              source: parameter.source ?? '' }];
  });
}

// A value with the unit that the program wrote beside it, as the language has it: `1/s` is no unit, but a quotient.
function quantityText(value: number, unit: string): string {
  if (!unit.startsWith('1/')) return unit ? `${value} ${unit}` : `${value}`;
  return `${value} / (1 ${unit.slice(2).replaceAll('/', ') / (1 ')})`;
}

// `-D` for every value that was chosen.
export function definitions(values: Record<string, number>, sliders: Slider[]): string[] {
  return sliders.flatMap(({ name, unit }) => (name in values ? ['-D', `${name}=${quantityText(values[name], unit)}`] : []));
}

// `--vary`: a slider from end to end.
export const variation = (slider: Slider) =>
  `${slider.name}=[${pointsOf(slider).map((point) => quantityText(point, slider.unit)).join(', ')}]`;

// The outputs, as the page shows them; of tables as many rows as a panel has room for.
const mostRows = 200;

export interface Column { name: string; unit: string }

export interface Output {
  name: string;
  doc: string;
  failed: string;                        // the code of the diagnostic; empty if it has a value
  value: unknown;                        // of a single one
  unit: string;
  columns: Column[];                     // of a table
  rows: unknown[][];
  more: number;                          // rows that are not shown
}

export function outputsOf(document: Document): Output[] {
  return Object.entries(document.tables).map(([name, result]) => {
    const output: Output = { name, doc: result.doc ?? '', failed: '', value: null, unit: result.unit ?? '', columns: [], rows: [], more: 0 };
    if (result.status !== 'evaluated') return { ...output, failed: result.code ?? result.status };
    if (result.shape === 'single') return { ...output, value: result.value };
    const fields = Object.entries(result.fields ?? {});
    const columns = result.columns ?? fields.map(([field, { unit }]) => ({ name: field, unit }));
    const rows = result.rows ?? [fields.map(([, { value }]) => value)];
    return { ...output, columns: columns.map((column) => ({ name: column.name, unit: column.unit ?? '' })),
             rows: rows.slice(0, mostRows), more: Math.max(0, rows.length - mostRows) };
  });
}

// Outputs that are one number: what can be drawn over a parameter.
export const drawable = (document: Document) => Object.entries(document.tables)
  .filter(([, result]) => result.status === 'evaluated' && result.shape === 'single' && typeof result.value === 'number')
  .map(([name]) => name);

// The values of a slider at which a plot has its points.
export function pointsOf(slider: Slider, count = 24): number[] {
  const at = (share: number) => (slider.logarithmic
    ? slider.least * (slider.most / slider.least) ** share
    : slider.least + (slider.most - slider.least) * share);
  const points = Array.from({ length: count }, (_, k) => at(k / (count - 1)));
  const rounded = points.map((point) => (slider.whole ? Math.round(point) : Number(point.toPrecision(6))));
  return [...new Set(rounded)].filter((point) => point >= slider.least && point <= slider.most);
}
