// One job: its newest attempt.

import { get } from "./api.js";
import { h } from "./dom.js";
import { clock, number, rank, span } from "./format.js";
import { badge, facts, fileLink, pilotLink, poolLink, taskLink, when } from "./parts.js";

const ERRORS = {
  stage_in: "the input could not be fetched", stage_out: "the output could not be stored", executable: "the program could not be started", exit: "the program ended with an error",
  timeout: "it ran too long", disk_full: "the disk of the node was full", oom: "it ran out of memory", killed: "it was stopped",
};

export const title = ({ id }) => "Job " + id;
export const load = ({ id }) => get("/job/" + encodeURIComponent(id));
export const concerns = (change, route, job) => change.tasks.includes(job?.task_uid) || change.more_tasks;

export function view(job) {
  const seconds = job.started_at && job.ended_at ? (Date.parse(job.ended_at) - Date.parse(job.started_at)) / 1000 : undefined;
  return [
    h("h1", { tabindex: "-1" }, h("span", { class: "muted" }, "Job "), job.uid, " ", badge(job.status)),
    job.error_type && h("section", { "aria-labelledby": "error", class: "failure" }, h("h2", { id: "error" }, `Error of attempt ${job.attempt}: ${ERRORS[job.error_type] ?? job.error_type}`),
      job.exit_code !== undefined && h("p", null, `Exit code ${job.exit_code}.`), h("pre", null, job.error_message ?? "It came without a message.")),
    h("section", { "aria-labelledby": "about" }, h("h2", { id: "about" }, "About it"), facts([
      ["Task", taskLink(job.task_uid)], ["Position", number(job.position)],
      ["Attempt", `${number(job.attempt)}; before it, ${number(job.retries)} failed of the program and ${number(job.system_retries)} of the system`],
      ["Pilot", pilotLink(job.pilot_id)], ["Pool", poolLink(job.pool)], ["Rank", rank(job.rank)],
      ["Sent to pilots", [clock(job.queued_at), " · ", when(job.queued_at)]], ["Started", [clock(job.started_at), " · ", when(job.started_at)]],
      ["Ended", [clock(job.ended_at), seconds !== undefined && ` · after ${span(seconds)}`]],
      job.exit_code !== undefined && ["Exit code", String(job.exit_code)],
      ["Input", fileLink(job.file_in_url)], ["Output", fileLink(job.file_out_url)], ["Log", fileLink(job.file_log_url)]])),
  ];
}
