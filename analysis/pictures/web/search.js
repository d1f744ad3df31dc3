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

  // The name itself first, then names that begin so, names that hold it or all of its words, and the rest.
  const rank = (entry, wanted) => {
    if (entry.lower === wanted) return 0;
    if (entry.lower.startsWith(wanted)) return 1;
    return entry.lower.includes(wanted) || wanted.split(/\s+/).every((word) => entry.lower.includes(word)) ? 2 : 3;
  };
  const make = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });

  // The words around the longest of those that are wanted.
  const excerpt = (words, wanted) => {
    const before = 60, most = 220;
    if (words.length <= most) return words;
    const lower = words.toLowerCase();
    const longest = wanted.filter((word) => lower.includes(word)).sort((a, b) => b.length - a.length)[0];
    const first = longest === undefined ? 0 : Math.max(0, lower.indexOf(longest) - before);
    const begin = first === 0 ? 0 : words.indexOf(' ', first) + 1;
    const text = words.slice(begin, begin + most);
    return `${begin > 0 ? '… ' : ''}${text.slice(0, Math.max(text.lastIndexOf(' '), most / 2))} …`;
  };

  const row = (entry, wanted) => {
    const link = Object.assign(make('a', entry.name), { href: entry.address });
    const term = make('dt', '');
    term.append(link);
    const what = [entry.kind, entry.place && `in ${entry.place}`].filter(Boolean).join(' ');
    const pair = make('div', '');
    const words = excerpt(entry.words, wanted);
    pair.append(term, make('dd', words ? `${what}: ${words}` : what));
    return pair;
  };

  const show = () => {
    const wanted = field.value.trim().toLowerCase();
    const words = wanted.split(/\s+/);
    const found = wanted === '' ? [] : entries.filter((entry) => words.every((word) => entry.all.includes(word)));
    found.sort((a, b) => rank(a, wanted) - rank(b, wanted) || a.name.localeCompare(b.name));
    list.replaceChildren(...found.slice(0, most).map((entry) => row(entry, words)));
    const shown = found.length > most ? `${most} of ${found.length}` : String(found.length);
    count.textContent = wanted === '' ? '' : `${shown} found`;
  };

  document.getElementById('search').hidden = false;
  field.addEventListener('input', show);
  show();
})();
