// Finds what the pages of a site declare. The index stands in the page; nothing is asked of anybody else.
'use strict';

(() => {
  const most = 60;
  const entries = JSON.parse(document.getElementById('index').textContent).map(
    ([name, kind, place, words, address]) => ({
      name, kind, place, words, address,
      lower: name.toLowerCase(),
      all: `${name} ${kind} ${place} ${words}`.toLowerCase(),
    }));
  const field = document.getElementById('wanted');
  const list = document.getElementById('found');
  const count = document.getElementById('count');

  // The name itself first, then names that begin so, names that hold it, and the rest.
  const rank = (entry, wanted) => {
    if (entry.lower === wanted) return 0;
    if (entry.lower.startsWith(wanted)) return 1;
    return entry.lower.includes(wanted) ? 2 : 3;
  };
  const make = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });

  const row = (entry) => {
    const link = Object.assign(make('a', entry.name), { href: entry.address });
    const term = make('dt', '');
    term.append(link);
    const what = [entry.kind, entry.place && `in ${entry.place}`].filter(Boolean).join(' ');
    const pair = make('div', '');
    pair.append(term, make('dd', entry.words ? `${what}: ${entry.words}` : what));
    return pair;
  };

  const show = () => {
    const wanted = field.value.trim().toLowerCase();
    const words = wanted.split(/\s+/);
    const found = wanted === '' ? [] : entries.filter((entry) => words.every((word) => entry.all.includes(word)));
    found.sort((a, b) => rank(a, wanted) - rank(b, wanted) || a.name.localeCompare(b.name));
    list.replaceChildren(...found.slice(0, most).map(row));
    const shown = found.length > most ? `${most} of ${found.length}` : String(found.length);
    count.textContent = wanted === '' ? '' : `${shown} found`;
  };

  document.getElementById('search').hidden = false;
  field.addEventListener('input', show);
  show();
})();
