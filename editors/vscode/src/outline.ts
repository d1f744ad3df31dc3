// The declarations of a text, as far as the extension needs them without the language server: models with the ranges
// of their parameters, tests, and studies. It reads any text, also one that does not parse.

export interface Block {
  kind: 'model' | 'test' | 'study';
  name: string;
  of?: string;                           // the model of a study
  begin: number;                         // offsets in the text
  end: number;
}

export interface Parameter {
  type: string;
  lower?: string;                        // of its range, as written: `1`, `2 KiB`; none where it is no number
  upper?: string;
}

// The text with comments and what stands in strings blanked, so that a search finds only code. Offsets stay the same.
export function codeOf(text: string): string {
  const blank = (piece: string) => piece.replace(/[^\n]/g, ' ');
  return text.replace(/\/\/.*|"(?:[^"\\\n]|\\.)*"?/g, (piece) =>
    piece.startsWith('//') || piece.length < 2 ? blank(piece) : `"${blank(piece.slice(1, -1))}"`);
}

// Where the brace that opens at `open` is closed, or the end of the text.
function closing(code: string, open: number): number {
  let depth = 0;
  for (let at = open; at < code.length; ++at) {
    if (code[at] === '{') ++depth;
    if (code[at] === '}' && --depth === 0) return at + 1;
  }
  return code.length;
}

// Models, tests and studies of the module, in the order of the text.
export function blocksOf(text: string): Block[] {
  const code = codeOf(text);
  const blocks: Block[] = [];
  const head = /\b(?:model[ \t]+(?<model>[A-Za-z_]\w*)|study[ \t]+(?<study>[A-Za-z_]\w*)\s+of\s+(?<of>[\w.]+)|test\s*"[^"]*")\s*\{/g;
  for (let found = head.exec(code); found; found = head.exec(code)) {
    const begin = found.index, end = closing(code, head.lastIndex - 1);
    const { model, study, of } = found.groups ?? {};
    if (model) blocks.push({ kind: 'model', name: model, begin, end });
    else if (study) blocks.push({ kind: 'study', name: study, of, begin, end });
    else blocks.push({ kind: 'test', name: unescaped(/"((?:[^"\\]|\\.)*)"/.exec(text.slice(begin))?.[1] ?? ''), begin, end });
    head.lastIndex = end;
  }
  return blocks;
}

const unescaped = (text: string) =>
  text.replace(/\\(.)/g, (_all, letter: string) => ({ n: '\n', t: '\t' })[letter] ?? letter);

// The model around the offset, or that of the study around it; else the last model before it, or the first.
export function modelAt(text: string, offset: number): Block | undefined {
  const blocks = blocksOf(text), models = blocks.filter((block) => block.kind === 'model');
  const study = blocks.find(({ kind, begin, end }) => kind === 'study' && begin <= offset && offset <= end);
  return models.find(({ name }) => name === study?.of) ?? models.filter((model) => model.begin <= offset).at(-1) ?? models[0];
}

export interface Study {
  name: string;
  varied: string[];                      // paths: a value for one of those makes no sense
  isOfModel: boolean;                    // else of one that another module declares
}

// The studies of a model, and those of models that the text does not declare.
export function studiesOf(text: string, model: string): Study[] {
  const blocks = blocksOf(text), models = blocks.filter(({ kind }) => kind === 'model').map(({ name }) => name);
  return blocks.filter(({ kind, of }) => kind === 'study' && (of === model || !models.includes(of ?? ''))).map(({ name, of, begin, end }) => ({
    name, isOfModel: of === model,
    varied: [...codeOf(text).slice(begin, end).matchAll(/\bvary\s+([A-Za-z_][\w.]*)\s+in\b/g)].map(([, path]) => path),
  }));
}

export const hasProcess = (text: string, model: Block) => /\bprocess\b/.test(codeOf(text).slice(model.begin, model.end));

// What may stand on either side of `..`: a number with its unit.
const quantity = String.raw`-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?:[ \t]*[A-Za-z]+(?:\^-?[0-9])?(?:[*/][A-Za-z]+(?:\^-?[0-9])?)*)?`;

const declaring = 'param|let|fn|require|grid|rec|process|procedure|output';

// The parameters that the model declares, with their ranges where these are numbers: `param n: int = 8 in 1..64`.
export function parametersOf(text: string, model: Block): Map<string, Parameter> {
  const code = codeOf(text).slice(model.begin, model.end);
  const parameters = new Map<string, Parameter>();
  const parameter = new RegExp(String.raw`\bparam[ \t]+([A-Za-z_]\w*)[ \t]*:[ \t]*([^\s=]*)((?:(?!\b(?:${declaring})\b)[^])*)`, 'g');
  for (const [, name, type, rest] of code.matchAll(parameter)) {
    const range = new RegExp(String.raw`\bin[ \t]+(${quantity})?[ \t]*\.\.[ \t]*(${quantity})?`).exec(rest);
    parameters.set(name, { type, lower: range?.[1], upper: range?.[2] });
  }
  return parameters;
}
