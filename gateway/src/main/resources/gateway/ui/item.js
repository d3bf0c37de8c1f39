// Items of a queue: those that are next, and one by its key.

import { get, withQuery } from "./api.js";
import { buttons, itemActions, may } from "./actions.js";
import { h } from "./dom.js";
import { clock, count, exactly, number, sentence, span } from "./format.js";
import { badge, facts, table, when } from "./parts.js";

const MOST_KEY = 1024;
/** Weir counts no further. */
const MOST_POSITION = 1000;
let wanted;

/** The item of a key: {item}, {trouble} with the reason why there is none to show, or nothing without a key. */
export async function find(path, key) {
  if (!key) return {};
  try {
    return { item: await get(withQuery(path + "/item", { key })) };
  } catch (e) {
    if (e.status !== 404 && e.status !== 400) throw e;
    return { trouble: e.message };
  }
}

/** Leads to the item of a key: at once if it is shown already, else when it is. */
function lead(key, route) {
  if (route.query.key === key) focus();
  else wanted = key;
}

function focus() {
  document.getElementById("item")?.focus();
}

export function lookUp(queue, { item, trouble }, route, me) {
  const go = (event) => {
    event.preventDefault();
    const key = new FormData(event.currentTarget).get("key");
    location.hash = route.path + (key ? "?" + new URLSearchParams({ key }) : "");
  };
  const { key } = route.query;
  if (key && key === wanted) {
    wanted = undefined;
    requestAnimationFrame(focus);
  }
  return h("section", { "aria-labelledby": "item" }, h("h2", { id: "item", tabindex: "-1" }, "Look up an item"),
    h("form", { class: "filters", role: "search", "aria-label": "Item by its key", onsubmit: go },
      h("label", { class: "long" }, "Key, in full", h("input", { name: "key", type: "search", value: key ?? "", maxlength: MOST_KEY, autocomplete: "off", spellcheck: "false" })),
      h("button", { type: "submit" }, "Look up")),
    trouble && h("p", { class: "why warn", role: "status" }, h("strong", null, sentence(trouble)), " An item that has finished or was removed is gone."),
    item && one(queue, item, me));
}

function one(queue, item, me) {
  return [
    h("h3", { class: "key" }, item.key),
    h("p", { class: item.state === "dead" ? "why warn" : "why" }, badge(item.state), " ", whyNot(item)),
    item.error !== undefined && [h("h3", null, "Last error"), h("pre", null, item.error)],
    facts([
      ["Failed attempts", `${number(item.failures)} of at most ${number(queue.settings.attempts)}`],
      ["Came", [clock(item.created_at), " · ", when(item.created_at)]], ["Kind", item.kind], ["Owner", item.owner], ["Priority, 1 is best", number(item.priority)],
      item.position !== undefined && ["Before it, of its owner and kind", ahead(item)],
      item.groups && ["Limit groups", item.groups.join(", ")],
      item.again && ["Runs again", againWords(item.again)],
      item.answer && ["Its last result", answerWords(item.answer)],
      item.not_before && [item.state === "resting" || item.state === "dead" ? "Next run" : "Not before", [clock(item.not_before), " · ", when(item.not_before)]],
      item.expires_at && ["Not started after", [clock(item.expires_at), " · ", when(item.expires_at)]]]),
    item.payload !== undefined && h("details", { key: "payload of " + item.key }, h("summary", null, "Payload"), json("Payload of the item", item.payload)),
    item.answer?.result !== undefined && h("details", { key: "answer of " + item.key }, h("summary", null, "Last result"), json("Last result of the key", item.answer.result)),
    may(me, "queues", queue.queue) && !me.scope?.kinds ? buttons("Change this item", itemActions(queue, item)) : null,
  ];
}

/** JSON as text. A browser rounds large integers when it reads them, which must not pass for what is stored. */
function json(label, value) {
  let isRounded = false;
  const text = JSON.stringify(value, (name, one) => {
    isRounded ||= Number.isInteger(one) && !Number.isSafeInteger(one);
    return one;
  }, 2);
  return [isRounded && h("p", { class: "small warn-text" }, "Integers beyond 9,007,199,254,740,991 are rounded here. GET …/item gives them exactly."),
    h("pre", { class: "log", tabindex: "0", role: "region", "aria-label": label }, text)];
}

/** When a key runs again, in words. */
function againWords({ after_s: after, every_s: every, cron, zone, min_s: min, max_s: max, jitter_s: jitter }) {
  const rule = cron ? `at the times of cron ${cron}, ${zone ?? "UTC"}` : every ? `every ${exactly(every)}` : `${exactly(after)} after the end of a run`;
  const adaptive = min ? `; sooner after a new result and later after the same, from ${exactly(min)} to ${exactly(max)}` : "";
  return rule + adaptive + (jitter ? `; up to ${exactly(jitter)} later, by chance` : "");
}

function answerWords({ age_ms: age, fresh_ms: fresh, stale_ms: stale }) {
  const left = fresh ? `fresh for ${span(fresh / 1000)}` : `no longer fresh, kept for ${span(stale / 1000)}`;
  return `${span(age / 1000)} old, ${left}`;
}

/** How many are before an item. */
function ahead({ position }) {
  return position >= MOST_POSITION ? `${number(MOST_POSITION)} or more items` : count(position, "item");
}

/** Why an item does not start, in a sentence. */
function whyNot(item) {
  if (item.state === "dead") {
    return item.not_before ? `It failed too often. Its key is due again at ${clock(item.not_before)}, and Redrive lets it wait again before.`
      : "It failed too often, and starts no more unless Redrive lets it wait again.";
  }
  const before = item.position ? ` ${ahead(item)} of its owner and kind ${item.position === 1 ? "is" : "are"} before it.` : "";
  if (item.why) return sentence(item.why) + before;
  return item.position ? `It waits for its turn: ${ahead(item)} of its owner and kind before it.` : "It is the next of its owner and kind: it starts when a worker asks.";
}

export function nextItems(queue, items, route) {
  return h("section", { "aria-labelledby": "next" }, h("h2", { id: "next" }, "The next items"),
    h("p", { class: "muted small" }, "By priority and age, not by the turns of owners; without those that are put off."),
    itemTable("The next items", "Why it waits", items, route, whyNot, queue.later ? `No item waits. ${count(queue.later, "item")} are put off, and come here when they are due.` : "No item waits."));
}

/** Keys that run again or whose answers are kept, the first to come first; nothing when there are none. */
export function restingItems(queue, items, route) {
  if (items.length === 0) return null;
  return h("section", { "aria-labelledby": "resting" }, h("h2", { id: "resting" }, "Keys that rest"),
    h("p", { class: "muted small" }, `${number(items.length)} of ${number(queue.resting)}, the next to run or to end first.`),
    itemTable("Keys that rest", "Runs again, and its last result", items, route,
      (item) => [item.again ? againWords(item.again) : "not again", item.answer && h("div", { class: "small muted" }, answerWords(item.answer))], ""));
}

/** Those that failed too often, the oldest first; nothing when there are none. */
export function deadItems(queue, items, route) {
  if (items.length === 0) return null;
  return h("section", { "aria-labelledby": "dead" }, h("h2", { id: "dead" }, "Dead items"),
    h("p", { class: "muted small" }, `The oldest ${items.length} of ${number(queue.dead)}. "Redrive" moves them back.`),
    itemTable("Dead items", "What was wrong", items, route, (item) => item.error ?? "–", ""));
}

function itemTable(name, last, items, route, words, empty) {
  return table(name, [["Key", "wide"], ["Priority", "n"], ["Came"], ["Failed", "n"], [last, "wide"]], items.map((item) => ({
    key: item.key,
    cells: [
      [h("a", { href: `#${route.path}?${new URLSearchParams({ key: item.key })}`, class: "uid", onclick: () => lead(item.key, route) }, item.key),
        h("div", { class: "small muted" }, `kind ${item.kind} · owner ${item.owner}`)],
      number(item.priority), when(item.created_at), item.failures ? h("strong", { class: "warn-text" }, number(item.failures)) : "0", words(item),
    ],
  })), empty);
}
