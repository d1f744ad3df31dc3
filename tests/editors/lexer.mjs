// The tokens of a text, as the grammar of the compiler has them: a second opinion on what an editor should colour.

const pieces = [
  ['comment', /\/\/.*/y],
  ['string', /"(?:[^"\\]|\\.)*"/y],
  ['number', /[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y],
  ['word', /[A-Za-z_][A-Za-z_0-9]*/y],
  ['symbol', /\.\.|[^\s]/y],
];

// { kind, text, line, column }, each on one line.
export function tokensOf(text) {
  const tokens = [];
  text.split('\n').forEach((content, line) => {
    let column = 0;
    while (column < content.length) {
      if (/\s/.test(content[column])) { column += 1; continue; }
      for (const [kind, pattern] of pieces) {
        pattern.lastIndex = column;
        const found = pattern.exec(content);
        if (!found) continue;
        tokens.push({ kind, text: found[0], line, column });
        column += found[0].length;
        break;
      }
    }
  });
  return tokens;
}

// Whether the token is a unit of the number before it: a word on its line, or one joined to such a unit by `/`, `*`.
export function isUnit(tokens, at, units) {
  const [one, before, earlier] = [tokens[at], tokens[at - 1], tokens[at - 2]];
  if (one.kind !== 'word' || !units.includes(one.text) || before?.line !== one.line) return false;
  if (before.kind === 'number') return true;
  const joined = (before.text === '/' || before.text === '*') && before.column + 1 === one.column && earlier &&
    earlier.column + earlier.text.length === before.column;
  if (!joined) return false;
  if (earlier.kind === 'word') return isUnit(tokens, at - 2, units);
  return isExponent(tokens, at - 2, units);
}

// The 2 of `3 us^2`.
export function isExponent(tokens, at, units) {
  return tokens[at].kind === 'number' && tokens[at - 1]?.text === '^' && isUnit(tokens, at - 2, units);
}
