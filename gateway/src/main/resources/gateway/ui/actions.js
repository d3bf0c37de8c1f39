// Changes: what will happen is said first, then asked for, then the outcome is shown.

import { change } from "./api.js";
import { h, show } from "./dom.js";
import { count, number, sentence } from "./format.js";

/** Rows of what has changed come this late at most, if nothing is slow. */
const ROW_MILLIS = 2500;
const MOST_REDRIVEN = 256;

/** Whether the token may change such a thing: kind is tasks, pools, pilots or queues. */
export function may(me, kind, name) {
  return me.may_change.includes(kind) && inScope(me.scope?.[kind], name);
}

function inScope(patterns, name) {
  return !patterns || patterns.some((p) => (p.endsWith("*") ? name.startsWith(p.slice(0, -1)) : p === name));
}

/** Buttons for some actions: {word, title, says, path, key?, body?, fields?, danger?}. Actions of one key take each other's place, and the focus stays. */
export function buttons(label, actions) {
  return actions.length
    ? h("div", { key: label, class: "actions", role: "group", "aria-label": label }, actions.map((action) =>
      h("button", { key: action.key ?? action.word, type: "button", class: action.danger ? "danger" : null, onclick: () => ask(action) }, action.word)))
    : null;
}

export function taskActions(task) {
  const path = "/task/" + encodeURIComponent(task.uid);
  const { counts } = task;
  const running = counts.running + counts.starting;
  const waiting = counts.waiting ?? 0;
  if (["closed", "failed", "rejected"].includes(task.state)) return [];
  const all = [
    task.state !== "cancelled" && (task.state === "paused" || task.why === "aside"
      ? { word: "Resume", key: "pause", path: path + "/resumed", says: `Task ${task.uid} starts files again as its pool takes them.` }
      : { word: "Pause", key: "pause", path: path + "/paused", says: `Task ${task.uid} sends no further files until it is resumed. ${count(running, "running job")} and ${number(counts.queued)} that were sent before go on to their end.` }),
    { word: "Set rank", path: path + "/rank", says: `Task ${task.uid} gets this rank in place of ${number(task.base_rank)}. A task of a higher rank gets a slot earlier, and more of its pool.`,
      fields: [{ name: "rank", label: "Rank, 0 to 1000", min: 0, max: 1000, step: "any", value: task.base_rank }] },
    task.order === "priority" && { word: "Set priority", path: path + "/priority", says: `One waiting file of task ${task.uid} gets this priority. 1 is best.`,
      fields: [{ name: "position", label: "Position of the file, from 0", min: 0, step: 1 }, { name: "priority", label: "Priority, 1 to 1,000,000", min: 1, max: 1000000, step: 1 }] },
    counts.failed + counts.killed > 0 && { word: "Retry failed", path: path + "/retry_failed", says: `${count(counts.failed + counts.killed, "failed file")} of task ${task.uid} get new attempts.` },
    { word: "Close", danger: true, path: path + "/closed", says: `${count(running, "running job")} of task ${task.uid} end, ${count(waiting + counts.cooling + counts.queued, "remaining file")} become Cancelled, and its output dataset closes with what has finished. This cannot be undone.` },
    task.state !== "cancelled" && { word: "Cancel", danger: true, path: path + "/canceled", says: `${count(waiting + counts.cooling + counts.queued, "waiting file")} of task ${task.uid} become Cancelled, and pilots stop ${count(running, "running job")}. This cannot be undone.` },
  ];
  return all.filter(Boolean).map((action) => ({ ...action, title: `${action.word}: task ${task.uid}` }));
}

export function poolActions(pool) {
  const path = "/pool/" + encodeURIComponent(pool.name);
  const out = `${count(pool.jobs.starting + pool.jobs.running, "running job")}`;
  return [
    { word: "Pause", path: path + "/paused", says: `No task sends further files to pool ${pool.name} until it is resumed. ${out} go on to their end.` },
    { word: "Resume", path: path + "/resumed", says: `Pool ${pool.name} takes files of its tasks again.` },
    { word: "Drain", path: path + "/drained", says: `Pool ${pool.name} takes no new files until it is resumed. What it has already, ${out} and failed jobs that are tried again included, is worked off.` },
  ].map((action) => ({ ...action, title: `${action.word}: pool ${pool.name}` }));
}

export function pilotActions(pilot) {
  const path = "/pilot/" + encodeURIComponent(pilot.pilot_id);
  const job = pilot.job_uid ? `job ${pilot.job_uid}` : "its job, if it has one";
  return [
    { word: "Drain", path: path + "/drained", says: `Pilot ${pilot.pilot_id} finishes ${job} and takes no other.` },
    { word: "Exclude", danger: true, path: path + "/excluded", says: `Pilot ${pilot.pilot_id} gets no jobs, and ${job} is taken away from it and starts again elsewhere.` },
    { word: "Include", path: path + "/included", says: `Pilot ${pilot.pilot_id} gets jobs again.` },
  ].map((action) => ({ ...action, title: `${action.word}: pilot ${pilot.pilot_id}` }));
}

/** For those of all pilots of a node that an order finds, one after the other: of one that is lost or has ended, and is not kept out by order, it would know no node. */
export function nodeActions(host, all) {
  const pilots = all.filter((pilot) => pilot.kept_out || !["lost", "ended"].includes(pilot.state));
  if (pilots.length === 0) return [];
  const leftOut = all.length - pilots.length;
  const rest = leftOut ? ` ${count(leftOut, "pilot")} of it that ${leftOut === 1 ? "is" : "are"} lost or ended ${leftOut === 1 ? "is" : "are"} left out.` : "";
  const them = count(pilots.length, "pilot");
  const busy = count(pilots.filter((pilot) => pilot.job_uid).length, "job");
  return [
    { word: "Drain node", to: "drained", says: `Node ${host}: ${them} finish what they have, ${busy}, and take no other.${rest}` },
    { word: "Exclude node", to: "excluded", danger: true, says: `Node ${host}: ${them} get no jobs, and what they have, ${busy}, is taken away from them and starts again elsewhere.${rest}` },
    { word: "Include node", to: "included", says: `Node ${host}: ${them} get jobs again.${rest}` },
  ].map((action) => ({ ...action, title: `${action.word}: ${host}`, paths: pilots.map((pilot) => `/pilot/${encodeURIComponent(pilot.pilot_id)}/${action.to}`) }));
}

const removed = ({ count: n }) => `Done. Removed: ${count(n, "item")}.`;

/** Changes of a queue, which are answered when they are done. What is of items of all kinds is not for a token with some. */
export function queueActions(queue, me) {
  const { queue: name, waiting, later, leased, dead, resting } = queue;
  const path = "/queue/" + encodeURIComponent(name);
  const most = Math.min(dead, MOST_REDRIVEN);
  const ofAll = !me.scope?.kinds;
  return [
    queue.paused
      ? { word: "Resume", key: "pause", path: path + "/resumed", says: `Queue ${name} gives out items again: ${number(waiting)} waiting now.` }
      : { word: "Pause", key: "pause", path: path + "/paused", says: `Queue ${name} gives out no more items until it is resumed; workers that ask get none. They go on with what they have, ${count(leased, "item")}, and items still come in.` },
    ofAll && dead > 0 && { word: "Redrive", path: path + "/redrive", method: "POST", once: true, done: ({ count: n }) => `Done. Waiting again: ${count(n, "item")}.`,
      says: `Of ${count(dead, "dead item")} of queue ${name} the oldest wait again, ${number(most)} unless you say another number, with new attempts, as far as the bounds of the queue allow. Remove the cause of their failure first.`,
      fields: [{ name: "most", label: `How many, 1 to ${MOST_REDRIVEN}`, min: 1, max: MOST_REDRIVEN, step: 1, value: most }] },
    ofAll && waiting + later > 0 && { word: "Purge", path: path + "/purged", danger: true, done: removed,
      says: `${count(waiting + later, "item")} of queue ${name} are removed, ${number(waiting)} waiting and ${number(later)} later, and with them what comes before you confirm. Their keys do not run again. ${number(leased)} leased and ${number(dead)} dead stay, and ${count(resting, "key")} that rest. This cannot be undone.` },
    ofAll && { word: "Delete", path, method: "DELETE", danger: true, done: removed, leadsTo: "#/queues",
      says: `Queue ${name} is gone, with its settings, its counts and ${count(waiting + later + dead, "item")}: ${number(waiting)} waiting, ${number(later)} later, ${number(dead)} dead; and with ${count(resting, "key")} that rest, and their answers. Who pushes into it or asks it is refused. This cannot be undone.${
        leased ? ` Now workers have ${count(leased, "item")} of it, so this is refused: pause it and wait for them.` : ""}` },
  ].filter(Boolean).map((action) => ({ ...action, direct: true, title: `${action.word}: queue ${name}` }));
}

export function itemActions({ queue: name }, item) {
  return [{
    word: "Remove", title: "Remove an item", path: `/queue/${encodeURIComponent(name)}/item?${new URLSearchParams({ key: item.key })}`, method: "DELETE", direct: true, danger: true, done: "Done. The item is removed.",
    says: `The item ${item.key} is removed from queue ${name}${item.again || item.answer ? ", with its answer and its next date" : ""}. ${item.state === "leased" ? "The worker that has it hears so when it extends or ends its lease; what it has done already stays done. " : ""}This cannot be undone.`,
  }];
}

/** Whether the token may change the limits of a group; of some group, without one. */
export function mayLimit(me, group) {
  const patterns = me.scope?.groups;
  return me.may_change.includes("limits") && (group === undefined ? !patterns || patterns.length > 0 : inScope(patterns, group));
}

// A window of the settings may have parts of a second, a command's has none: such a window is not filled in, so that it does not change unseen.
const LIMIT_FIELDS = (group = {}, what = "jobs", longest = 2592000) => [
  { name: "max_in_flight", label: `Most ${what} in flight; empty for no such limit`, min: 0, step: 1, value: group.max_in_flight, optional: true },
  { name: "max_starts", label: "Most starts within the window; empty for no such limit", min: 0, step: 1, value: group.max_starts, optional: true },
  { name: "window_s", label: `The window in seconds, 1 to ${number(longest)}; with the starts only`, min: 1, max: longest, step: 1, value: Number.isInteger(group.window_s) ? group.window_s : undefined, optional: true }];

export const newLimit = {
  word: "Limit a group", title: "Limit a group", path: "/limit",
  says: "The group gets these limits in place of those that it has. Jobs that are out go on to their end; further files start as the limits allow. 0 lets nothing start.",
  fields: [{ name: "group", label: "Name of the group, as in host:store7", text: true }, ...LIMIT_FIELDS()],
};

export function limitActions(group) {
  const name = group.group;
  return [
    { word: "Change", title: `Change: group ${name}`, path: "/limit", body: { group: name }, fields: LIMIT_FIELDS(group),
      says: `Group ${name} gets these limits in place of those that it has. ${count(group.in_flight, "job")} in flight go on to their end; further files start as the limits allow. 0 lets nothing start.` },
    { word: "Lift", title: `Lift: group ${name}`, path: "/limit", body: { group: name, lift: true }, danger: true,
      says: `Group ${name} has no limit any more, also none of the settings: ${count(group.waiting, "file")} that wait for it start as their pools take them.` },
  ];
}

/** Of a group of items. */
export function itemGroupActions(group) {
  const { group: name, max_in_flight, max_starts, window_s } = group;
  const isLimited = max_in_flight !== undefined || max_starts !== undefined;
  const lift = { group: name, lift: true };
  return [
    group.held_until && { word: "End hold", title: `End the hold: group ${name}`, body: isLimited ? { group: name, max_in_flight, max_starts, window_s } : lift,
      says: `Items of group ${name} start again at once, as its limits allow, although a worker has asked for a rest.` },
    { word: "Change", title: `Change: group ${name}`, body: { group: name }, fields: LIMIT_FIELDS(group, "items", 604800),
      says: `Group ${name} gets these limits in place of those that it has, over all queues. ${count(group.in_flight, "item")} in flight go on to their end. 0 lets nothing start. A hold ends.` },
    { word: "Lift", title: `Lift: group ${name}`, body: lift, danger: true, says: `Group ${name} has no limit any more, and a hold ends: ${count(group.waiting, "item")} that wait for it start as workers take them.` },
  ].filter(Boolean).map((action) => ({ ...action, path: "/queue-limit", direct: true }));
}

function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");
}

/** What stands in the fields; empty ones are left out. */
function given(form, fields) {
  const values = new FormData(form);
  return Object.fromEntries(fields.filter(({ name }) => values.get(name) !== "").map(({ name, text }) => [name, text ? values.get(name) : Number(values.get(name))]));
}

/** Says that something could not be done, and why. */
export function sayFailed(title, failure) {
  const dialog = document.getElementById("dialog");
  dialog.replaceChildren(h("h2", { id: "dialog-title" }, title), h("p", { id: "dialog-says", class: "bad-text", role: "status" }, sentence(failure.message)),
    h("div", { class: "actions" }, h("button", { type: "button", onclick: () => dialog.close() }, "Close")));
  dialog.showModal();
}

/**
 * What came of all of them; what is open may be sent again, with the same key. Those that have an answer keep it. It stops when nobody looks at it any more.
 * When Weir has not answered one in time, the others are sent without a wait.
 */
async function changeAll({ paths, again }, key, answers, isShown, sent) {
  for (const path of paths.slice(answers.length)) {
    if (!isShown()) break;
    if (paths.length > 1) sent(answers.length);
    const one = await change(path, undefined, `${key}-${answers.length}`, { again, ...(answers.some((before) => !before.applied && !before.failed) && { wait: 0 }) });
    if (one.isOpen) return one;
    answers.push(one);
  }
  const done = answers.filter((one) => one.applied).length;
  const other = answers.find((one) => one.failed) ?? answers.find((one) => !one.applied);
  if (!other) return { applied: true, text: `Done. Weir has applied it to ${count(done, "pilot")}.` };
  return paths.length === 1 ? other : { ...other, text: `Applied to ${number(done)} of ${count(paths.length, "pilot")}. Of another one: ${other.text}` };
}

/** Says what the action does, asks for its fields, sends it, and shows the outcome. */
export function ask(action) {
  const dialog = document.getElementById("dialog");
  const key = newKey();
  const answers = [];
  let again = false;
  const close = () => dialog.close();
  const isShown = () => dialog.open && form.isConnected;
  const sent = (n) => (outcome.textContent = `${number(n)} of ${number(action.paths.length)} sent. "Back" stops the rest.`);
  const inputs = (action.fields ?? []).map((field) => h("label", { key: field.name }, field.label, field.area ? h("textarea", { name: field.name, rows: 14, spellcheck: "false", required: true }, field.value) : h("input", {
    name: field.name, type: field.text ? "text" : "number", required: !field.optional, maxlength: field.text && 256, min: field.min, max: field.max, step: field.step, value: field.value })));
  const outcome = h("p", { id: "outcome", role: "status" });
  const confirm = h("button", { type: "submit", class: action.danger ? "danger" : "primary" }, action.word);
  // Enter that is pressed once too often must not do what cannot be undone.
  const cancel = h("button", { type: "button", onclick: close, autofocus: action.danger }, "Back");
  const send = async (event) => {
    event.preventDefault();
    confirm.disabled = true;
    outcome.className = "";
    outcome.textContent = "Sent; waiting for Weir …";
    const values = given(form, action.fields ?? []);
    const body = action.bodyOf ? action.bodyOf(values) : inputs.length || action.body ? { ...action.body, ...values } : undefined;
    const { applied, failed, isOpen, text } = await (action.paths ? changeAll({ ...action, again }, key, answers, isShown, sent) : change(action.path, body, key, { ...action, again }));
    again = true;
    outcome.className = applied ? "ok-text" : failed ? "bad-text" : "warn-text";
    outcome.textContent = text;
    if (isOpen) {
      confirm.disabled = false;
      confirm.textContent = "Try again";
      return;
    }
    if (applied && action.leadsTo && isShown()) location.hash = action.leadsTo;
    confirm.remove();
    cancel.textContent = "Close";
    cancel.focus();
    const changed = () => window.dispatchEvent(new Event("weir-changed"));
    changed();
    setTimeout(changed, ROW_MILLIS);
  };
  const form = h("form", { onsubmit: send },
    h("h2", { id: "dialog-title" }, action.title), h("p", { id: "dialog-says" }, action.says), inputs, outcome, h("div", { class: "actions" }, confirm, cancel));
  dialog.replaceChildren(form);
  dialog.showModal();
}
