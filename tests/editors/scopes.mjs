// Texts of Wave as an editor colours them: the scopes of every character, from the TextMate grammar of the extension.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const oniguruma = require('vscode-oniguruma');
const textmate = require('vscode-textmate');

export async function openGrammar(root) {
  const wasm = readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const file = `${root}/editors/vscode/syntaxes/wave.tmLanguage.json`;
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(readFileSync(file, 'utf8'), file),
  });
  return registry.loadGrammar('source.wave');
}

// A function from a place in the text to the innermost scope there, without the language's own name at its end.
export function scopesOf(grammar, text) {
  const lines = [];
  let state = textmate.INITIAL;
  for (const line of text.split('\n')) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    lines.push(tokens);
  }
  return (line, column) => {
    const token = lines[line].find((one) => one.startIndex <= column && column < one.endIndex);
    return token?.scopes.slice(1).map((scope) => scope.replace(/\.wave$/, '')) ?? [];
  };
}
