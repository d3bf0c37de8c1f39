// The list of pilots.

import { get, withQuery } from "./api.js";
import { buttons, may, pilotActions } from "./actions.js";
import { h } from "./dom.js";
import { bytes, count, number } from "./format.js";
import { badge, filters, jobLink, pager, poolLink, table, when } from "./parts.js";

const STATES = [["", "all"], ["busy", "busy"], ["idle", "idle"], ["draining", "draining"], ["lost", "lost"]];

export const title = () => "Pilots";

export function load({ query }) {
  const { state, search, pool, host, after } = query;
  return get(withQuery("/pilot", { state, search, pool, host, after, limit: 50 }));
}

export const concerns = (change) => change.pilots;

export function view(page, route, me) {
  return [
    h("h1", { tabindex: "-1" }, "Pilots"),
    filters(route, [["search", "Id begins with"], ["state", "State", STATES], ["pool", "Pool"], ["host", "Node"]]),
    pilotTable(page.data, me, "No pilot is like that. Make a field of the filter empty, or start one with ./weir pilot --pool cpu."),
    pager(route, page.next),
  ];
}

export function pilotTable(pilots, me, empty) {
  return table("Pilots", [["Pilot"], ["State"], ["Current job"], ["Finished", "n"], ["Failed", "n"], ["Last heard"], ["Actions"]], pilots.map((pilot) => ({
    key: pilot.pilot_id,
    cells: [
      [h("span", { class: "uid" }, pilot.pilot_id), h("div", { class: "small muted" }, "pool ", poolLink(pilot.pool), pilot.host && ` · ${pilot.host}`, pilot.cores && ` · ${number(pilot.cores)} cores, ${bytes(pilot.memory)}${pilot.gpus ? `, ${count(pilot.gpus, "GPU")}` : ""}`)],
      [pilot.state ? badge(pilot.state) : "not heard", pilot.set_aside_until && h("div", { class: "small warn-text" }, "no jobs for now: set aside, it tries again ", when(pilot.set_aside_until))],
      jobLink(pilot.job_uid), number(pilot.finished), pilot.failed ? h("strong", { class: "bad-text" }, number(pilot.failed)) : "0", when(pilot.last_seen_at),
      may(me, "pilots", pilot.pilot_id) ? buttons(`Change pilot ${pilot.pilot_id}`, pilotActions(pilot)) : "–",
    ],
  })), empty);
}
