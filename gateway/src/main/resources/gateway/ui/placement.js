// Placement: how full each worker is.

import { get, withQuery } from "./api.js";
import { h } from "./dom.js";
import { bytes, count, number, percent } from "./format.js";
import { badge, facts, filters, pager, table, when } from "./parts.js";

const STATUSES = [["", "all"], ["online", "online"], ["unreliable", "unreliable"], ["offline", "offline"]];

export const title = () => "Placement";
export const concerns = () => false;

export async function load({ query }) {
  const { search, status, after } = query;
  try {
    return await get(withQuery("/placement", { search, status, after, limit: 50 }));
  } catch (e) {
    if (e.status !== 404) throw e;
    return { missing: e.message };
  }
}

export function view(page, route) {
  if (page.missing) return [h("h1", { tabindex: "-1" }, "Placement"), h("p", { class: "empty" }, page.missing)];
  const { total, reliable } = page;
  return [
    h("h1", { tabindex: "-1" }, "Placement"),
    h("p", { class: reliable.unplaced ? "why warn" : "muted" },
      `${count(total.workers, "worker")} hold ${count(total.chunks, "replica")} of chunks, ${bytes(total.assigned_bytes)} of ${bytes(total.capacity)}. `,
      reliable.unplaced > 0 && h("strong", null, `${count(reliable.unplaced, "replica")} found no worker with room. `), "Written by ./weir place ", when(page.written_at), "."),
    page.unreliable_left_empty && h("p", { key: "left-empty", class: "why warn" }, h("strong", null, "The workers that are not online have empty lists. "), `The pass over all workers failed: ${page.unreliable_left_empty}`),
    h("section", { "aria-labelledby": "workers" }, h("h2", { id: "workers" }, "Workers, the fullest first"),
      filters(route, [["search", "Id begins with"], ["status", "Status", STATUSES]]),
      table("Workers", [["Worker"], ["Status"], ["Fill", "wide"], ["Chunks", "n"], ["Assigned", "n"], ["Capacity", "n"]], page.data.map((worker) => ({
        key: worker.id,
        cells: [h("span", { class: "uid" }, worker.id), badge(worker.status), fill(worker), number(worker.chunks), bytes(worker.assigned_bytes), bytes(worker.capacity)],
      })), "No worker is like that. Make a field of the filter empty."),
      pager(route, page.next)),
    h("section", { "aria-labelledby": "datasets" }, h("h2", { id: "datasets" }, "Datasets, the largest first"),
      table("Datasets", [["Dataset"], ["Chunks", "n"], ["Bytes", "n"], ["Replicas on average", "n"], ["Fewest", "n"], ["Most", "n"]], page.datasets.map((dataset) => ({
        key: dataset.name,
        cells: [h("span", { class: "uid" }, dataset.name), number(dataset.chunks), bytes(dataset.bytes), number(Math.round(dataset.replication * 100) / 100), number(dataset.fewest_replicas), number(dataset.most_replicas)],
      })), "There are no chunks."),
      total.datasets > page.datasets.length && h("p", { class: "muted small" }, `The largest ${number(page.datasets.length)} of ${number(total.datasets)}.`)),
    facts([["Replicas to place", number(reliable.virtual_chunks)], ["Order and mode", `${page.config.order}, ${page.config.mode}`], ["Capacity that may be used", percent(page.config.saturation)], ["Fewest replicas of a chunk", number(page.config.min_replication)]]),
  ];
}

function fill(worker) {
  const words = `${percent(worker.fill)} full`;
  return [h("div", { class: "bar", role: "img", "aria-label": words }, h("span", { class: "part running", grow: worker.fill }), h("span", { class: "part waiting", grow: Math.max(0, 1 - worker.fill) })), h("div", { class: "small" }, words)];
}
