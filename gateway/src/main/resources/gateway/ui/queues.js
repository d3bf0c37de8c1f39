// The list of all queues: what is wrong first.

import { get } from "./api.js";
import { buttons, itemGroupActions, mayLimit } from "./actions.js";
import { h } from "./dom.js";
import { count, exactly, number, percent, rate, span } from "./format.js";
import { badge, filters, table, when } from "./parts.js";
import { use } from "./limits.js";
import { note, perSecond } from "./samples.js";
import { live, marked, queueLink, troubleList, troubles } from "./troubles.js";

const MOST_TROUBLES = 8;
const MOST_ROWS = 200;
const OFTEN_MILLIS = 3000;
const SELDOM_MILLIS = 20000;

export const title = () => "Queues";
export const concerns = () => false;
/** Queues are asked, not watched. Those that are not there are not asked for often. */
export const everyMillis = (data) => (data?.missing ? SELDOM_MILLIS : OFTEN_MILLIS);

export async function load() {
  return withoutQueues(async () => {
    const [{ data }, groups] = await Promise.all([get("/queue"), allowed("/queue-limit")]);
    note(data);
    return { queues: data, groups };
  });
}

/** Where Weir runs without queues the gateway says so; that is no failure. */
export async function withoutQueues(loading) {
  try {
    return await loading();
  } catch (e) {
    if (e.status !== 503 || e.title !== "No queues") throw e;
    return { missing: e.message };
  }
}

/** A list; empty for tokens that may not see it. */
export async function allowed(path) {
  try {
    return await get(path);
  } catch (e) {
    if (e.status !== 403) throw e;
    return { data: [], total: 0 };
  }
}

/** What to do where there are no queues. */
export function missingView(missing) {
  return [
    h("h1", { tabindex: "-1" }, "Queues"),
    h("section", { "aria-labelledby": "missing" }, h("h2", { id: "missing" }, "There are no queues here"),
      h("p", null, `The gateway says: ${missing}.`),
      h("p", null, "Queues hold items for workers, and are off unless they are asked for. Tasks, pools and pilots work without them: if you do not use queues, nothing is wrong."),
      h("p", null, "To have them, set ", h("code", null, "weir.queues.enabled: true"), " in weir.yaml and start Weir again. The gateway's account at the broker must be allowed to use them. This page then shows them by itself.")),
  ];
}

export function view({ missing, queues, groups }, route, me) {
  if (missing) return missingView(missing);
  const rows = queues.map((queue) => {
    const now = perSecond(queue.queue);
    return { queue, now, found: troubles(queue, now) };
  }).sort((a, b) => badness(b) - badness(a) || a.queue.queue.localeCompare(b.queue.queue));
  const { search = "" } = route.query;
  const wanted = rows.filter(({ queue }) => queue.queue.toLowerCase().includes(search.toLowerCase()));
  const wrong = rows.flatMap(({ queue, found }) => found.map((one) => ({ ...one, queue: queue.queue })));
  const worstFirst = [...wrong.filter((one) => one.severity === "error"), ...wrong.filter((one) => one.severity !== "error")];
  return [
    h("h1", { tabindex: "-1" }, "Queues"),
    queues.length > 0 && troubleList(worstFirst, MOST_TROUBLES, `Nothing is wrong with ${queues.length === 1 ? "the queue" : `the ${number(queues.length)} queues`}`),
    h("section", { "aria-labelledby": "all" }, h("h2", { id: "all" }, count(queues.length, "queue"), queues.length > 1 && ", those with problems first"),
      filters(route, [["search", "Name contains"]]),
      table("Queues", [["Queue"], ["State"], ["Waiting", "n"], ["Later", "n"], ["Leased", "n"], ["Dead", "n"], ["Resting", "n"], ["Full", "n"], ["Oldest waits", "n"], ["Finished per second", "n"], ["Failed attempts", "n"], ["Lost leases", "n"]],
        wanted.slice(0, MOST_ROWS).map(row), queues.length ? "No queue has such a name. Make the field of the filter empty." : "No queue yet: PUT /queue/NAME makes one, and POST /queue/NAME/items puts items into it."),
      wanted.length > MOST_ROWS && h("p", { class: "muted small" }, `The first ${number(MOST_ROWS)} of ${number(wanted.length)}: search for a name to see another.`),
      queues.length > 0 && h("p", { class: "muted small" }, "Later: not due yet, or cooling off after a failure. Leased: a worker has it. Dead: failed too often. Resting: its key runs again later, or its answer is kept. Failed and lost are counted since the queue was made. The oldest is found among a thousand sets of limit groups and priorities; of more, another item may be older.")),
    groups.total > 0 && groupTable(groups, me),
  ];
}

/** Limit groups of items: they hold over all queues. */
function groupTable({ data, total }, me) {
  return h("section", { "aria-labelledby": "groups" }, h("h2", { id: "groups" }, count(total, "limit group"), ", held ones first"),
    table("Limit groups", [["Group", "wide"], ["In flight", "wide"], ["Starts in its window", "wide"], ["Items that wait", "n"], ["Held until"], ["Actions"]], data.map((group) => ({
      key: "group " + group.group,
      cells: [
        h("span", { class: "uid" }, group.group),
        use(group.in_flight, group.max_in_flight, "in flight", "no limit"),
        group.max_starts === undefined ? "no limit" : use(group.starts, group.max_starts, "starts", "", ` in ${exactly(group.window_s)}`),
        group.waiting ? h("strong", { class: "warn-text" }, number(group.waiting)) : "0",
        group.held_until ? h("span", { class: "warn-text" }, when(group.held_until)) : "–",
        mayLimit(me, group.group) ? buttons(`Change group ${group.group}`, itemGroupActions(group)) : "–",
      ],
    }))),
    total > data.length && h("p", { class: "muted small" }, `The first ${number(data.length)} of ${number(total)}.`));
}

function badness({ found }) {
  return found.some((one) => one.severity === "error") ? 2 : found.length ? 1 : 0;
}

function row({ queue, now, found }) {
  const briefs = found.filter((one) => one.brief);
  return {
    key: queue.queue,
    cells: [
      queueLink(queue.queue),
      [badge(queue.paused ? "paused" : "running"), briefs.map((one) => h("div", { key: one.of, class: "small " + (one.severity === "error" ? "bad-text" : "warn-text") }, one.brief))],
      marked(found, queue.paused ? "paused" : "idle", number(queue.waiting)), number(queue.later), number(queue.leased), marked(found, "dead", number(queue.dead)), number(queue.resting),
      marked(found, "full", percent(live(queue) / queue.settings.max_items)), queue.oldest_s === undefined ? "–" : marked(found, "oldest", span(queue.oldest_s)),
      now ? rate(now.finished) : "…", marked(found, "failed", number(queue.failed)), marked(found, "lost", number(queue.lost)),
    ],
  };
}
