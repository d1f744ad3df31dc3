// The timeline of a process, made of what `wave trace` writes: what fits into a picture, without the editor.

export interface Slice { begin: number; end: number; kind: string; name: string }   // microseconds
export interface Lane { name: string; slices: Slice[] }
export interface Timeline { lanes: Lane[]; end: number; kinds: string[] }

interface Event { name: string; ph: string; tid?: number; cat?: string; ts?: number; dur?: number; args?: { name?: string; statement?: string } }

// Slices shorter than a share of the picture are drawn as one with those beside them.
const mostSlices = 1500;

export function timelineOf(text: string): Timeline {
  const { traceEvents } = JSON.parse(text) as { traceEvents: Event[] };
  const lanes = new Map<number, Lane>();
  for (const event of traceEvents) {
    if (event.tid === undefined) continue;
    if (event.ph === 'M' && event.name === 'thread_name') lanes.set(event.tid, { name: event.args?.name ?? '', slices: [] });
    const begin = event.ts ?? 0, slice = { begin, end: begin + (event.dur ?? 0), kind: event.cat ?? '', name: event.args?.statement ?? event.name };
    if (event.ph === 'X') lanes.get(event.tid)?.slices.push(slice);
  }
  const end = [...lanes.values()].reduce((last, { slices }) => slices.reduce((most, slice) => Math.max(most, slice.end), last), 0);
  const all = [...lanes.values()].map((lane) => ({ ...lane, slices: merged(innermost(lane.slices), end / mostSlices) }));
  return { lanes: all, end, kinds: [...new Set(all.flatMap((lane) => lane.slices.map((slice) => slice.kind)))].sort() };
}

// Slices stand inside each other, the outer one first. What is seen is the innermost at each time.
function innermost(slices: Slice[]): Slice[] {
  const result: Slice[] = [], open: Slice[] = [];
  let at = 0;
  const show = (until: number) => {
    const top = open.at(-1);
    if (top && until > at && top.kind !== 'phase') result.push({ ...top, begin: at, end: until });
    at = Math.max(at, until);
  };
  const close = (until: number) => {
    for (let top = open.at(-1); top && top.end <= until; top = open.at(-1)) {
      show(top.end);
      open.pop();
    }
  };
  for (const slice of slices) {
    close(slice.begin);
    show(slice.begin);
    open.push(slice);
  }
  close(Infinity);
  return result;
}

function merged(slices: Slice[], shortest: number): Slice[] {
  const result: Slice[] = [];
  for (const slice of slices) {
    const last = result.at(-1);
    const near = last && slice.begin - last.end < shortest && slice.end - slice.begin < shortest;
    if (near && last.end - last.begin < shortest) last.end = Math.max(last.end, slice.end);
    else result.push({ ...slice });
  }
  return result;
}
