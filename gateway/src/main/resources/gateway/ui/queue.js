// One queue.

import { get } from "./api.js";
import { buttons, may, queueActions } from "./actions.js";
import { figures } from "./chart.js";
import { h } from "./dom.js";
import { bytes, count, exactly, number, percent, rate, span } from "./format.js";
import { deadItems, find, lookUp, nextItems, restingItems } from "./item.js";
import { badge, facts, table } from "./parts.js";
import { allowed, missingView, withoutQueues } from "./queues.js";
import { follow, note, perSecond } from "./samples.js";
import { live, marked, troubleList, troubles } from "./troubles.js";

const SHOWN_ITEMS = 10;
const SHOWN_OWNERS = 20;
const PARTS = [["leased", "running", "leased"], ["waiting", "queued", "waiting"], ["later", "cooling", "later"]];

export const title = ({ id }) => "Queue " + id;
export { concerns, everyMillis } from "./queues.js";

export async function load(route) {
  const { id, query } = route;
  const path = "/queue/" + encodeURIComponent(id);
  return withoutQueues(async () => {
    const peek = (state) => get(`${path}/peek?n=${SHOWN_ITEMS}&state=${state}`);
    const [queue, next, dead, owners, found] = await Promise.all([get(path), peek("waiting"), peek("dead"), allowed(path + "/owner"), find(path, query.key)]);
    const resting = queue.resting ? (await peek("resting")).data : [];
    note([queue]);
    return { queue, items: next.data, dead: dead.data, resting, owners, found, points: follow(queue, route) };
  });
}

export function view({ missing, queue, items, dead, resting, owners, found, points }, route, me) {
  if (missing) return missingView(missing);
  const now = perSecond(queue.queue);
  const wrong = troubles(queue, now);
  return [
    h("h1", { tabindex: "-1" }, h("span", { class: "muted" }, "Queue "), queue.queue, " ", badge(queue.paused ? "paused" : "running")),
    troubleList(wrong, wrong.length, "Nothing is wrong"),
    may(me, "queues", queue.queue) ? buttons("Change this queue", queueActions(queue, me)) : null,
    h("section", { "aria-labelledby": "numbers" }, h("h2", { id: "numbers" }, "Its items"), fill(queue),
      facts([
        ["Waiting", marked(wrong, queue.paused ? "paused" : "idle", count(queue.waiting, "item"))], ["Later: not due yet, or cooling off", count(queue.later, "item")], ["Leased: workers have them", count(queue.leased, "item")],
        ["Dead: failed too often", marked(wrong, "dead", count(queue.dead, "item"))], ["Died since it was made", `${count(queue.died, "item")}; dropped since, as too many or too old: ${number(queue.dead_dropped)}`], ["Resting: they run again, or their answers are kept", `${count(queue.resting, "key")} of at most ${number(queue.settings.max_resting)}`],
        ["Oldest waits for", queue.oldest_s === undefined ? "–" : marked(wrong, "oldest", span(queue.oldest_s))],
        ["Keys and payloads", marked(wrong, "bytes", `${bytes(queue.bytes)} of at most ${bytes(queue.settings.max_bytes)}`)], ["Owners with items", number(queue.owners)],
        ["Pushed since it was made", total(queue, now, "pushed", "item")], ["Leases begun", total(queue, now, "popped", "lease")], ["Finished", total(queue, now, "finished", "item")],
        ["Failed attempts", marked(wrong, "failed", total(queue, now, "failed", "attempt"))], ["Lost leases", marked(wrong, "lost", total(queue, now, "lost", "lease"))],
        ["Questions answered with a kept result", total(queue, now, "hits", "question")]])),
    lookUp(queue, found, route, me),
    deadItems(queue, dead, route),
    nextItems(queue, items, route),
    restingItems(queue, resting, route),
    ownerTable(owners, queue),
    charts(points),
    settings(queue.settings),
  ];
}

function total(queue, now, counter, one) {
  return `${count(queue[counter], one)}${now ? `, ${rate(now[counter])} per second now` : ""}`;
}

/** Who shares the queue; a single owner without anything of its own is not worth a table. */
function ownerTable({ data, total }, { settings: set }) {
  if (total < 2 && !data.some((one) => one.weight > 1 || one.max_items || one.facts)) return null;
  return h("section", { "aria-labelledby": "owners" }, h("h2", { id: "owners" }, count(total, "owner"), ", those with the most items first"),
    table("Owners", [["Owner", "wide"], ["Items", "n"], ["Weight", "n"], ["Most items", "n"], ["Facts"]], data.slice(0, SHOWN_OWNERS).map((one) => ({
      key: "owner " + one.owner,
      cells: [
        h("span", { class: "uid" }, one.owner), number(one.items), number(one.weight),
        one.max_items ? number(one.max_items) : set.max_items_per_owner === undefined ? "–" : number(set.max_items_per_owner),
        one.facts ? Object.entries(one.facts).map(([fact, value]) => `${fact} ${value}`).join(", ") : "–",
      ],
    }))),
    h("p", { class: "muted small" }, total > SHOWN_OWNERS && `The first ${SHOWN_OWNERS} of ${number(total)}. `, "With work, owners get shares by their weights. PUT /queue/NAME/owner/OWNER sets weight and bound."));
}

/** How much of the most items is used, as a bar and in words. */
function fill(queue) {
  const used = live(queue);
  const most = queue.settings.max_items;
  const words = `${number(used)} of at most ${count(most, "item")}, ${percent(used / most)} full`;
  return [h("div", { class: "bar", role: "img", "aria-label": words }, PARTS.map(([of, part]) => h("span", { key: of, class: "part " + part, grow: queue[of] })), h("span", { key: "free", class: "part waiting", grow: Math.max(0, most - used) })),
    h("div", { class: "legend" }, h("span", null, words + ":"), PARTS.map(([of, part, word]) => h("span", { key: of }, h("i", { class: "swatch part " + part, "aria-hidden": "true" }), `${number(queue[of])} ${word}`)))];
}

function charts(points) {
  const at = points.map((point) => point.at / 1000);
  const of = (name) => points.map(({ view: shown }) => shown[name]);
  // A rate is that since the point before.
  const rates = (name) => points.slice(1).map(({ view: shown }, i) => (shown[name] - points[i].view[name]) / Math.max(0.001, at[i + 1] - at[i]));
  return h("section", { "aria-labelledby": "since" }, h("h2", { id: "since" }, "Since this page was opened"),
    points.length < 3 ? h("p", { class: "muted" }, "The figures come every few seconds; the charts begin in a moment.") : [
      h("h3", null, "Items"),
      figures("Items", at, [{ label: "waiting", values: of("waiting"), colour: "--series-1" }, { label: "leased", values: of("leased"), colour: "--series-2" }], true),
      h("h3", null, "Per second"),
      figures("Ends per second", at.slice(1), [{ label: "finished", values: rates("finished"), colour: "--series-3" }, { label: "attempts failed", values: rates("failed"), colour: "--series-bad" }], false)]);
}

const REFRESH = { never: "no", asked: "at the first question in the last tenth of their lives", always: "all of them" };

function answerWords({ fresh_s: fresh, stale_s: stale }) {
  if (!fresh && !stale) return "only if it says so";
  return `${fresh ? `fresh for ${exactly(fresh)}` : "not fresh"}${stale ? `, and kept for ${exactly(stale)} after that` : ""}`;
}

function rankWords({ ranker, weights = {} }) {
  const facts = Object.entries(weights).map(([fact, weight]) => `${fact} × ${weight}`);
  return `by ranker ${ranker}${facts.length ? ": " + facts.join(", ") : ""}`;
}

function settings(set) {
  return h("section", { "aria-labelledby": "settings" }, h("h2", { id: "settings" }, "Settings"), facts([
    ["Most items that are not dead", number(set.max_items)], ["Most bytes of keys and payloads", bytes(set.max_bytes)],
    ["Most items of one owner", set.max_items_per_owner === undefined ? "no bound of its own" : number(set.max_items_per_owner)], ["Kept for items of priority 1", percent(set.reserve)],
    ["A silent worker keeps an item for", exactly(set.lease_s)], ["A lease is extended to at most", exactly(set.max_lease_s)],
    ["Dead after", `${count(set.attempts, "failed attempt")}, ${count(set.lost_leases, "lost lease")} or ${count(set.releases, "return")}`],
    ["Pause after a failure", `${exactly(set.back_off_s)}, doubled up to ${exactly(set.max_back_off_s)}`],
    ["Dead items that are kept", `${number(set.max_dead)}, for ${exactly(set.dead_s)}`],
    ["Announced as low", set.low === undefined ? "never" : `with fewer than ${count(set.low, "item")}`],
    ["A key that has finished starts again", set.grace_s ? `not before ${exactly(set.grace_s)}` : "at once if it is pushed"],
    ["A result is an answer", answerWords(set)], ["A failed lookup is the answer for", exactly(set.recheck_s)],
    ["Answers are looked up anew before they end", REFRESH[set.refresh]],
    ["Priorities", set.rank ? rankWords(set.rank) : "as they are given"]]),
  h("p", { class: "muted small" }, "PUT /queue/NAME sets them, all at once."));
}
