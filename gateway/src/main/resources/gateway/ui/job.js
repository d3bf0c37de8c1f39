// One job: its newest attempt, those that failed, and what they printed.

import { get, withQuery } from "./api.js";
import { h } from "./dom.js";
import { clock, number, rank, sentence, span } from "./format.js";
import { badge, facts, fileLink, pilotLink, poolLink, table, taskLink, when } from "./parts.js";

const ERRORS = {
  stage_in: "the input could not be fetched, or the node could not start the program", stage_out: "the output could not be stored", missing: "the storage says that the input is not there", executable: "the program is missing, or cannot be started", exit: "the program ended with an error",
  timeout: "it ran too long", disk_full: "the disk of the node was full", oom: "it ran out of memory", killed: "it was stopped", lost: "its pilot was not heard any more", unknown: "its pilot did not say how it failed",
};

export const title = ({ id }) => "Job " + id;
export const concerns = (change, route, data) => change.tasks.includes(data?.job.task_uid) || change.more_tasks;

const QUEUED = "No pilot has reported its start. If its message seems lost, Weir sends it again, first after weir.scheduling.queued-timeout (10 minutes, if nobody has set it), which a restart of Weir begins anew.";
const MOST_ATTEMPTS = 16;

/** Of which job, attempt and address the log is here, or on its way. It does not change where it is. */
let log = {};

export async function load({ id, query: { attempt } }) {
  const job = await get("/job/" + encodeURIComponent(id));
  const of = JSON.stringify([id, attempt, job.file_log_url]);
  if (log.of !== of && (job.file_log_url || attempt)) fetchLog(of, id, attempt);
  return { job, log: log.of === of ? log : {} };
}

/** The page does not wait for a storage that is slow. */
async function fetchLog(of, id, attempt) {
  const mine = log = { of, coming: true };
  try {
    const found = await get(withQuery(`/job/${encodeURIComponent(id)}/log`, { attempt }));
    Object.assign(mine, { found, coming: false });
  } catch (e) {
    Object.assign(mine, { trouble: e.message, coming: false });
  }
  if (log === mine) dispatchEvent(new Event("weir-changed"));
}

function reload() {
  log = {};
  dispatchEvent(new Event("weir-changed"));
}

export function view({ job, log }, route) {
  const seconds = job.started_at && job.ended_at ? (Date.parse(job.ended_at) - Date.parse(job.started_at)) / 1000 : undefined;
  return [
    h("h1", { tabindex: "-1" }, h("span", { class: "muted" }, "Job "), job.uid, " ", badge(job.status)),
    job.error_type && h("section", { "aria-labelledby": "error", class: "failure" }, h("h2", { id: "error" }, `Error of attempt ${job.attempt}: ${ERRORS[job.error_type] ?? job.error_type}`),
      job.exit_code !== undefined && h("p", null, `Exit code ${job.exit_code}.`), h("pre", null, job.error_message ?? "It came without a message.")),
    h("section", { "aria-labelledby": "about" }, h("h2", { id: "about" }, "About it"), facts([
      ["Task", taskLink(job.task_uid)], ["Position", number(job.position)],
      ["Attempt", `${number(job.attempt)}; before it, ${number(job.retries)} failed of the program and ${number(job.system_retries)} of the system`],
      ["Pilot", pilotLink(job.pilot_id)], ["Pool", poolLink(job.pool)], ["Rank", rank(job.rank)],
      ["Sent to pilots", [clock(job.queued_at), " · ", when(job.queued_at), job.status === "Queued" && h("div", { class: "small muted" }, QUEUED)]], ["Started", [clock(job.started_at), " · ", when(job.started_at)]],
      ["Ended", [clock(job.ended_at), seconds !== undefined && ` · after ${span(seconds)}`]],
      job.exit_code !== undefined && ["Exit code", String(job.exit_code)],
      ["Input", fileLink(job.file_in_url)], ["Output", fileLink(job.file_out_url)], ["Log", fileLink(job.file_log_url)]])),
    attemptSection(job),
    logSection(job, log, route),
  ];
}

/** The newest attempt is above; with it or without it those that failed, the newest first. */
function attemptSection(job) {
  const attempts = job.attempts ?? [];
  if (job.attempt < 2 && attempts.length < 2) return null;
  const isNewest = (attempt) => attempt.attempt === job.attempt;
  const rows = attempts.some(isNewest) ? attempts : [job, ...attempts];
  return h("section", { "aria-labelledby": "attempts" }, h("h2", { id: "attempts" }, "Attempts"),
    table("Attempts", [["Attempt"], ["Status"], ["Pilot"], ["Sent"], ["Started"], ["Ended"], ["Error"]], rows.map((attempt) => ({
      key: String(attempt.attempt),
      cells: [
        number(attempt.attempt), badge(attempt.status), pilotLink(attempt.pilot_id), when(attempt.queued_at), when(attempt.started_at), when(attempt.ended_at),
        attempt.error_type || attempt.error_message ? [ERRORS[attempt.error_type] ?? attempt.error_type, attempt.exit_code !== undefined && ` (exit code ${attempt.exit_code})`,
          attempt.error_message && h("div", { class: "small muted" }, attempt.error_message)] : "–",
      ],
    })), "No attempt has ended."));
}

function logSection(job, { found, trouble, coming }, { query: { attempt } }) {
  return h("section", { "aria-labelledby": "log" }, h("h2", { id: "log" }, attempt ? `Log of attempt ${attempt}` : "Log"),
    attemptLinks(job, attempt),
    coming && h("p", { class: "muted", role: "status" }, "Loading the log …"),
    trouble && h("p", { class: "notice" }, h("strong", null, "The log cannot be shown: "), sentence(trouble)),
    trouble && !attempt && h("p", null, "It is at ", fileLink(job.file_log_url)),
    !found && !trouble && !coming && h("p", { class: "empty" }, "None of its attempts has ended with a log."),
    found && [
      h("p", { class: "small muted" }, found.from > 0 ? `The last ${number(found.size - found.from)} of ${number(found.size)} bytes; the rest is only at its address.` : `${number(found.size)} bytes.`),
      found.size === 0 ? h("p", { class: "empty" }, "The log is empty.") : logText(found.text),
    ],
    (found || trouble) && h("div", { class: "actions" }, h("button", { type: "button", onclick: reload }, "Reload the log")));
}

function attemptLinks(job, shown) {
  if (job.attempt < 2) return null;
  const base = "#/job/" + encodeURIComponent(job.uid);
  const first = Math.max(1, job.attempt - MOST_ATTEMPTS + 1);
  const link = (href, here, word) => h("a", { href, "aria-current": here ? "page" : null }, word);
  return h("nav", { class: "pager", "aria-label": "Logs of the attempts" }, link(base, !shown, "Newest"),
    Array.from({ length: job.attempt - first + 1 }, (_, i) => first + i).map((n) => link(`${base}?attempt=${n}`, shown === String(n), `Attempt ${n}`)));
}

/** It is text, whatever is in it. At first its end is seen, where errors are. */
function logText(text) {
  return h("pre", {
    class: "log", key: "log text", tabindex: "0", role: "region", "aria-label": "Text of the log", "data-draw": true,
    draw: (place) => {
      if (place.textContent === text) return;
      place.textContent = text;
      place.scrollTop = place.scrollHeight;
    },
  });
}
