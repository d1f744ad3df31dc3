// What the extension makes of texts and of what the program writes. EXTENSION is where it was compiled, WAVE the
// program, ROOT the repository.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';

const require = createRequire(import.meta.url);
const part = (name) => require(`${process.env.EXTENSION}/out/${name}.js`);
const { blocksOf, modelAt, parametersOf, studiesOf } = part('outline');
const { definitions, drawable, outputsOf, parseDocument, pointsOf, quantityValue, slidersOf, variation } = part('model');
const { timelineOf } = part('timeline');
const { verdictsOf } = part('verdicts');

const wave = (args, input = '') => spawnSync(process.env.WAVE, args, { input, encoding: 'utf8', maxBuffer: 1 << 28 });

test('the next line is indented where a bracket stays open, and comments and strings have none', () => {
  const { indentationRules, onEnterRules } = JSON.parse(readFileSync(`${process.env.ROOT}/editors/vscode/language-configuration.json`, 'utf8'));
  const opens = new RegExp(indentationRules.increaseIndentPattern), closes = new RegExp(indentationRules.decreaseIndentPattern);
  const expected = { 'model X {': true, '  grid P[i: n]': false, '  f(x) {  // "{" {': true, '// {': false, 'let a = [': true, 'test "a { b" {': true,
                     'x = "a {"': false, 'sender { emit x }': false, 'let x = a / b': false };
  for (const [line, value] of Object.entries(expected)) assert.equal(opens.test(line), value, line);
  assert.ok(closes.test('  }') && closes.test(']') && !closes.test('  x }'));
  const [documentation, body] = onEnterRules.map((rule) => new RegExp(rule.beforeText));
  assert.ok(documentation.test('  /// What it costs.') && !documentation.test('  // What it costs.') && !documentation.test('  ///'));
  assert.ok(body.test('  fn f(x: int): int =') && !body.test('  fn f(x: int): int = x') && !body.test('  expect f(x) =='));
});

const farm = `wave 1
// model Commented { param x: int = 1 }
/// Workers that ask for tasks.
model Farm {
  param n: int = 8 in 1..64           /// workers } not the end
  param t: time = 2 ms in 10 us..1 s from "a \\"guess\\" {"
  param share: real = 1 in 0.. from "in 1..2"
  param free: data
    = 3 KiB in ..1 MiB
  param mode: fixed | dynamic = fixed
  let unused = 1..3
  output total = t * n * share in ms
  output each[k in 1..n] = k * t
}
model Other { param m: int = 3 }
test "a \\"quoted\\" name {" { expect Farm(n = 1, t = 1 ms).total == 1 ms }
test "fails" {
  expect Farm().total == 1 ms
  expect Other().m == 4
}
test "holds" { expect true }
`;

test('models and tests are found in a text, also behind braces in comments and strings', () => {
  assert.deepEqual(blocksOf(farm).map(({ kind, name }) => [kind, name]),
    [['model', 'Farm'], ['model', 'Other'], ['test', 'a "quoted" name {'], ['test', 'fails'], ['test', 'holds']]);
  assert.equal(modelAt(farm, farm.indexOf('output total')).name, 'Farm');
  assert.equal(modelAt(farm, farm.indexOf('model Other')).name, 'Other');
  assert.equal(modelAt(farm, farm.indexOf('"fails"')).name, 'Other', 'below all models it is the last');
  assert.equal(modelAt(farm, 0).name, 'Farm', 'above all models it is the first');
  assert.equal(modelAt('let x = 1', 3), undefined);
});

test('the studies of a model are found, with what they vary, and those of models from elsewhere', () => {
  const text = `${farm}// study commented of Farm { }
study scaling of Farm {
  vary n in 1..8      // vary t in [1 ms]
  vary net.L in [1 us, 2 us]
}
study others of Other { vary m in 1..3 }
study far of lu.LU { vary n in 1..3 }
`;
  const scaling = { name: 'scaling', varied: ['n', 'net.L'], isOfModel: true }, far = { name: 'far', varied: ['n'], isOfModel: false };
  assert.deepEqual(studiesOf(text, 'Farm'), [scaling, far]);
  assert.deepEqual(studiesOf(text, 'Other').map(({ name }) => name), ['others', 'far']);
  assert.equal(modelAt(text, text.indexOf('vary net.L')).name, 'Farm', 'in a study it is the model of the study');
  assert.equal(modelAt(text, text.indexOf('vary m')).name, 'Other');
});

test('any beginning of a text can be read', () => {
  for (let end = 0; end <= farm.length; end += 1) {
    const text = farm.slice(0, end);
    const model = modelAt(text, end);
    if (model) parametersOf(text, model);
    assert.ok(blocksOf(text).every(({ begin, end: last }) => begin < last && last <= end));
  }
});

test('ranges of parameters are read as they are written', () => {
  const parameters = parametersOf(farm, modelAt(farm, farm.indexOf('Farm')));
  assert.deepEqual(Object.fromEntries(parameters), {
    n: { type: 'int', lower: '1', upper: '64' },
    t: { type: 'time', lower: '10 us', upper: '1 s' },
    share: { type: 'real', lower: '0', upper: undefined },
    free: { type: 'data', lower: undefined, upper: '1 MiB' },
    mode: { type: 'fixed', lower: undefined, upper: undefined },
  });
});

test('quantities are numbers of seconds, bytes and flop', () => {
  for (const [text, value] of [['3', 3], ['-1.5e3', -1500], ['2 KiB', 2048], ['10 us', 1e-5], ['2 GB/s', 2e9], ['4 ms^2', 4e-6]]) {
    const found = quantityValue(text);
    assert.ok(Math.abs(found - value) <= 1e-12 * Math.abs(value), `${text}: ${found}`);
  }
  assert.equal(quantityValue('3 parsecs'), undefined);
  assert.equal(quantityValue('n + 1'), undefined);
});

test('every unit is worth what the program says', async () => {
  const { readWords } = await import(`${process.env.ROOT}/editors/vscode/syntaxes/words.mjs`);
  const { units } = readWords(process.env.ROOT);
  const { tables: outputs } = documentOf(`model Units {\n${units.map((unit, at) => `  output u${at} = 1 ${unit}`).join('\n')}\n}\n`, 'Units');
  units.forEach((unit, at) => {
    const { value } = outputs[`u${at}`];
    assert.ok(Math.abs(quantityValue(`1 ${unit}`) - value) <= 1e-14 * value, `${unit} is ${value}`);
  });
});

const documentOf = (text, model, ...more) => {
  const { stdout, stderr } = wave(['run', '-', '--model', model, '--format', 'json', ...more], text);
  assert.ok(stdout.startsWith('{'), stderr);
  return parseDocument(stdout);
};
const slidersIn = (text, model, ...more) =>
  slidersOf(documentOf(text, model, ...more), parametersOf(text, modelAt(text, text.indexOf(`model ${model}`))));

test('there is a slider for every number, as far as its range, and the program takes its values', () => {
  const sliders = slidersIn(farm, 'Farm');
  assert.deepEqual(sliders.map(({ name, least, most, whole }) => [name, least, most, whole]),
    [['n', 1, 64, true], ['t', 1e-5, 1, false], ['share', 0, 8, false], ['free', 384, 1048576, false]]);
  assert.ok(sliders[1].logarithmic && !sliders[2].logarithmic);
  const moved = definitions({ n: 5, t: 0.25, gone: 1 }, sliders);
  const { parameters, tables: outputs } = documentOf(farm, 'Farm', ...moved);
  assert.deepEqual([parameters.n.value, parameters.t.value], [5, 0.25]);
  assert.equal(outputs.total.value, 1250);
  for (const slider of sliders) {
    const points = pointsOf(slider);
    assert.ok(points.length > 10 && points.every((point) => point >= slider.least && point <= slider.most), slider.name);
    assert.ok(!slider.whole || points.every(Number.isInteger));
  }
});

test('values of every dimension can be given back to the program', () => {
  const types = { a: 'time', b: 'data/time', c: '1/time', d: 'time^2', e: '1/data/time', f: 'work/time', g: 'time*data', h: 'int', i: 'real' };
  const one = { a: 's', b: 'B/s', c: 'Hz', d: 's^2', e: 'B^-1*s^-1', f: 'flop/s', g: 's*B', h: '', i: '' };
  const parameters = Object.entries(types).map(([name, type]) => `  param ${name}: ${type} = 3 ${one[name]}\n  output o${name} = ${name}\n`);
  const text = `model All {\n${parameters.join('')}}\n`;
  const sliders = slidersIn(text, 'All');
  assert.deepEqual(sliders.map(({ name }) => name), Object.keys(types));
  const values = Object.fromEntries(sliders.map(({ name }) => [name, 5]));
  const { tables: outputs } = documentOf(text, 'All', ...definitions(values, sliders));
  for (const name of Object.keys(types)) assert.ok(Math.abs(outputs[`o${name}`].value - 5) < 1e-12, `${name} is ${outputs[`o${name}`].value}`);
  for (const slider of sliders) {
    const { status, stderr } = wave(['sweep', '-', '--model', 'All', '--vary', variation(slider), '--show', `o${slider.name}`], text);
    assert.equal(status, 0, stderr);
  }
});

test('parameters of machines have sliders as well', () => {
  const halo = readFileSync(`${process.env.ROOT}/examples/halo/halo.wave`, 'utf8');
  const names = slidersIn(halo, 'Halo', '-D', 'iterations=2').map(({ name }) => name);
  assert.ok(names.includes('net.L') && names.includes('net.G_s') && names.includes('nx'), names.join());
});

test('outputs are values with units, tables by rows, and what failed by its code', () => {
  const text = `${farm.replace('output total', 'output bad = 1 div (n - n)\n  output total')}`;
  const document = documentOf(text, 'Farm');
  const outputs = Object.fromEntries(outputsOf(document).map((output) => [output.name, output]));
  assert.deepEqual([outputs.total.value, outputs.total.unit], [16, 'ms']);
  assert.match(outputs.bad.failed, /^E\d+$/);
  assert.deepEqual(outputs.each.rows[1], [2, 0.004]);
  assert.deepEqual(outputs.each.columns.map(({ unit }) => unit), ['', 's']);
  assert.deepEqual(drawable(document), ['total']);
});

test('a timeline has a lane for each process, in which slices follow each other', () => {
  const halo = readFileSync(`${process.env.ROOT}/examples/halo/halo.wave`, 'utf8');
  const { stdout } = wave(['trace', '-', '-D', 'iterations=20', '--ranks', '0-3'], halo);
  const { lanes, end, kinds } = timelineOf(stdout);
  assert.deepEqual(lanes.map(({ name }) => name), ['P[1, 1]', 'P[1, 2]', 'P[1, 3]', 'P[1, 4]']);
  assert.ok(kinds.includes('compute') && kinds.includes('overhead'), kinds.join());
  for (const { slices } of lanes) {
    assert.ok(slices.length > 20 && slices.length <= 4000);
    slices.reduce((last, slice) => { assert.ok(slice.begin >= last - 1e-6 && slice.end <= end); return slice.end; }, 0);
  }
});

test('each test has its verdict, and failures their places and words', () => {
  const { stdout } = wave(['test', '-', '--format', 'json'], farm);
  const tests = blocksOf(farm).filter(({ kind }) => kind === 'test');
  const verdicts = verdictsOf(stdout, tests);
  assert.deepEqual(verdicts.map(({ passed, failures }) => [passed, failures.length]), [[true, 0], [false, 2], [true, 0]]);
  assert.equal(farm.split('\n')[verdicts[1].failures[0].line - 1].trim(), 'expect Farm().total == 1 ms');
  assert.match(verdicts[1].failures[0].message, /left side: +16 ms/);
  assert.equal(verdictsOf(stdout, tests.slice(1)), undefined, 'tests were taken away while they ran');
});
