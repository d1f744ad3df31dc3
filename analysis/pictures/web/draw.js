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

globalThis.waveDraw = (text) => {
  const refused = () => Promise.reject(new Error('a drawing loads nothing'));
  const end = (result) => Object.assign(globalThis.waveDrawing, result, { done: true });
  try {
    const logger = vega.logger(vega.Warn);
    const specification = JSON.parse(text);
    delete specification.params;   // who looks at a drawing has no pointer
    const compiled = vegaLite.compile(specification, { logger }).spec;
    const view = new vega.View(vega.parse(compiled, null, { ast: true }), {
      renderer: 'none',
      expr: globalThis.vegaInterpreter,
      loader: { load: refused, sanitize: refused, http: refused, file: refused },
      logger,
    });
    view.toSVG().then(
      (svg) => end(complaints.length ? { wrong: complaints.join('\n') } : { svg }),
      (error) => end({ wrong: String(error) }),
    );
  } catch (error) {
    end({ wrong: String(error) });
  }
};
