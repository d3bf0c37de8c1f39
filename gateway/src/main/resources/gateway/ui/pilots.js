// The list of pilots.

import { get, withQuery } from "./api.js";
import { buttons, may, nodeActions, pilotActions } from "./actions.js";
import { h } from "./dom.js";
import { bytes, count, number } from "./format.js";
import { badge, filters, jobLink, pager, poolLink, table, UID, when } from "./parts.js";

const STATES = [["", "all"], ["busy", "busy"], ["idle", "idle"], ["draining", "draining"], ["lost", "lost"], ["ended", "ended"]];

/** A pilot process has up to 256, and a node may have several. */
const MOST_OF_NODE = 1000;

export const title = () => "Pilots";

export function load({ query }) {
  const { state, search, pool, host, after } = query;
  return get(withQuery("/pilot", { state, search, pool, host, after, limit: host ? MOST_OF_NODE : 50 }));
}

export const concerns = (change) => change.pilots;

export function view(page, route, me) {
  return [
    h("h1", { tabindex: "-1" }, "Pilots"),
    filters(route, [["search", "Id begins with", UID], ["state", "State", STATES], ["pool", "Pool", UID], ["host", "Node"]]),
    route.query.host && page.data.length > 0 && nodeOrWhere(page, route, me),
    pilotTable(page.data, me, "No pilot is like that. Make a field of the filter empty, or start one with ./weir pilot (docs/PILOT.md)."),
    pager(route, page.next),
  ];
}

/** Sums and orders are for all pilots of a node; where some of them are not shown, it says where they are. */
function nodeOrWhere({ data, next }, { query }, me) {
  const { host } = query;
  if (["state", "search", "pool", "after"].some((name) => query[name])) {
    return h("p", { class: "muted" }, `Some pilots of node ${host}. `, h("a", { href: "#/pilots?host=" + encodeURIComponent(host) }, "Show all of them, with orders for the node"));
  }
  return next
    ? h("p", { class: "muted" }, `Node ${host} has more than ${count(data.length, "pilot")}: ./weir pilots drain, exclude and include reach all of them with --host ${host}.`)
    : node(host, data, me);
}

/** What a node does, and what can be done to all of its pilots. */
function node(host, pilots, me) {
  const sum = (of) => pilots.reduce((all, pilot) => all + of(pilot), 0);
  const mine = pilots.filter((pilot) => may(me, "pilots", pilot.pilot_id));
  return h("section", { "aria-labelledby": "node" }, h("h2", { id: "node" }, `Node ${host}`),
    h("p", null, `${count(pilots.length, "pilot")}, ${number(sum((p) => (p.state === "busy" ? 1 : 0)))} busy, ${number(sum((p) => (p.state === "lost" ? 1 : 0)))} lost, ${number(sum((p) => (p.set_aside_until ? 1 : 0)))} set aside, ${number(sum((p) => (p.kept_out ? 1 : 0)))} kept out by order. `
      + `${number(sum((p) => p.finished))} jobs finished, ${number(sum((p) => p.failed))} failed.`),
    mine.length > 0 ? buttons(`Change all pilots of node ${host}`, nodeActions(host, mine)) : null);
}

export function pilotTable(pilots, me, empty) {
  return table("Pilots", [["Pilot"], ["State"], ["Current job"], ["Finished", "n"], ["Failed", "n"], ["Last heard"], ["Actions"]], pilots.map((pilot) => ({
    key: pilot.pilot_id,
    cells: [
      [h("span", { class: "uid" }, pilot.pilot_id), h("div", { class: "small muted" }, "pool ", poolLink(pilot.pool), pilot.host && [" · ", h("a", { href: "#/pilots?host=" + encodeURIComponent(pilot.host) }, pilot.host)], pilot.cores && ` · ${number(pilot.cores)} cores, ${bytes(pilot.memory)}${pilot.gpus ? `, ${count(pilot.gpus, "GPU")}` : ""}`)],
      [pilot.state ? badge(pilot.state) : "not heard", pilot.kept_out && h("div", { class: "small warn-text" }, `${pilot.kept_out} by order: it gets no jobs until it is included`), pilot.set_aside_until && h("div", { class: "small warn-text" }, "no jobs for now: set aside, it tries again ", when(pilot.set_aside_until))],
      jobLink(pilot.job_uid), number(pilot.finished), pilot.failed ? h("strong", { class: "bad-text" }, number(pilot.failed)) : "0", when(pilot.last_seen_at),
      may(me, "pilots", pilot.pilot_id) ? buttons(`Change pilot ${pilot.pilot_id}`, pilotActions(pilot)) : "–",
    ],
  })), empty);
}
