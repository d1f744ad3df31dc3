// The script of a report: draws the pictures whose specifications stand in the page. It asks for nothing outside of it.
'use strict';

(() => {
  const narrow = 560;                    // pixels; below that a legend has fewer columns and a map no numbers
  const refused = () => Promise.reject(new Error('a report loads nothing'));
  const loader = { load: refused, sanitize: refused, http: refused, file: refused };
  const specifications = JSON.parse(document.getElementById('pictures').textContent);

  // What a mark stands for, beside the pointer. Text only: names come out of a model.
  const tip = document.createElement('div');
  tip.className = 'tip';
  tip.hidden = true;
  tip.setAttribute('aria-hidden', 'true');
  document.body.append(tip);
  const number = (value) => (typeof value === 'number' ? String(Number(value.toPrecision(5))) : String(value));
  const showTip = (_handler, event, _item, value) => {
    tip.hidden = value == null || value === '';
    if (tip.hidden) return;
    tip.replaceChildren(...Object.entries(value).map(([name, text]) => {
      const line = document.createElement('div');
      line.textContent = `${name}: ${number(text)}`;
      return line;
    }));
    const room = document.documentElement.clientWidth - tip.offsetWidth - 8;
    tip.style.left = `${Math.max(8, Math.min(event.clientX + 14, room))}px`;
    tip.style.top = `${event.clientY + 14}px`;
  };

  // The specification for as much room as there is.
  const fitted = (specification, width) => {
    const copy = structuredClone(specification);
    const { columns } = copy.config.legend;   // as many as a width of 616 has room for, up to 4
    const fitting = columns < 4 ? Math.floor(columns * width / 616) : Infinity;
    copy.config.legend.columns = Math.max(1, Math.min(fitting, Math.floor(width / 150)));
    copy.config.legend.labelLimit = width - 60;
    const cells = copy.encoding?.x?.scale?.domain?.length ?? 0;
    if (copy.layer && cells > 0 && width / cells < 52) copy.layer = copy.layer.filter((layer) => layer.name !== 'numbers');
    if (width < narrow && copy.encoding?.y?.axis?.labelLimit) copy.encoding.y.axis.labelLimit = 90;
    return copy;
  };

  const draw = async (place) => {
    const compiled = vegaLite.compile(fitted(specifications[Number(place.dataset.picture)], place.clientWidth)).spec;
    const view = new vega.View(vega.parse(compiled, null, { ast: true }), {
      renderer: 'svg',
      container: place,
      hover: false,
      expr: globalThis.vegaInterpreter,
      loader,
    });
    view.tooltip(showTip);
    await view.runAsync();
    // One image with words of its own: its parts have none.
    place.querySelector('svg').setAttribute('aria-hidden', 'true');
    return view;
  };

  const views = new Map();
  const drawAll = async () => {
    for (const place of document.querySelectorAll('[data-picture]')) {
      views.get(place)?.finalize();
      try {
        views.set(place, await draw(place));
      } catch (error) {
        // The words and the table below the picture remain.
        place.classList.add('is-broken');
        place.textContent = 'This picture could not be drawn; its numbers are in the table below.';
        console.error(error);
      }
    }
    document.documentElement.dataset.pictures = 'drawn';
  };

  let waiting = 0, width = window.innerWidth;
  window.addEventListener('resize', () => {
    if (window.innerWidth === width) return;      // on phones, scrolling changes the height
    width = window.innerWidth;
    clearTimeout(waiting);
    waiting = setTimeout(drawAll, 150);
  });

  // Print shows what is folded away on the screen.
  let opened = [];
  window.addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('details.in-print:not([open])')];
    for (const one of opened) one.open = true;
  });
  window.addEventListener('afterprint', () => {
    for (const one of opened) one.open = false;
  });

  drawAll();
})();
