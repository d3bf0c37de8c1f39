// One pool.

import { Failure, get } from "./api.js";
import { buttons, may, poolActions } from "./actions.js";
import { chart } from "./chart.js";
import { h } from "./dom.js";
import { number, sentence } from "./format.js";
import { pilotsBar } from "./overview.js";
import { facts, taskTable } from "./parts.js";
import { pilotTable } from "./pilots.js";

export const title = ({ id }) => "Pool " + id;

export async function load({ id }) {
  const name = encodeURIComponent(id);
  const [pools, why, history, tasks, pilots] = await Promise.all([
    get("/pool"), get(`/pool/${name}/why`), get("/history?pool=" + name), get(`/task?state=open&limit=15&pool=${name}`), get(`/pilot?limit=15&pool=${name}`)]);
  const pool = pools.data.find((one) => one.name === id);
  // It may have gone between two answers.
  if (!pool) throw new Failure(404, { detail: `There is no pool ${id}` });
  return { pool, why, history, tasks, pilots };
}

export const concerns = (change, { id }) => change.pools.includes(id) || change.more_tasks;

export function view({ pool, why, history, tasks, pilots }, route, me) {
  const query = "pool=" + encodeURIComponent(pool.name);
  return [
    h("h1", { tabindex: "-1" }, h("span", { class: "muted" }, "Pool "), pool.name),
    h("p", { class: "why", id: "why" }, h("strong", null, "Now: "), sentence(why.text)),
    h("p", null, h("strong", null, "Time left: "), why.time_left.text, "."),
    may(me, "pools", pool.name) ? buttons("Change this pool", poolActions(pool)) : null,
    h("section", { "aria-labelledby": "numbers" }, h("h2", { id: "numbers" }, "Pilots and jobs"), pilotsBar(pool.pilots),
      facts([["Jobs that wait", number(pool.jobs.waiting)], ["To be tried again", number(pool.jobs.cooling)], ["Sent, not started", number(pool.jobs.queued)], ["Starting", number(pool.jobs.starting)], ["Running", number(pool.jobs.running)]]),
      h("h3", null, "Per second"),
      chart("Jobs of the pool", history.data.flatMap((line) => [{ label: "ended", history: line.history, of: "ended", colour: "--series-1" }, { label: "of them failed", history: line.history, of: "failed", colour: "--series-bad" }]))),
    h("section", { "aria-labelledby": "tasks" }, h("h2", { id: "tasks" }, "Its newest open tasks"), taskTable(tasks.data, "No task of the pool is open."), tasks.next && h("p", null, h("a", { href: "#/tasks?state=open&" + query }, "All its open tasks"))),
    h("section", { "aria-labelledby": "pilots" }, h("h2", { id: "pilots" }, "Its pilots"), pilotTable(pilots.data, me, `No pilot serves the pool. Start one with ./weir pilot --gateway ${location.origin} --token-file FILE --executables DIR --pool ${pool.name}.`), pilots.next && h("p", null, h("a", { href: "#/pilots?" + query }, "All its pilots"))),
  ];
}
