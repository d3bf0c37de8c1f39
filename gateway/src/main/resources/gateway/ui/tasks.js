// The list of all tasks.

import { get, withQuery } from "./api.js";
import { h } from "./dom.js";
import { filters, pager, REASONS, taskTable, UID } from "./parts.js";

const STATES = [["open", "open"], ["", "all"], ["active", "active"], ["accepted", "waiting for a slot"], ["paused", "paused"], ["cancelled", "being cancelled"], ["closed", "closed"], ["failed", "failed"], ["rejected", "rejected"]];
const WHY = [["", "any"], ...Object.entries(REASONS)];

export const title = () => "Tasks";

export function load({ query }) {
  const { state, search, owner, pool, why, after } = query;
  return get(withQuery("/task", { state, search, owner, pool, why, after, limit: 50 }));
}

export const concerns = (change) => change.tasks.length > 0 || change.more_tasks;

export function view(page, route) {
  return [
    h("h1", { tabindex: "-1" }, "Tasks"),
    filters(route, [["search", "Uid begins with", UID], ["state", "State", STATES], ["why", "Waits because", WHY], ["pool", "Pool", UID], ["owner", "Owner"]]),
    taskTable(page.data, "No task is like that. Make a field of the filter empty, or choose another state."),
    pager(route, page.next),
  ];
}
