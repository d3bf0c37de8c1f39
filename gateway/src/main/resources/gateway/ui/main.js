// The dashboard: which page is shown, and when it is drawn again.

import { forgetToken, get, token } from "./api.js";
import { h, show } from "./dom.js";
import { sentence } from "./format.js";
import { listen } from "./live.js";
import { askForToken } from "./login.js";
import * as job from "./job.js";
import * as limits from "./limits.js";
import * as overview from "./overview.js";
import * as pilots from "./pilots.js";
import * as placement from "./placement.js";
import * as pool from "./pool.js";
import * as queue from "./queue.js";
import * as queues from "./queues.js";
import * as rejected from "./rejected.js";
import * as task from "./task.js";
import * as tasks from "./tasks.js";

const PAGES = { "": overview, tasks, task, job, pilots, pool, limits, queues, queue, placement, rejected };
const LEAST_MILLIS = 1500;
const OFTEN_ENOUGH_MILLIS = 20000;
const BEGIN_MILLIS = 5000;
const LIVE = { live: "● live", waiting: "○ reconnecting", full: `○ updates every ${OFTEN_ENOUGH_MILLIS / 1000} s` };
/** What the gateway counts may be two counts old, so the last change is looked at once more. */
const COUNTED_MILLIS = 5000;
const INVALID = "The token is not valid any more. Enter another one.";

const main = document.getElementById("main");
const notice = document.getElementById("notice");
const who = document.getElementById("who");
const nav = document.getElementById("nav");

let me;
let route;
let page;
let data;
let number = 0;
let loading = false;
let wanted = false;
let looksAgain = false;
let isFirst = false;
let shownAt = 0;
let ear;
let beginsAgain;
let live = "waiting";

function parse(hash) {
  const [path, query = ""] = (hash.replace(/^#/, "") || "/").split("?");
  const [, name, id] = path.split("/");
  return { path, name, id: id === undefined ? undefined : decode(id), query: Object.fromEntries(new URLSearchParams(query)) };
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Shows the page of the address. */
async function go() {
  const before = route;
  route = parse(location.hash);
  const needsId = ["task", "job", "pool", "queue"].includes(route.name);
  page = (needsId && !route.id) || !Object.hasOwn(PAGES, route.name) ? undefined : PAGES[route.name];
  data = undefined;
  isFirst = true;
  nav.querySelectorAll("a").forEach((link) => {
    const here = parse(link.hash).name === route.name;
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  });
  if (!page) {
    // What the page before is still loading is not shown over this.
    number++;
    loading = false;
    document.title = "There is no such page – Weir";
    show(notice);
    show(main, h("h1", { tabindex: "-1" }, "There is no such page"), h("p", null, h("a", { href: "#/" }, "Go to the overview")));
    if (before) main.querySelector("h1").focus();
    return;
  }
  document.title = `${page.title(route)} – Weir`;
  const isOther = before?.path !== route.path;
  if (isOther) show(main, h("p", { class: "muted", role: "status" }, "Loading …"));
  await draw();
  if (isOther && before) {
    scrollTo(0, 0);
    main.querySelector("h1")?.focus();
  }
}

/** Loads what the page shows and draws it. */
async function draw() {
  const mine = ++number;
  loading = true;
  looksAgain = wanted || isFirst;
  isFirst = false;
  wanted = false;
  try {
    const loaded = await page.load(route);
    if (mine !== number) return;
    show(main, page.view(loaded, route, me));
    data = loaded;
    show(notice);
  } catch (e) {
    if (mine !== number) return;
    if (e.status === 401) return expired();
    failed(e);
  } finally {
    if (mine === number) {
      loading = false;
      shownAt = Date.now();
    }
  }
}

function failed(e) {
  if (!(e.status >= 0)) console.error(e);
  const words = e.status === 404 ? "There is nothing of this name. What was sent a moment ago may still come." : e.message;
  if (data === undefined) {
    show(notice);
    show(main, h("h1", { tabindex: "-1" }, e.status === 404 ? "Not found" : "This cannot be shown now"), h("p", null, sentence(words)),
      h("div", { class: "actions" }, h("button", { type: "button", onclick: draw }, "Try again"), e.status === 400 && h("a", { href: "#" + route.path }, "Without filters"), h("a", { href: "#/" }, "Overview")));
  } else {
    show(notice, h("p", { class: "notice" }, `What is shown is old: ${sentence(words)} The page tries again by itself.`));
  }
}

function told(change) {
  if (change.trouble || change.all || page?.concerns(change, route, data)) wanted = true;
}

/** Draws again when something changed, and now and then for what changes by itself. */
function tick() {
  if (!me || !page || loading || document.hidden || document.getElementById("dialog").open) return;
  const age = Date.now() - shownAt;
  if ((wanted && age >= LEAST_MILLIS) || (looksAgain && age >= COUNTED_MILLIS) || age >= (page.everyMillis?.(data) ?? OFTEN_ENOUGH_MILLIS)) draw();
}

function showWho() {
  show(who, h("span", { id: "live", class: "live " + live, role: "status" }, LIVE[live]),
    h("span", { class: "name" }, ` ${me.name}, ${me.role} `), h("button", { type: "button", onclick: () => leave() }, "Sign out"));
}

function enter(as) {
  ear?.abort();
  me = as;
  nav.hidden = false;
  document.getElementById("nav-rejected").hidden = me.role !== "operator";
  document.getElementById("nav-placement").hidden = !me.placement;
  ear = new AbortController();
  listen(ear.signal, {
    told,
    state: (state) => {
      live = state;
      if (me) showWho();
    },
    ended: expired,
  });
  showWho();
  route = undefined;
  go();
}

/** What was typed into an open form is not thrown away: another token is asked for once the form is closed. */
function expired() {
  const dialog = document.getElementById("dialog");
  if (!dialog.open) return leave(INVALID);
  ear?.abort();
  show(notice, h("p", { class: "notice" }, "The token is not valid any more. Close the form to enter another one."));
  dialog.addEventListener("close", () => leave(INVALID), { once: true });
}

function leave(why) {
  ear?.abort();
  number++;
  loading = false;
  me = undefined;
  nav.hidden = true;
  forgetToken();
  show(who);
  show(notice);
  document.getElementById("dialog").close();
  document.title = "Weir";
  show(main);
  askForToken(main, why, enter);
}

/** So that the answer to an earlier try draws over no later one. */
let beginnings = 0;

async function begin() {
  clearTimeout(beginsAgain);
  const mine = ++beginnings;
  if (!token()) return leave();
  try {
    const known = await get("/whoami");
    if (mine === beginnings) enter(known);
  } catch (e) {
    if (mine !== beginnings) return;
    if (e.status === 401) return leave(INVALID);
    if (e.status === 403) return leave(sentence(e.message));
    show(main, h("h1", null, "This cannot be shown now"), h("p", null, `${sentence(e.message)} The page tries again by itself.`), h("button", { type: "button", onclick: begin }, "Try again"));
    beginsAgain = setTimeout(begin, BEGIN_MILLIS);
  }
}

addEventListener("hashchange", () => {
  if (location.hash !== "#main" && me) go();
});
addEventListener("weir-changed", () => {
  wanted = true;
  shownAt = 0;
});
document.addEventListener("visibilitychange", () => {
  wanted = true;
});
document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  if (me && data !== undefined) show(main, page.view(data, route, me));
});
setInterval(tick, 250);
begin();
