// Draws a specification without a browser: the engine of the drawing module runs this, then the scripts of Vega. It has the
// language and nothing else, neither files nor a network nor a clock.
'use strict';

// What Vega expects of its surroundings. Nothing here waits: what is put off is done as soon as the engine is free.
globalThis.setTimeout ??= (task, _delay, ...values) => { Promise.resolve().then(() => task(...values)); return 0; };
globalThis.clearTimeout ??= () => {};
globalThis.setInterval ??= () => 0;
globalThis.clearInterval ??= () => {};
globalThis.structuredClone ??= (value) => (value === undefined ? value : JSON.parse(JSON.stringify(value)));
globalThis.console ??= {};

const complaints = [];
for (const level of ['log', 'info', 'warn', 'error', 'debug']) globalThis.console[level] = (...words) => complaints.push(words.join(' '));

// What the engine reads after each call: done, and then either a drawing or what went wrong.
globalThis.waveDrawing = { done: false, svg: '', wrong: '' };

// How wide texts are. Vega has no fonts here and takes all letters for equally wide; these are the widths of ASCII in
// DejaVu Sans, in hundredths of the size. Other fonts that files name are narrower.
const widths = [
  32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 53,
  100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69, 63, 61, 73, 68, 99, 69, 61, 69, 39, 34, 39, 84, 50,
  50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84,
];
const widthOf = (letter) => {
  const code = letter.codePointAt(0);
  return widths[code - 32] ?? (code < 0x2e80 ? 70 : 100);
};
const measure = (item, line) => {
  const text = line == null ? '' : String(line).trim();
  const sum = [...text].reduce((all, letter) => all + widthOf(letter), 0);
  const isBold = item.fontWeight === 'bold' || Number(item.fontWeight) >= 600;
  return sum / 100 * vega.textMetrics.height(item) * (isBold ? 1.13 : 1);
};

const loader = (() => {
  const refused = () => Promise.reject(new Error('a drawing loads nothing'));
  return { load: refused, sanitize: refused, http: refused, file: refused };
})();

// The drawing of a specification that gives the size of the whole. Vega can do this by itself, but cuts off titles of
// several lines. So the size of what is drawn is corrected by what the whole is too large or too small.
const drawToSize = async (view, width, height) => {
  const least = 24, attempts = 6;
  const size = /^<svg[^>]* width="([\d.]+)" height="([\d.]+)" viewBox="0 0 [\d.]+ [\d.]+"/;
  for (let i = 0; i < attempts; ++i) {
    const svg = await view.toSVG();
    const found = svg.match(size);
    if (!found) throw new Error('the drawing has no size');
    const [wider, higher] = [width - Number(found[1]), height - Number(found[2])];
    if (Math.abs(wider) <= 1 && Math.abs(higher) <= 1) {
      return svg.replace(/ width="[\d.]+" height="[\d.]+" viewBox="[^"]+"/, ` width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`);
    }
    const [across, down] = [view.width() + wider, view.height() + higher];
    if (across < least || down < least) break;
    view.width(across).height(down);
  }
  throw new Error(`its texts leave too little of ${width} x ${height} pixels: it needs more room or smaller letters`);
};

const draw = async (text) => {
  vega.textMetrics.width = measure;
  const logger = vega.logger(vega.Warn);
  const specification = JSON.parse(text);
  for (const layer of specification.layer ?? []) delete layer.params;   // who looks at a drawing has no pointer
  const { width, height } = specification;
  const hasSize = specification.autosize?.type === 'fit';
  if (hasSize) Object.assign(specification, { autosize: { type: 'pad' }, width: width * 0.7, height: height * 0.6 });
  const compiled = vegaLite.compile(specification, { logger }).spec;
  const view = new vega.View(vega.parse(compiled, null, { ast: true }), {
    renderer: 'none',
    expr: globalThis.vegaInterpreter,
    loader,
    logger,
  });
  return hasSize ? drawToSize(view, width, height) : view.toSVG();
};

globalThis.waveDraw = (text) => {
  const end = (result) => Object.assign(globalThis.waveDrawing, result, { done: true });
  draw(text).then(
    (svg) => end(complaints.length ? { wrong: complaints.join('\n') } : { svg }),
    (error) => end({ wrong: error instanceof Error ? error.message : String(error) }),
  );
};
