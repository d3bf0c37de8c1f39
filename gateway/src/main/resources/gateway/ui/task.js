// One task: why it does not go on, its jobs, its failures, and what can be done.

import { get, withQuery } from "./api.js";
import { buttons, may, taskActions } from "./actions.js";
import { chart, rankChart } from "./chart.js";
import { h } from "./dom.js";
import { capital, count, fileName, number, percent, rank, sentence } from "./format.js";
import { badge, taskBadge, done, facts, fileLink, filters, jobLink, jobsBar, jobsLegend, pager, pilotLink, poolLink, table, when } from "./parts.js";

const STATUSES = ["", "Failed", "Running", "Starting", "Queued", "Cooling", "Finished", "Killed", "Cancelled"].map((s) => [s, s || "all"]);

export const title = ({ id }) => "Task " + id;

export async function load({ id, query }) {
  const path = "/task/" + encodeURIComponent(id);
  const [task, why, history, failures, jobs, commands] = await Promise.all([
    get(path), get(path + "/why"), get(path + "/history"), get(path + "/failures"),
    jobPage(path + "/job", query),
    get(withQuery(path + "/command", { after: query.commands_after, limit: 10 }))]);
  return { task, why, history, failures, jobs, commands };
}

const MOST_PAGES = 60;
const KEPT_MILLIS = 60000;
let kept;
addEventListener("weir-changed", () => (kept = undefined));

/**
 * With a filter a page may be empty although the list goes on: the gateway looks at some jobs for each. What took several pages is kept for a minute, so that
 * a page that stays open does not look through all jobs at each change; but not after one's own, which is to be seen.
 */
async function jobPage(path, { status, search, after }) {
  const first = withQuery(path, { status, search, after, limit: 25 });
  if (kept?.first === first && Date.now() - kept.at < KEPT_MILLIS) return kept.page;
  let page = await get(first);
  for (let pages = 1; page.data.length === 0 && page.next && pages < MOST_PAGES; pages++) {
    page = await get(withQuery(path, { status, search, after: page.next, limit: 25 }));
    kept = { first, page, at: Date.now() };
  }
  return page;
}

export const concerns = (change, { id }) => change.tasks.includes(id) || change.more_tasks;

export function view({ task, why, history, failures, jobs, commands }, route, me) {
  const { counts } = task;
  // A full queue to busy pilots is how it should be.
  const waits = task.why && task.why !== "window";
  return [
    h("h1", { tabindex: "-1" }, h("span", { class: "muted" }, "Task "), task.uid, " ", taskBadge(task)),
    h("p", { class: "why " + (waits || ["failed", "rejected"].includes(task.state) ? "warn" : ""), id: "why" },
      h("strong", null, waits ? "Why nothing more starts: " : "Now: "), task.why === "window" && "Pilots are busy. ", sentence(why.text)),
    why.time_left && h("p", { key: "left" }, h("strong", null, "Time left: "), why.time_left.text, "."),
    task.reason && !why.text.includes(task.reason) && h("p", { key: "reason", class: "bad-text" }, h("strong", null, task.closed_at ? "It ended so: " : "Its jobs fail: "), sentence(task.reason)),
    may(me, "tasks", task.uid) ? buttons("Change this task", taskActions(task)) : null,
    h("section", { "aria-labelledby": "jobs-by-state" }, h("h2", { id: "jobs-by-state" }, "Jobs"),
      jobsBar(counts), h("p", { class: "small" }, counts.total === undefined ? "How many files its dataset has is not known yet." : `${number(done(counts))} of ${count(counts.total, "job")} are over. ${count(counts.retries, "retry", "retries")} after failures of the program, ${number(counts.system_retries)} after failures of the system.`),
      jobsLegend(counts),
      h("h3", null, "Per second"),
      chart("Jobs of the task", [{ label: "ended", history, of: "ended", colour: "--series-1" }, { label: "of them failed", history, of: "failed", colour: "--series-bad" }])),
    commandSection(task, history, commands, route),
    failureSection(failures),
    h("section", { "aria-labelledby": "job-list" }, h("h2", { id: "job-list" }, "List of jobs"),
      filters(route, [["search", "Input contains"], ["status", "Status", STATUSES]]),
      table("Jobs", [["Job and input"], ["Status"], ["Attempt", "n"], ["Pilot"], ["Started"], ["Ended"], ["Error", "wide"]], jobs.data.map((job) => ({
        key: job.uid,
        cells: [[jobLink(job.uid), h("div", { class: "small muted" }, fileName(job.file_in_url))], badge(job.status), number(job.attempt), pilotLink(job.pilot_id), when(job.started_at), when(job.ended_at), job.error_type ? `${job.error_type}: ${job.error_message ?? ""}` : "–"],
      })), jobs.next ? "None of the jobs up to here is like that; the next page looks further." : route.query.status || route.query.search ? "No job that was sent to a pilot is like that." : "No job has been sent to a pilot yet; what waits is not listed."),
      pager(route, jobs.next)),
    h("section", { "aria-labelledby": "about" }, h("h2", { id: "about" }, "About it"), facts([
      ["Rank", `${rank(task.rank)} now, ${rank(task.base_rank)} given`],
      ["Weight", number(task.weight)],
      task.progress?.share_of_weight !== undefined && ["Share", `${percent(task.progress.share_of_jobs)} of the jobs of its pool in the last ten minutes; its weight gives it ${percent(task.progress.share_of_weight)}`],
      ["Pool", poolLink(task.pool)], ["Owner", task.owner ?? "–"], ["Program", h("code", null, [task.executable, task.args].filter(Boolean).join(" "))],
      ["Kind", [task.mode, task.device_type, task.order && task.order + " order"].filter(Boolean).join(", ")], ["Retries allowed", number(task.retry)],
      ["Input dataset", task.dat_in_uid ?? "–"], ["Output dataset", task.dat_out_uid ?? "–"], ["Storage", fileLink(task.dat_stor_url)], ["Outputs below", fileLink(task.dat_out_url)],
      ["Accepted", when(task.accepted_at)], ["Ended", when(task.closed_at)]])),
  ];
}

const DONE = {
  rank: (c) => `rank ${rank(c.rank)}`, priority: (c) => `priority ${number(c.priority)} for file ${number(c.position)}`, retry_failed: () => "retry failed jobs",
};

function commandSection(task, history, commands, route) {
  const ranks = rankChart(history);
  return h("section", { "aria-labelledby": "commands" }, h("h2", { id: "commands" }, "Rank and commands"),
    h("p", { class: "small" }, `Its rank is ${rank(task.rank)} now; ${rank(task.base_rank)} was given. `, (ranks ? "Below is the rank as this gateway has seen it" : "This gateway has seen it at no other one") + " since it started, for at most six hours. Ranks that were given earlier are among the commands."),
    ranks,
    h("h3", null, "Commands"),
    table("Commands about the task", [["Command"], ["By"], ["Given"], ["Outcome", "wide"]], commands.data.map((command) => ({
      key: command.id,
      cells: [DONE[command.type]?.(command) ?? command.type, command.by ?? "not told", when(command.given_at),
        [badge(command.outcome), command.reason && h("div", { class: "small" }, sentence(command.reason))]],
    })), "No command about it has come."),
    h("p", { class: "small muted" }, "All that Weir has answered, the newest first, from every gateway and by AMQP. A repeated one is shown once. They are kept as long as archived tasks."),
    commands.next && h("p", { class: "pager" }, h("a", { href: `#${route.path}?${new URLSearchParams({ ...route.query, commands_after: commands.next })}` }, "Older commands")));
}

function failureSection({ data: classes, cut }) {
  return h("section", { "aria-labelledby": "failures" }, h("h2", { id: "failures" }, "Failures"),
    cut && h("p", { class: "muted small" }, `These are counts of the ${number(classes.reduce((all, { count: over, others }) => all + over + others, 0))} failed jobs that were looked at; the task may have more.`),
    classes.length === 0 ? h("p", { class: "empty" }, "No job of it has failed.") : classes.map((failure) => h("article", { key: failure.error_type, class: "failure" },
      h("h3", null, `${capital(failure.error_type.replaceAll("_", " "))}: ${count(failure.count, "job")}${failure.others ? `, and ${number(failure.others)} that ${failure.others === 1 ? "is" : "are"} tried again or cancelled` : ""}`),
      h("ul", null, failure.newest.map((job) => h("li", { key: job.uid }, jobLink(job.uid), " ", when(job.ended_at),
        job.exit_code !== undefined && `, exit code ${job.exit_code}`, h("pre", null, job.error_message ?? "without a message"),
        job.file_log_url && h("div", { class: "small" }, "Log: ", fileLink(job.file_log_url))))))));
}
