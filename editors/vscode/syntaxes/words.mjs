// The words of the language, read from where the compiler has them, so that there is one list of each.
import { readFileSync } from 'node:fs';

// The section of the lexer's grammar that begins with this headline, up to the next one.
const section = (grammar, headline) => {
  const begin = grammar.indexOf(`// ---- ${headline}`);
  if (begin < 0) throw new Error(`the lexer's grammar has no section \`${headline}\``);
  const end = grammar.indexOf('// ----', begin + 8);
  return grammar.slice(begin, end < 0 ? undefined : end);
};

const literals = (text) => [...text.matchAll(/^[A-Z_]+\s*:\s*'([a-z]+)'\s*;/gm)].map((found) => found[1]);

// { keywords: never names; words: with a meaning in their place; units }
export function readWords(root) {
  const grammar = readFileSync(`${root}/grammar/WaveLexer.g4`, 'utf8');
  const source = readFileSync(`${root}/frontend/parse/units.cpp`, 'utf8');
  const table = source.slice(source.indexOf('all_units() {\n  static'));
  const units = [...table.slice(0, table.indexOf('};\n')).matchAll(/\{"([A-Za-z]+)",/g)].map((found) => found[1]);
  const all = {
    keywords: literals(section(grammar, 'keywords')),
    words: literals(section(grammar, 'words with a meaning')),
    units,
  };
  for (const [name, list] of Object.entries(all)) {
    if (list.length === 0) throw new Error(`no ${name} were found in the sources of the compiler`);
  }
  return all;
}
