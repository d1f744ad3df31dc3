// The page of the panel: shows what the extension sends, and sends back what is moved. Everything that comes out of a
// model is put into the page as text.
'use strict';

(() => {
  const vscode = acquireVsCodeApi();
  const panel = document.getElementById('panel');

  // An element with properties, attributes (those with a dash or `role`) and children.
  const make = (tag, properties = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
      if (name.includes('-') || name === 'role' || name === 'for') element.setAttribute(name, value);
      else element[name] = value;
    }
    element.append(...children);
    return element;
  };

  const title = make('h1');
  const file = make('p', { className: 'file' });
  const status = make('pre', { className: 'status', role: 'status', hidden: true });
  const reset = make('button', { type: 'button', textContent: 'Reset', title: 'All values as the text has them' });
  const own = make('div', { className: 'sliders' });
  const machine = make('div', { className: 'sliders' });
  const machines = make('details', { hidden: true }, make('summary', { textContent: 'Parameters of machines' }), machine);
  const outputs = make('table', { className: 'outputs' });
  const breakdowns = make('div');
  const of = make('select', { id: 'of' }), over = make('select', { id: 'over' });
  const image = make('img', { hidden: true });
  const plotText = make('pre', { className: 'status', hidden: true });
  const lanes = make('div', { className: 'lanes' });
  const timeline = make('details', { className: 'timeline' }, make('summary', { textContent: 'Timeline' }), lanes);
  const section = (name, ...children) => make('section', { 'aria-label': name }, make('h2', { textContent: name }), ...children);
  const plot = section('Plot', make('p', {}, make('label', { for: 'of', textContent: 'of ' }), of,
    make('label', { for: 'over', textContent: ' over ' }), over), image, plotText);
  const studies = section('Studies');
  const parameters = section('Parameters', own, machines, reset), outcomes = section('Outputs', outputs);
  const results = make('div', { hidden: true }, parameters, outcomes, section('Where time goes', breakdowns), plot, studies, timeline);
  panel.append(title, file, status, results);

  // ---- sliders ------------------------------------------------------------------------------------------

  const values = {};                     // what was moved
  const rows = new Map();                // name -> { slider, input, shown }
  const steps = 400;

  const isExact = ({ whole, least, most }) => whole && most - least <= 4096;
  const valueAt = (slider, place) => {
    if (isExact(slider)) return slider.least + place;
    const share = place / steps;
    const value = slider.logarithmic ? slider.least * (slider.most / slider.least) ** share : slider.least + (slider.most - slider.least) * share;
    return slider.whole ? Math.round(value) : Number(value.toPrecision(4));
  };
  const placeOf = (slider, value) => {
    if (isExact(slider)) return value - slider.least;
    const share = slider.logarithmic ? Math.log(value / slider.least) / Math.log(slider.most / slider.least)
      : (value - slider.least) / (slider.most - slider.least || 1);
    return Math.round(share * steps);
  };

  const factors = { s: [[1, 's'], [1e-3, 'ms'], [1e-6, 'us'], [1e-9, 'ns'], [1e-12, 'ps']],
                    B: [[2 ** 30, 'GiB'], [2 ** 20, 'MiB'], [2 ** 10, 'KiB'], [1, 'B']] };
  // For people: five digits, and times and bytes in the unit that suits their size.
  const shown = (value, unit) => {
    if (typeof value !== 'number') return value === null ? '' : String(value);
    const [first, ...rest] = unit.split('/');   // `s/B` as `ns/B`
    const [factor, name] = (factors[first] ?? []).find(([least]) => Math.abs(value) >= least) ?? [1, first];
    return `${Number((value / factor).toPrecision(5))}${unit ? ` ${[name, ...rest].join('/')}` : ''}`;
  };

  const send = (message) => vscode.postMessage(message);

  const makeRow = (slider) => {
    const number = make('output');
    const input = make('input', { type: 'range', min: 0, max: isExact(slider) ? slider.most - slider.least : steps, step: 1,
                                  id: `slider-${slider.name}`, title: slider.source });
    const row = { slider, input, number };
    input.addEventListener('input', () => {
      values[slider.name] = valueAt(row.slider, Number(input.value));
      number.textContent = shown(values[slider.name], row.slider.unit);
      send({ kind: 'values', values });
    });
    const label = make('label', { for: input.id, textContent: slider.name });
    (slider.name.includes('.') ? machine : own).append(make('div', { className: 'slider' }, label, input, number));
    return row;
  };

  // The rows stay while the same sliders are shown, so that one that is held is not taken away.
  const showSliders = (sliders, moved) => {
    for (const name of Object.keys(values)) if (!moved.includes(name)) delete values[name];
    const same = sliders.length === rows.size && sliders.every((one) => {
      const before = rows.get(one.name)?.slider;
      return before && ['least', 'most', 'whole', 'unit'].every((key) => before[key] === one[key]);
    });
    if (!same) {
      rows.clear();
      own.replaceChildren();
      machine.replaceChildren();
      for (const slider of sliders) rows.set(slider.name, makeRow(slider));
      machines.hidden = machine.children.length === 0;
    }
    for (const slider of sliders) {
      const row = rows.get(slider.name);
      row.slider = slider;
      row.number.textContent = shown(slider.now, slider.unit);
      row.number.classList.toggle('is-moved', slider.name in values);
      if (document.activeElement !== row.input) row.input.value = placeOf(slider, slider.now);
    }
    reset.disabled = Object.keys(values).length === 0;
  };

  reset.addEventListener('click', () => {
    for (const name of Object.keys(values)) delete values[name];
    for (const { input, slider } of rows.values()) input.value = placeOf(slider, slider.value);
    send({ kind: 'values', values });
  });

  // ---- results ------------------------------------------------------------------------------------------

  const isBreakdown = ({ name }) => /\.(breakdown|path|statements)$/.test(name);

  const table = ({ columns, rows: lines, more }) => {
    const cells = (texts, tag) => make('tr', {}, ...texts.map((text) => make(tag, { textContent: text })));
    const made = make('table', { className: 'rows' }, make('thead', {}, cells(columns.map((column) => column.name), 'th')),
      make('tbody', {}, ...lines.map((line) => cells(line.map((cell, at) => shown(cell, columns[at].unit)), 'td'))));
    return more > 0 ? make('div', {}, made, make('p', { textContent: `and ${more} more rows` })) : made;
  };

  const outputRow = (output) => {
    const value = output.failed ? make('span', { className: 'is-failed', textContent: `no value (${output.failed})` })
      : output.columns.length > 0 ? table(output) : make('span', { textContent: shown(output.value, output.unit) });
    return make('tr', { 'data-output': output.name }, make('th', { 'scope': 'row', title: output.doc, textContent: output.name }), make('td', {}, value));
  };

  // A bar for each row, as long as its share; the last two columns are the time and the percent.
  const breakdown = (output, isOpen) => {
    const bars = output.rows.map((row) => {
      const share = Math.max(0, Math.min(100, Number(row.at(-1)) || 0));
      const bar = make('meter', { min: 0, max: 100, value: share });
      return make('tr', {}, make('td', { title: row.slice(0, -2).join(' ') }, String(row[0]), make('small', { textContent: ` ${row.slice(1, -2).join(' ')}` })), make('td', {}, bar),
        make('td', { textContent: shown(row.at(-2), output.columns.at(-2).unit) }), make('td', { textContent: `${Number(share.toPrecision(3))} %` }));
    });
    return make('details', { open: isOpen, 'data-breakdown': output.name },
      make('summary', { textContent: output.name, title: output.doc }), make('table', { className: 'bars' }, ...bars));
  };

  const showOutputs = (all) => {
    outputs.replaceChildren(...all.filter((one) => !isBreakdown(one)).map(outputRow));
    const opened = new Set([...breakdowns.querySelectorAll('details[open]')].map((one) => one.dataset.breakdown));
    const parts = all.filter((one) => isBreakdown(one) && one.rows.length > 0);
    breakdowns.replaceChildren(...parts.map((one, at) => breakdown(one, breakdowns.childElementCount === 0 ? at === 0 : opened.has(one.name))));
    breakdowns.parentElement.hidden = parts.length === 0;
  };

  const choose = (select, names, chosen) => {
    select.replaceChildren(...names.map((name) => make('option', { value: name, textContent: name })));
    select.value = chosen;
  };
  const sendPlot = () => send({ kind: 'plot', of: of.value, over: over.value });
  of.addEventListener('change', sendPlot);
  over.addEventListener('change', sendPlot);
  timeline.addEventListener('toggle', () => send({ kind: 'timeline', open: timeline.open }));

  // ---- studies ------------------------------------------------------------------------------------------

  const showPicture = (picture, text, { image: data, text: words }) => {
    picture.hidden = !data;
    if (data) picture.src = `data:image/svg+xml;base64,${data}`;
    text.textContent = words;
    text.hidden = !words;
  };

  const makeStudy = ({ name, open }) => {
    const made = make('details', { open, className: 'study' }, make('summary', { textContent: name }),
      make('img', { hidden: true, alt: `the plot of the study ${name}` }), make('pre', { className: 'status', hidden: true }));
    made.dataset.study = name;
    let isAsked = open;
    made.addEventListener('toggle', () => { if (made.open !== isAsked) send({ kind: 'study', name, open: isAsked = made.open }); });
    return made;
  };

  const studyOf = (name) => [...studies.querySelectorAll('details')].find((one) => one.dataset.study === name);

  // Those of the same model stay, with their pictures, until they are drawn again.
  const showStudies = (all, owner) => {
    if (studies.dataset.owner !== owner) studies.replaceChildren(studies.firstChild);
    studies.dataset.owner = owner;
    studies.replaceChildren(studies.firstChild, ...all.map((one) => studyOf(one.name) ?? makeStudy(one)));
    studies.hidden = all.length === 0;
  };

  // ---- timeline -----------------------------------------------------------------------------------------

  const svg = (tag, attributes, ...children) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };

  const showTimeline = ({ lanes: all, end, kinds }) => {
    const height = 18, width = 1000;
    const picture = svg('svg', { viewBox: `0 0 ${width} ${all.length * (height + 4)}`, height: all.length * (height + 4), preserveAspectRatio: 'none', role: 'img',
                                 'aria-label': `what ${all.length} processes do, up to ${shown(end / 1e6, 's')}` });
    all.forEach((lane, at) => {
      for (const slice of lane.slices) {
        const box = svg('rect', { x: slice.begin / end * width, y: at * (height + 4), height, class: `kind-${kinds.indexOf(slice.kind) % 8}`,
                                  width: Math.max(0.3, (slice.end - slice.begin) / end * width) });
        const tip = svg('title', {});
        tip.textContent = `${lane.name}: ${slice.kind}: ${slice.name}, ${shown((slice.end - slice.begin) / 1e6, 's')}`;
        box.append(tip);
        picture.append(box);
      }
    });
    const names = make('div', { className: 'names' }, ...all.map((lane) => make('span', { textContent: lane.name })));
    const legend = make('p', { className: 'legend' }, ...kinds.map((kind, at) =>
      make('span', {}, make('i', { className: `kind-${at % 8}` }), kind)));
    lanes.replaceChildren(make('div', { className: 'chart' }, names, picture), legend, make('p', { textContent: `0 to ${shown(end / 1e6, 's')}` }));
  };

  // ---- messages -----------------------------------------------------------------------------------------

  const say = (text) => {
    status.textContent = text;
    status.hidden = !text;
  };

  const receive = {
    busy: () => panel.setAttribute('aria-busy', 'true'),
    failed: ({ text }) => { say(text); results.hidden = true; },
    refused: ({ text }) => { say(text); results.classList.add('is-old'); },
    results: (message) => {
      say(message.errors);
      results.hidden = false;
      results.classList.remove('is-old');
      showSliders(message.sliders, message.moved);
      showOutputs(message.outputs);
      parameters.hidden = !message.model;   // there are only studies of models that other modules declare
      outcomes.hidden = !message.model;
      choose(of, message.choices, message.plot.of);
      choose(over, message.sliders.map((slider) => slider.name), message.plot.over);
      timeline.hidden = !message.hasProcess;
      showStudies(message.studies, `${message.file} ${message.model}`);
      plot.hidden = message.choices.length === 0 || message.sliders.length === 0;
    },
    plot: (drawn) => {
      image.alt = `${of.value} over ${over.value}`;
      showPicture(image, plotText, drawn);
    },
    unfold: ({ name }) => {
      const made = studyOf(name);
      if (made) made.open = true;
    },
    study: (drawn) => {
      const made = studyOf(drawn.name);
      if (made) showPicture(made.querySelector('img'), made.querySelector('pre'), drawn);
    },
    timeline: ({ timeline: made, text }) => {
      if (made) showTimeline(made);
      else lanes.replaceChildren(make('pre', { className: 'status', textContent: text }));
    },
  };

  window.addEventListener('message', ({ data }) => {
    if (!Object.hasOwn(receive, data.kind)) return;
    title.textContent = data.model;
    file.textContent = data.file;
    receive[data.kind](data);
    if (data.kind !== 'busy') panel.setAttribute('aria-busy', 'false');
  });
  send({ kind: 'ready' });
})();
