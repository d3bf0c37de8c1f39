// Figures of queues over time, as this page has seen them: the gateway keeps none.

/** What happens now is what happened within this time. */
const NOW_MILLIS = 15000;
const MOST_POINTS = 1200;
const COUNTERS = ["pushed", "popped", "finished", "failed", "lost", "hits"];

/** By queue, what was seen within the time above, the oldest first: {at, view}. */
const seen = new Map();
let trail = { points: [] };

/** Notes queues as they are now. */
export function note(views) {
  const at = Date.now();
  for (const view of views) {
    const before = (seen.get(view.queue) ?? []).filter((one) => at - one.at <= NOW_MILLIS && !isAnother(one.view, view));
    seen.set(view.queue, [...before, { at, view }]);
  }
  for (const [name, samples] of seen) if (at - samples.at(-1).at > NOW_MILLIS) seen.delete(name);
}

/** A queue that was made again counts from 0. */
function isAnother(before, now) {
  return COUNTERS.some((counter) => now[counter] < before[counter]);
}

/** What a queue does per second now: {pushed, popped, finished, failed, lost, hits}; undefined when it was seen only once. */
export function perSecond(name) {
  const samples = seen.get(name) ?? [];
  const [first, last] = [samples[0], samples.at(-1)];
  if (samples.length < 2 || last.at === first.at) return undefined;
  return Object.fromEntries(COUNTERS.map((counter) => [counter, (last.view[counter] - first.view[counter]) / ((last.at - first.at) / 1000)]));
}

/**
 * Notes the one queue that is looked at, and gives its figures since then: [{at, view}], at most the newest 1200. The route is another object each time that a
 * page is opened. Who looks up an item stays on the page, who comes back later begins anew.
 */
export function follow(view, route) {
  const at = Date.now();
  const last = trail.points.at(-1);
  const isBack = trail.route !== route && at - last?.at > NOW_MILLIS;
  if (trail.queue !== view.queue || isBack || isAnother(last.view, view)) trail = { queue: view.queue, points: [] };
  trail.route = route;
  trail.points = [...trail.points, { at, view }].slice(-MOST_POINTS);
  return trail.points;
}
