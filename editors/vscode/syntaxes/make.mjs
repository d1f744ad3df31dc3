// Makes the TextMate grammar and the words of the lexer for Pygments: `node make.mjs ROOT [--check]` writes
// wave.tmLanguage.json beside this file and api/python/wavemodel/_words.py, or says whether they are up to date. A word of the language that has no place below is an error, so none can be forgotten.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readWords } from './words.mjs';

// The scopes of the words that are never names.
const scopes = {
  'keyword.control.wave': 'if then else for when expect',
  'keyword.control.import.wave': 'import',
  'keyword.operator.word.wave': 'and or not div mod',
  'keyword.other.wave': 'in require table flops',
  'constant.language.boolean.wave': 'true false',
  'storage.type.wave':
    'fn let param type model machine interface protocol procedure process collective grid rec output study test',
  'storage.modifier.wave': 'override',
};

// What is named after a word that declares.
const declared = {
  'entity.name.function.wave': 'fn procedure collective protocol rec',
  'entity.name.type.wave': 'model machine interface type study grid resource',
  'variable.parameter.wave': 'param',
  'variable.other.definition.wave': 'let output process',
};

const types = 'axis bool data int level order real string time work';

// Words that are names elsewhere. These open an operand: they stand before a name, a number, a text or a bracket.
const openers =
  'acquire across after along as await busy by emit extends from irecv isend key levels measured of on over phase plot priority recv ' +
  'repeat resource send sendrecv servers set show sweep tag tiles to using value vary via vs wait waitany window within';
// What follows a name rather than an operand's beginning. A word before one of these is a name: `step in 1..3`.
const after_names =
  'across after along and as by div else extend extends for from if in levels mod nodes of on or over servers tag then tiles ' +
  'to using via vs when window within wrap';

// The others stand in forms of their own, where nothing else can stand. Each group of a form that is such a word is one.
const forms = [
  String.raw`^[ \t]*(wave)(?=[ \t]+[0-9])`,
  String.raw`\b(export)(?=[ \t]+import\b)`,
  String.raw`\b(on)[ \t]+(arrival)[ \t]+(of)\b`,
  String.raw`\b(await)[ \t]+(sent)(?=[ \t]+(?!(?:via|after)\b)\w)`,
  String.raw`\b(on)[ \t]+(log|linear)\b(?:[ \t]*,[ \t]*(log|linear)\b)?`,
  String.raw`\b(from|to)[ \t]+(upwind|downwind|root)\b`,
  String.raw`\b(irecv|recv|sweep)(?=[ \t]+from\b)`,
  String.raw`\b(receiver|sender|ready|task)(?=[ \t]*\{)`,
  String.raw`\b(task)(?=[ \t]+(?:when|priority)\b)`,
  String.raw`\b(waitall)\b(?![ \t]*(?:/(?!/)|[-+*^.:=,()\[\]<>!]))`,
  String.raw`(?<=[\w)\]] )(wrap)(?=[ \t]*[,\]])`,
  String.raw`(?<=\] )(nodes)(?=[ \t]*\()`,
  String.raw`(?<=\] )(levels)(?=[ \t]*\{)`,
  String.raw`(?<=: )(blocks)(?=[ \t]*\()`,
  String.raw`(?<=\} |\}|" )(linear|step|log)\b(?:[ \t]+(extend)\b)?`,
  String.raw`^[ \t]*(linear|step|log)\b(?:[ \t]+(extend)\b|(?=[ \t]*$))`,
  String.raw`\b(value)[ \t]+\w+[ \t]+(linear|step|log)\b(?:[ \t]+(extend)\b)?`,
  String.raw`(?<=\()(double|float|int|real)(?=\))`,
  String.raw`\b(by)(?=[ \t]+[*-]\w)`,
  // What is chosen follows: `using if i == 1 then fast else slow`. After `in` it is a list: `[x for x in after if x > 1]`.
  String.raw`(?<!\bin )(?<!\bwindow )\b(after|busy|by|irecv|isend|recv|repeat|send|sendrecv|servers|show|tag|tiles|using|within)(?=[ \t]+(?:if|when)\b)`,
];

const list = (text) => text.split(/\s+/);
const either = (words) => `(?:${[...words].sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).join('|')})`;
const word = (words) => `\\b${either(words)}\\b`;

function checkThatAllHaveAPlace({ keywords, words }) {
  const missing = [
    ...keywords.filter((one) => !Object.values(scopes).some((group) => list(group).includes(one))),
    ...words.filter((one) => !list(openers).includes(one) && !forms.some((form) => new RegExp(`[(|]${one}[)|]`).test(form))),
  ];
  const unknown = [
    ...Object.values(scopes).flatMap(list).filter((one) => !keywords.includes(one)),
    ...list(openers).filter((one) => !words.includes(one)),
  ];
  if (missing.length) throw new Error(`the grammar of editors has no place for: ${missing.join(', ')}`);
  if (unknown.length) throw new Error(`the language has no such words: ${unknown.join(', ')}`);
}

const captures = (...names) => Object.fromEntries(names.map((name, i) => [i + 1, { name }]));

function rules({ keywords, units }) {
  const power = `${either(units)}(?:\\^-?[0-9])?`;
  const unit = `${power}(?:[*/]${power})*(?!\\w)`;
  const number = '(?<![\\w])[0-9]+(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?';
  const type = word(list(types));
  return {
    comments: [
      { name: 'comment.line.documentation.wave', match: '///(?!/).*$' },
      { name: 'comment.line.double-slash.wave', match: '//.*$' },
    ],
    strings: [
      { name: 'string.quoted.double.wave', begin: '"', end: '"|$',
        patterns: [{ name: 'constant.character.escape.wave', match: '\\\\.' }] },
    ],
    members: [{ match: '(?<!\\.)(\\.)[ \\t]*([A-Za-z_]\\w*)', captures: captures('punctuation.accessor.wave', 'variable.other.property.wave') }],
    quantities: [
      { match: `(${number})[ \\t]*(${unit})`, captures: captures('constant.numeric.wave', 'keyword.other.unit.wave') },
      { name: 'constant.numeric.wave', match: number },
    ],
    // `output total = … in us`: what it is shown in, at the end of the line or before the next result.
    shown: [
      { begin: '\\b(output|show)\\b(?=[ \\t]+\\w)', beginCaptures: captures('storage.type.wave'), end: '$',
        patterns: [
          { match: `\\b(in)[ \\t]+(${unit})(?=[ \\t]*(?:$|[;,}]|//))`, captures: captures('keyword.other.wave', 'keyword.other.unit.wave') },
          { include: '#all' },
        ] },
    ],
    types: [
      { match: `(:)[ \\t]*(?:(1)[ \\t]*/[ \\t]*)?(\\[*${type}(?:[ \\t]*[*/][ \\t]*${type})*)`,
        captures: captures('punctuation.separator.type.wave', 'constant.numeric.wave', 'support.type.wave') },
    ],
    declarations: Object.entries(declared).map(([name, words]) => ({
      match: `(${word(list(words))})[ \\t]+(?!${word(keywords)})([A-Za-z_]\\w*)(?=[ \\t]*(?:[(\\[{:=]|$|of\\b|on\\b|from\\b|to\\b|extends\\b|window\\b|when\\b|//|;))`,
      captures: captures('storage.type.wave', name),
    })),
    keywords: Object.entries(scopes).map(([name, words]) => ({ name, match: word(list(words)) })),
    words: [
      ...forms.map((match) => ({ match, captures: captures(...Array(3).fill('keyword.other.wave')) })),
      { name: 'keyword.other.wave', match: `${word(list(openers))}(?=[ \\t]+(?!${word(list(after_names))})["\\w(\\[])` },
    ],
    calls: [{ name: 'entity.name.function.call.wave', match: '\\b[A-Za-z_]\\w*(?=\\()' }],
    operators: [{ name: 'keyword.operator.wave', match: '\\.\\.|\\+-|±|[=!<>]=|[=<>+*/^|-]' }],
  };
}

export function makeGrammar(all) {
  checkThatAllHaveAPlace(all);
  const repository = Object.fromEntries(Object.entries(rules(all)).map(([name, patterns]) => [name, { patterns }]));
  const order = ['comments', 'strings', 'members', 'quantities', 'types', 'words', 'declarations', 'keywords', 'calls', 'operators'];
  repository.all = { patterns: order.map((name) => ({ include: `#${name}` })) };
  return {
    information_for_contributors: 'Made by make.mjs; change it there.',
    name: 'Wave',
    scopeName: 'source.wave',
    fileTypes: ['wave'],
    patterns: [{ include: '#shown' }, { include: '#all' }],
    repository,
  };
}

const python = (name, words) => `${name} = """\\\n${words.join('\n')}\n""".split("\\n")[:-1]\n`;

// Python looks back over alternatives of one length only.
const lookingBackOnce = (form) => form.replace(/\(\?<=([^()]*\|[^()]*)\)/g, (_, all) => `(?:${all.split('|').map((one) => `(?<=${one})`).join('|')})`);

export function wordsText(root) {
  const all = readWords(root);
  checkThatAllHaveAPlace(all);
  const groups = Object.entries(scopes).map(([name, words]) => `    ${JSON.stringify(name)}: ${JSON.stringify(words)},\n`);
  return [
    '"""The words of the language, for `wavemodel.lexer`. Made by editors/vscode/syntaxes/make.mjs; change it there."""\n\n',
    `KEYWORDS = {\n${groups.join('')}}\n`,
    python('TYPES', list(types)), python('OPENERS', list(openers)), python('AFTER_NAMES', list(after_names)),
    python('UNITS', all.units), python('DECLARING', Object.values(declared).flatMap(list)),
    `FORMS = r"""\\\n${forms.map(lookingBackOnce).join('\n')}\n""".split("\\n")[1:-1]\n`,
  ].join('');
}

export const grammarText = (root) => `${JSON.stringify(makeGrammar(readWords(root)), null, 2)}\n`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [root, mode] = process.argv.slice(2);
  if (!root) throw new Error('usage: node make.mjs ROOT [--check]');
  const made = [
    [new URL('wave.tmLanguage.json', import.meta.url), grammarText(root)],
    [new URL('../../../api/python/wavemodel/_words.py', import.meta.url), wordsText(root)],
  ];
  for (const [file, text] of made) {
    if (mode !== '--check') writeFileSync(file, text);
    else if (readFileSync(file, 'utf8') !== text) throw new Error(`${file.pathname} is not what make.mjs makes; run it`);
  }
}
