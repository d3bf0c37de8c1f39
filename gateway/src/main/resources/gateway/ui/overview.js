// The first page: what is wrong, then pools, why tasks wait, and tasks.

import { get, withQuery } from "./api.js";
import { chart } from "./chart.js";
import { h } from "./dom.js";
import { count, number, rate, sentence } from "./format.js";
import { poolLink, REASONS, table, taskLink, taskTable, when } from "./parts.js";

const SHOWN_TASKS = 15;

export const title = () => "Overview";

export async function load() {
  const [overview, history, active, open] = await Promise.all([
    get("/overview"), get("/history"), get(`/task?state=active&limit=${SHOWN_TASKS}`), get(`/task?state=open&limit=${SHOWN_TASKS}`)]);
  // Those that work first, then others.
  const tasks = [...active.data, ...open.data.filter((task) => task.state !== "active")].slice(0, SHOWN_TASKS);
  return { overview, history, tasks, isAll: !open.next };
}

export const concerns = () => true;

export function view({ overview, history, tasks, isAll }, route, me) {
  const { problems, pools, waiting } = overview;
  return [
    h("h1", { class: "unseen", tabindex: "-1" }, "Overview"),
    problemList(problems, overview, me),
    h("section", { "aria-labelledby": "pools" }, h("h2", { id: "pools" }, "Pools"), poolTable(pools),
      pools.length > 0 && h("h3", null, "Jobs that ended, per second"),
      pools.length > 0 && chart("Jobs that ended by pool", history.data.map((line) => ({ label: line.pool, history: line.history, of: "ended" }))),
      history.data.length < pools.length && h("p", { class: "muted small" }, `The chart has the ${number(history.data.length)} pools with the most jobs left; the page of each pool has its own.`)),
    waiting.length > 0 && h("section", { "aria-labelledby": "waiting" }, h("h2", { id: "waiting" }, "What waits, and why"), waitTable(waiting)),
    h("section", { "aria-labelledby": "tasks" }, h("h2", { id: "tasks" }, isAll ? "Open tasks" : `Open tasks: the newest ${SHOWN_TASKS}, active ones first`),
      taskTable(tasks, "No task is open. Send one with POST /task, or to exchange weir; what has ended is under Tasks."),
      h("p", null, h("a", { href: "#/tasks?state=open" }, "All open tasks, with filters"))),
  ];
}

function problemList(problems, overview, me) {
  const errors = problems.filter((p) => p.severity === "error").length;
  const heading = problems.length === 0 ? "Nothing is wrong" : errors ? [count(errors, "problem"), problems.length > errors && `, ${count(problems.length - errors, "note")}`] : `Nothing is broken; ${count(problems.length, "note")}`;
  return h("section", { class: "problems " + (errors ? "has-errors" : problems.length ? "has-warnings" : "all-well"), "aria-labelledby": "wrong" },
    h("h2", { id: "wrong" }, heading),
    problems.length > 0 && h("ul", null, problems.map((p) => h("li", { key: [p.text.replace(/\d+/g, "#"), p.task, p.pool, p.pilots].join(" "), class: p.severity },
      h("span", { class: "mark", "aria-hidden": "true" }, p.severity === "error" ? "✕" : "!"),
      h("div", null, h("strong", null, sentence(p.text)), " ", h("span", null, p.advice), " ", problemLink(p, me))))),
    h("p", { class: "muted small" }, summary(overview)));
}

function problemLink(p, me) {
  if (p.task) return h("a", { href: "#/task/" + encodeURIComponent(p.task) }, "Open the task");
  if (p.pilots === "lost") return h("a", { href: `#/pilots?state=lost&pool=${encodeURIComponent(p.pool)}` }, "Show the lost pilots");
  if (p.why === "rejected") return me.role === "operator" && h("a", { href: "#/rejected" }, "Show the rejected messages");
  if (p.why === "group") return h("a", { href: "#/limits?waiting=true" }, "Show the groups for which files wait");
  if (p.why && p.why !== "pool") return h("a", { href: "#" + withQuery("/tasks", { state: "open", why: p.why, pool: p.pool }) }, "Show these tasks");
  if (p.pool) return h("a", { href: "#/pool/" + encodeURIComponent(p.pool) }, "Open the pool");
  return null;
}

function summary({ pools, newest_row_at: newest }) {
  const sum = (of) => pools.reduce((all, pool) => all + of(pool), 0);
  if (!newest) return "Weir has written nothing yet: no task came, and no pilot. Start its jobs with ./weir up, or ./weir run.";
  return [`${count(sum((p) => p.tasks.open), "open task")}, ${number(sum((p) => p.pilots.busy))} of ${count(sum((p) => p.pilots.busy + p.pilots.idle + p.pilots.draining), "pilot")} busy, ${rate(sum((p) => p.jobs_per_second))} jobs per second in the last ten minutes. Last news from Weir: `, when(newest), "."];
}

export function pilotsBar(pilots) {
  const words = ["busy", "idle", "draining", "lost"];
  const label = words.map((w) => `${number(pilots[w])} ${w}`).join(", ");
  return [h("div", { class: "bar", role: "img", "aria-label": "Pilots: " + label }, words.map((w) => h("span", { key: w, class: "part pilots-" + w, grow: pilots[w] }))),
    h("div", { class: "small" }, words.filter((w, i) => i < 2 || pilots[w]).map((w, i) => [i > 0 && ", ", h("span", { class: w === "lost" ? "bad-text" : null }, `${number(pilots[w])} ${w}`)]))];
}

function poolTable(pools) {
  return table("Pools", [["Pool"], ["Pilots", "wide"], ["Jobs that wait or are tried again", "n"], ["Sent, not started", "n"], ["Running", "n"], ["Jobs per second, last 10 min", "n"], ["Open tasks", "n"]],
    pools.map((pool) => ({
      key: pool.name,
      cells: [poolLink(pool.name), pilotsBar(pool.pilots), number(pool.jobs.waiting + pool.jobs.cooling), number(pool.jobs.queued),
        number(pool.jobs.running + pool.jobs.starting), rate(pool.jobs_per_second), h("a", { href: `#/tasks?state=open&pool=${encodeURIComponent(pool.name)}`, "aria-label": `${count(pool.tasks.open, "open task")} of pool ${pool.name}` }, number(pool.tasks.open))],
    })), "No pool yet: one appears with its first task or pilot. docs/PILOT.md says how to start one.");
}

function waitTable(waiting) {
  return table("What waits, and why", [["Reason"], ["Pool"], ["Tasks", "n"], ["Jobs", "n"], ["For example", "wide"]],
    waiting.map((wait) => ({
      // Tasks that asked DSM in vain have a row of their own.
      key: [wait.why, wait.pool, wait.text?.endsWith("asks again by itself")].join(" "),
      cells: [sentence(REASONS[wait.why] ?? wait.why), poolLink(wait.pool),
        h("a", { href: `#/tasks?state=open&why=${encodeURIComponent(wait.why)}${wait.pool ? "&pool=" + encodeURIComponent(wait.pool) : ""}`, "aria-label": `${count(wait.tasks, "task")} that wait: ${REASONS[wait.why] ?? wait.why}` }, number(wait.tasks)),
        number(wait.jobs), [taskLink(wait.uid), wait.text && ": " + wait.text]],
    })), "");
}
