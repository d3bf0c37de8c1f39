// Limit groups: what they hold, what waits for them, and where their limits come from.

import { get, withQuery } from "./api.js";
import { buttons, limitActions, mayLimit, newLimit } from "./actions.js";
import { h } from "./dom.js";
import { exactly, number } from "./format.js";
import { filters, pager, table } from "./parts.js";

const WAITING = [["", "all"], ["true", "files wait for it"]];
const SOURCES = { command: "a command", group: "the settings of this group", rule: "the settings of its rule" };

export const title = () => "Limits";

export function load({ query }) {
  const { search, waiting, after } = query;
  return get(withQuery("/limit", { search, waiting, after, limit: 50 }));
}

export const concerns = (change) => change.tasks.length > 0 || change.more_tasks;

export function view(page, route, me) {
  return [
    h("h1", { tabindex: "-1" }, "Limits"),
    h("p", { class: "muted" }, "Groups with a limit that have files or jobs, or whose limit was set by a command."),
    mayLimit(me) ? buttons("Add a limit", [newLimit]) : null,
    filters(route, [["search", "Name begins with"], ["waiting", "Which", WAITING]]),
    table("Limits", [["Group", "wide"], ["In flight", "wide"], ["Starts in its window", "wide"], ["Files that wait", "n"], ["Set by"], ["Actions"]], page.data.map((group) => ({
      key: group.group,
      cells: [
        h("span", { class: "uid" }, group.group),
        use(group.in_flight, group.max_in_flight, "in flight", "no limit"),
        group.max_starts === undefined ? "no limit" : use(group.starts, group.max_starts, "starts", "", ` in ${exactly(group.window_s)}`),
        group.waiting ? h("strong", { class: "warn-text" }, number(group.waiting)) : "0",
        SOURCES[group.source] ?? group.source,
        mayLimit(me, group.group) ? buttons(`Change group ${group.group}`, limitActions(group)) : "–",
      ],
    })), "No group is like that, or none has a limit. ./weir limits set GROUP --max-in-flight N sets one; docs/OPERATIONS.md explains groups."),
    pager(route, page.next),
  ];
}

/** How much of a limit is used, as a bar and in words. */
export function use(used, most, what, without, after = "") {
  if (most === undefined) return `${number(used)}, ${without}`;
  const words = `${number(used)} of ${number(most)}${after}`;
  const full = used >= most;
  return [h("div", { class: "bar", role: "img", "aria-label": `${words} ${what}` },
    h("span", { class: "part " + (full ? "cooling" : "running"), grow: Math.min(used, most) || (full ? 1 : 0) }), h("span", { class: "part waiting", grow: Math.max(0, most - used) })),
  h("div", { class: "small" }, words, full && h("span", { class: "warn-text" }, " – full"))];
}
