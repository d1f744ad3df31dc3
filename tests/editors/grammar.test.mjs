// The TextMate grammar on every text of the repository: ROOT is the repository.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { isExponent, isUnit, tokensOf } from './lexer.mjs';
import { openGrammar, scopesOf } from './scopes.mjs';

const root = process.env.ROOT;
const { readWords } = await import(`${root}/editors/vscode/syntaxes/words.mjs`);
const { keywords, words, units } = readWords(root);

let grammar;
before(async () => { grammar = await openGrammar(root); });

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['build', 'node_modules', '.git'].includes(entry.name) ? [] : filesBelow(path);
    return entry.isFile() && entry.name.endsWith('.wave') ? [path] : [];
  });
}

// What the innermost scope of a token begins with. Nothing: it may have any.
function expectedScope(tokens, at) {
  const { kind, text } = tokens[at];
  if (kind === 'comment') return text.startsWith('///') && !text.startsWith('////') ? 'comment.line.documentation' : 'comment.line';
  if (kind === 'string') return 'string.quoted';
  if (kind === 'number') return isExponent(tokens, at, units) ? 'keyword.other.unit' : 'constant.numeric';
  if (kind !== 'word') return null;
  if (tokens[at - 1]?.text === '.') return 'variable.other.property';
  if (isUnit(tokens, at, units)) return 'keyword.other.unit';
  if (text === 'true' || text === 'false') return 'constant.language';
  return keywords.includes(text) ? /^(keyword|storage)/ : null;
}

const matches = (scope, expected) => (expected instanceof RegExp ? expected.test(scope) : scope.startsWith(expected));

test('every keyword, unit, literal and comment of every file has its scope', () => {
  const files = filesBelow(root);
  assert.ok(files.length > 300, `only ${files.length} files`);
  const wrong = [];
  const seen = new Set();
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const scopeAt = scopesOf(grammar, text), tokens = tokensOf(text);
    tokens.forEach((token, at) => {
      const expected = expectedScope(tokens, at);
      if (expected === null) return;
      seen.add(token.text);
      const scopes = scopeAt(token.line, token.column);
      if (!scopes.some((scope) => matches(scope, expected))) {
        wrong.push(`${file}:${token.line + 1}:${token.column + 1}: ${token.text} is ${scopes.at(-1) ?? 'plain'}`);
      }
    });
  }
  assert.deepEqual(wrong.slice(0, 20), []);
  assert.deepEqual(keywords.filter((word) => !seen.has(word)), [], 'keywords that no file has');
});

test('every unit has its scope after a number, alone, joined, and where an output is shown', () => {
  for (const unit of units) {
    for (const text of [`let x = 3 ${unit}`, `let x = 3${unit}`, `let x = 3 B/${unit}`, `let x = 3 ${unit}^2 + y`, `output x = y in ${unit}`]) {
      const column = text.search(new RegExp(`${unit}(\\^|$)`));
      assert.equal(scopesOf(grammar, text)(0, column).at(-1), 'keyword.other.unit', text);
    }
    assert.notEqual(scopesOf(grammar, `let x = ${unit} + 1`)(0, 8).at(-1), 'keyword.other.unit', `${unit} is a name where no number is before it`);
  }
});

// A word of the language in its place, and the same as a name. `^` marks it.
const places = readFileSync(new URL('words.txt', import.meta.url), 'utf8').split('\n')
  .filter((line) => line && !line.startsWith('#'))
  .map((line) => /^(\w+)\s+\| (.*?)\s+\| (.*)$/.exec(line).slice(1));

test('every word with a meaning in its place is listed in words.txt', () => {
  assert.deepEqual([...new Set(places.map(([word]) => word))].sort(), [...words].sort());
});

for (const [word, inPlace, asName] of places) {
  test(`\`${word}\` is a word of the language in its place, and a name elsewhere: ${inPlace}`, () => {
    const scopes = (text) => {
      const scopeAt = scopesOf(grammar, text);
      return tokensOf(text).filter((token) => token.kind === 'word' && token.text === word).map((token) => scopeAt(0, token.column).at(-1) ?? '');
    };
    const ours = scopes(inPlace);
    assert.ok(ours.length > 0 && ours.every((scope) => /^(keyword|storage|support)/.test(scope)), `${inPlace}: ${ours}`);
    const names = scopes(asName);
    assert.ok(names.length > 0 && names.every((scope) => !/^(keyword|storage)/.test(scope)), `${asName}: ${names}`);
  });
}

test('the grammar is what its script makes of the words of the compiler', () => {
  execFileSync(process.execPath, [`${root}/editors/vscode/syntaxes/make.mjs`, root, '--check']);
});
