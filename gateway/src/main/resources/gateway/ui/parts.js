// What several pages show.

import { h } from "./dom.js";
import { ago, clock, count, number, percent } from "./format.js";

/** Why a task waits, in a few words. */
export const REASONS = {
  aside: "set aside after a fault of Weir",
  paused: "paused",
  pool: "its pool is paused or drained",
  slot: "waits for a slot",
  page: "its list of files is read",
  pilots: "no pilots",
  window: "pilots are busy, and their queue is full",
  group: "held back by a limit",
  cooling: "failed jobs wait to be tried again",
  storage: "storage fails",
  kept: "kept open for failed jobs",
};

const MARKS = { ok: "✓", bad: "✕", warn: "!", busy: "▶", idle: "○" };
const KINDS = {
  active: "busy", accepted: "idle", paused: "warn", cancelled: "warn", closed: "ok", failed: "bad", rejected: "bad",
  busy: "busy", idle: "idle", draining: "warn", lost: "bad", ended: "idle",
  Finished: "ok", Failed: "bad", Killed: "bad", Cancelled: "warn", Running: "busy", Starting: "busy", Queued: "idle", Waiting: "idle", Cooling: "warn",
  applied: "ok", ignored: "warn", refused: "bad", online: "ok", unreliable: "warn", offline: "bad",
  running: "busy", waiting: "idle", later: "warn", leased: "busy", dead: "bad", resting: "ok", finished: "ok", removed: "warn",
};
const WORDS = { accepted: "waiting" };

/** A state, told by word, mark and colour. */
export function badge(state) {
  const kind = KINDS[state] ?? "idle";
  return h("span", { class: "badge " + kind }, h("span", { "aria-hidden": "true" }, MARKS[kind] + " "), WORDS[state] ?? state);
}

/** A task that has closed is well only if nothing of it failed. */
export function taskBadge({ state, counts }) {
  const words = state === "closed" && counts ? [counts.failed && `${number(counts.failed)} failed`, counts.killed && `${number(counts.killed)} killed`, counts.cancelled && `${number(counts.cancelled)} cancelled`].filter(Boolean) : [];
  return words.length ? h("span", { class: "badge warn" }, h("span", { "aria-hidden": "true" }, MARKS.warn + " "), `closed, ${words.join(", ")}`) : badge(state);
}

export function taskLink(uid) {
  return h("a", { href: "#/task/" + encodeURIComponent(uid), class: "uid" }, uid);
}

export function jobLink(uid) {
  return uid ? h("a", { href: "#/job/" + encodeURIComponent(uid), class: "uid" }, uid) : "–";
}

export function poolLink(name) {
  return name ? h("a", { href: "#/pool/" + encodeURIComponent(name) }, name) : "–";
}

export function pilotLink(id) {
  return id ? h("a", { href: "#/pilots?search=" + encodeURIComponent(id), class: "uid" }, id) : "–";
}

/** A link only to what a browser opens safely; any other address is text. */
export function fileLink(url, word) {
  if (!url) return "–";
  return /^https?:\/\//i.test(url)
    ? h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, word ?? url)
    : h("code", { class: "path" }, url);
}

export function when(time) {
  return time ? h("time", { datetime: time, title: clock(time) }, ago(time)) : "–";
}

const STATES = [
  ["finished", "finished"], ["failed", "failed"], ["killed", "killed"], ["cancelled", "cancelled"],
  ["running", "running"], ["starting", "starting"], ["queued", "sent to pilots"], ["cooling", "to be tried again"], ["waiting", "waiting"],
];

/** The jobs of a task by state, as a bar. */
export function jobsBar(counts) {
  const words = STATES.filter(([name]) => counts[name]).map(([name, word]) => `${number(counts[name])} ${word}`);
  const label = words.length ? words.join(", ") : "no jobs yet";
  return h("div", { class: "bar", role: "img", "aria-label": label, title: label },
    STATES.map(([name]) => h("span", { key: name, class: "part " + name, grow: counts[name] ?? 0 })));
}

export function jobsLegend(counts) {
  return h("dl", { class: "counts" }, STATES.map(([name, word]) => h("div", { key: name },
    h("dt", null, h("i", { class: "swatch part " + name, "aria-hidden": "true" }), word), h("dd", null, number(counts[name])))));
}

export function done(counts) {
  return counts.finished + counts.failed + counts.killed + counts.cancelled;
}

/** A table; on a narrow screen each row is a card. Columns are [name, class?]; rows are {key, cells}. */
export function table(caption, columns, rows, empty) {
  if (!rows.length) return h("p", { class: "empty" }, empty);
  return h("table", { role: "table" }, h("caption", { class: "unseen" }, caption),
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, columns.map(([name, kind]) => h("th", { role: "columnheader", scope: "col", class: kind }, name)))),
    h("tbody", { role: "rowgroup" }, rows.map(({ key, cells }) => h("tr", { key, role: "row" }, cells.map((cell, i) =>
      h("td", { role: "cell", class: columns[i][1], "data-name": columns[i][0] }, h("div", null, cell)))))));
}

/** The tasks of a list. */
export function taskTable(tasks, empty) {
  return table("Tasks",
    [["Task"], ["State"], ["Progress", "wide"], ["Failed", "n"], ["Rank", "n"], ["Share of jobs / weight", "n"], ["Time left"]],
    tasks.map((task) => ({
      key: task.uid,
      cells: [
        [taskLink(task.uid), h("div", { class: "small muted" }, [task.pool && ["pool ", poolLink(task.pool)], task.owner && ` · ${task.owner}`])],
        [taskBadge(task), task.why && h("div", { class: "small" }, REASONS[task.why] ?? task.why)],
        [jobsBar(task.counts), h("div", { class: "small muted" }, `${number(done(task.counts))} of ${task.counts.total === undefined ? "?" : count(task.counts.total, "job")}`)],
        task.counts.failed ? h("strong", { class: "bad-text" }, number(task.counts.failed)) : "0",
        String(Math.round(task.rank * 10) / 10),
        task.progress?.share_of_weight === undefined ? "–" : `${percent(task.progress.share_of_jobs)} / ${percent(task.progress.share_of_weight)}`,
        task.progress ? timeLeft(task.progress.time_left) : task.closed_at ? ["ended ", when(task.closed_at)] : "–",
      ],
    })), empty);
}

function timeLeft(estimate) {
  return estimate.jobs_per_second === undefined
    ? h("span", { class: "small muted", title: estimate.text }, "unknown")
    : h("span", { class: "small" }, estimate.text);
}

/** Where a longer list goes on. */
export function pager(route, next) {
  const to = (after) => "#" + route.path + "?" + new URLSearchParams({ ...route.query, ...(after ? { after } : {}) });
  const first = { ...route.query };
  delete first.after;
  return h("nav", { class: "pager", "aria-label": "Pages of the list" },
    route.query.after && h("a", { key: "first", href: "#" + route.path + "?" + new URLSearchParams(first) }, "First page"),
    next && h("a", { key: "next", href: to(next) }, "Next page"));
}

/** What the gateway takes as a uid, or as the begin of one. */
export const UID = String.raw`\s*[A-Za-z0-9._:\-]+\s*`;

/** Filters that stand in the address: fields are [name, label, choices or pattern?]. */
export function filters(route, fields) {
  const apply = (event) => {
    event.preventDefault?.();
    const form = event.currentTarget.form ?? event.currentTarget;
    if (!form.reportValidity()) return;
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (value.trim()) query.set(name, value.trim());
    location.hash = route.path + "?" + query;
  };
  return h("form", { class: "filters", role: "search", "aria-label": "Filter", onsubmit: apply },
    fields.map(([name, label, choices]) => h("label", { key: name }, label, Array.isArray(choices)
      ? h("select", { name, onchange: apply }, choices.map(([value, word]) => h("option", { value, selected: (route.query[name] ?? "") === value }, word)))
      : h("input", { name, type: "search", value: route.query[name] ?? "", maxlength: 128, pattern: choices, title: choices && "Only A-Z a-z 0-9 . _ : -", autocomplete: "off", spellcheck: "false" }))),
    h("button", { type: "submit" }, "Filter"));
}

export function facts(pairs) {
  return h("dl", { class: "facts" }, pairs.filter(Boolean).map(([name, value]) => h("div", { key: name }, h("dt", null, name), h("dd", null, value))));
}
