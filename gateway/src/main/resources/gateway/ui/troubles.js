// What is wrong with a queue, in words, and what to do.

import { h } from "./dom.js";
import { count, exactly, number, percent, rate, sentence, span } from "./format.js";

const OLD_SECONDS = 3600;
const NEARLY_FULL = 0.9;
const FAILING_SHARE = 0.05;

/** Items that count against the bounds of a queue. */
export const live = (queue) => queue.waiting + queue.later + queue.leased;

/**
 * Troubles of a queue, the worst first: {of, severity: "error" | "warning", brief, text, advice}.
 * now is what it does per second, or undefined while that is unknown.
 */
export function troubles(queue, now) {
  const { settings, waiting, leased, dead, paused, oldest_s: oldest } = queue;
  const found = [...fullness(queue)];
  const add = (of, severity, brief, text, advice) => found.push({ of, severity, brief, text, advice });
  if (dead) {
    add("dead", "error", count(dead, "dead item"), dead === 1 ? "1 item is dead" : `${number(dead)} items are dead`,
      `They failed too often.${dead >= settings.max_dead ? " No more are kept: for each further one the oldest is dropped." : ""} See the logs of the workers for why, or look one up by its key; then let them wait again with Redrive.`);
  }
  if (waiting && !leased && !paused && !now?.popped) {
    add("idle", "error", "no worker takes items", waiting === 1 ? "1 item waits, and no worker has any" : `${number(waiting)} items wait, and no worker has any`,
      "Start a worker, or see under the next items why they do not start.");
  }
  if (paused && waiting) add("paused", "warning", "", `It is paused, and ${waiting === 1 ? "1 item waits" : `${number(waiting)} items wait`}`, "Resume it when they may start.");
  if (queue.resting >= settings.max_resting) {
    add("resting", "warning", "no more answers kept", `The most keys rest, ${number(queue.resting)}: of further ones no answer is kept, and none can run again`,
      "Raise max_resting, or let answers be fresh for less time.");
  }
  if (oldest >= OLD_SECONDS) add("oldest", "warning", "old items", `An item has waited for ${span(oldest)}`, "Start more workers, or see under the next items why they do not start.");
  if (now?.failed && now.failed >= FAILING_SHARE * (now.failed + now.finished)) {
    add("failed", "warning", "attempts fail", `Attempts fail: ${rate(now.failed)} per second now`, "Look up one of the items: it shows its last error.");
  }
  if (now?.lost) {
    add("lost", "warning", "leases are lost", `Workers lose leases: ${rate(now.lost)} per second now`,
      `A lease is lost when its worker ends, or is silent for ${exactly(settings.lease_s)}: it must extend its lease earlier, or the queue needs a longer one.`);
  }
  return found.sort((a, b) => (a.severity === b.severity ? 0 : a.severity === "error" ? -1 : 1));
}

/** Only items of priority 1 may use all of a queue. */
function fullness(queue) {
  const { settings } = queue;
  const bounds = [["full", live(queue), settings.max_items, "items"], ["bytes", queue.bytes, settings.max_bytes, "bytes"]];
  return bounds.flatMap(([of, used, most, what]) => {
    const share = used / most;
    const advice = `Pushes that find no room are answered with 429. Start more workers, or raise max_${what}.`;
    const text = `${percent(share)} of its most ${what} are there`;
    if (share >= 1) return [{ of, severity: "error", brief: "full", text: `It is full: ${text}`, advice }];
    if (used >= Math.max(1, Math.floor(most * (1 - settings.reserve)))) return [{ of, severity: "error", brief: `${percent(share)} full`, text: `Full but for what is kept for priority 1: ${text}`, advice }];
    return share > NEARLY_FULL * (1 - settings.reserve) ? [{ of, severity: "warning", brief: `${percent(share)} full`, text: `Nearly full: ${text}`, advice }] : [];
  });
}

/** A list of troubles, each {queue?, severity, text, advice}; those with a queue lead to it. */
export function troubleList(found, most, well) {
  const errors = found.filter((one) => one.severity === "error").length;
  const notes = found.length - errors;
  const heading = !found.length ? well : errors ? [count(errors, "problem"), notes > 0 && `, ${count(notes, "note")}`] : `Nothing is broken; ${count(notes, "note")}`;
  return h("section", { class: "problems " + (errors ? "has-errors" : notes ? "has-warnings" : "all-well"), "aria-labelledby": "wrong" },
    h("h2", { id: "wrong" }, heading),
    found.length > 0 && h("ul", null, found.slice(0, most).map((one) => h("li", { key: `${one.of} ${one.queue ?? ""}`, class: one.severity },
      h("span", { class: "mark", "aria-hidden": "true" }, one.severity === "error" ? "✕" : "!"),
      h("div", null, h("strong", null, one.queue && [queueLink(one.queue), ": "], one.queue ? one.text + "." : sentence(one.text)), " ", h("span", null, one.advice))))),
    found.length > most && h("p", { class: "muted small" }, `And ${number(found.length - most)} more: their queues come first below.`));
}

export function queueLink(name) {
  return h("a", { href: "#/queue/" + encodeURIComponent(name), class: "uid" }, name);
}

/** A figure that stands out when it is part of a trouble. */
export function marked(found, of, words) {
  const worst = found.find((one) => one.of === of);
  return worst ? h("strong", { class: worst.severity === "error" ? "bad-text" : "warn-text" }, words) : words;
}
