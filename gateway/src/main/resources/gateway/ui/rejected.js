// Messages that Weir rejected.

import { get, request } from "./api.js";
import { ask, sayFailed } from "./actions.js";
import { h } from "./dom.js";
import { count, number } from "./format.js";
import { table, when } from "./parts.js";

const SHOWN = 100;
/** In which a browser begins to save a file. */
const SAVE_MILLIS = 60000;

export const title = () => "Rejected messages";
export const load = () => get(`/rejected?limit=${SHOWN}`);
export const concerns = () => false;

/** One message may be there several times, with one id. */
function keys(messages) {
  const seen = new Map();
  return messages.map(({ id }) => {
    seen.set(id, (seen.get(id) ?? 0) + 1);
    return `${id} ${seen.get(id)}`;
  });
}

export function view({ data, messages }, route, me) {
  const keyOf = keys(data);
  return [
    h("h1", { tabindex: "-1" }, "Rejected messages"),
    h("p", { class: "muted" }, messages > data.length ? `The oldest ${number(data.length)} of ${count(messages, "message")}; ./weir rejected list --limit 1000 shows more.` : `${count(messages, "message")}, the oldest first.`),
    table("Rejected messages", [["Reason", "wide"], ["Came"], ["On"], ["Bytes", "n"], ["It begins", "wide"], ["Actions"]], data.map((message, i) => ({
      key: keyOf[i],
      cells: [
        [message.reason, message.field && h("div", { class: "small muted" }, "field ", h("code", null, message.field))],
        when(message.received_at), message.queue, [number(message.bytes), message.cut && h("div", { class: "small" }, "cut")], h("code", null, message.begin),
        me.scope ? "–" : h("div", { class: "actions" },
          h("button", { type: "button", "aria-label": `Send message ${i + 1} again`, onclick: (event) => again(message, event.currentTarget) }, "Send again"),
          h("button", { type: "button", "aria-label": `Download message ${i + 1}`, onclick: () => download(message) }, "Download"),
          h("button", { type: "button", class: "danger", "aria-label": `Drop message ${i + 1}`, onclick: () => drop(message) }, "Drop")),
      ],
    })), "No message was rejected, or all were sent again or dropped."),
  ];
}

/** Calls use with the answer that has the whole message; a failure is said. What comes late takes the place of nothing that was opened meanwhile. */
async function withWhole(message, title, use) {
  const from = location.hash;
  const isLate = () => location.hash !== from || document.getElementById("dialog").open;
  try {
    const whole = await request(`/rejected/${message.id}`);
    if (!isLate()) await use(whole);
  } catch (e) {
    if (!isLate()) sayFailed(title, e);
  }
}

const download = (message) => withWhole(message, "The message cannot be downloaded", async (whole) => {
  const address = URL.createObjectURL(await whole.blob());
  h("a", { href: address, download: message.id + ".json" }).click();
  setTimeout(() => URL.revokeObjectURL(address), SAVE_MILLIS);
});

function drop(message) {
  ask({
    word: "Drop", title: "Drop a rejected message", path: `/rejected/${message.id}`, method: "DELETE", danger: true, done: "Dropped.",
    says: `It was rejected because ${message.reason.replace(/[.]$/, "")}. It is deleted and cannot be had back: download it before, if somebody may want it.`,
  });
}

/** Shows the whole message, to be sent as it is or corrected. */
async function again(message, button) {
  button.disabled = true;
  await withWhole(message, "The message cannot be sent again", async (whole) => askForIt(message, await whole.text()));
  button.disabled = false;
}

function askForIt(message, text) {
  ask({
    word: "Send again", title: "Send a rejected message again", path: `/rejected/${message.id}/resend`, method: "POST", done: "Sent. If something is still wrong with it, it comes back as rejected.",
    says: `It was rejected because ${message.reason.replace(/[.]$/, "")}. It goes to ${message.queue} as it stands below, and leaves the rejected messages.${message.cut ? " Only its begin is here: put the whole message in its place." : ""}`,
    fields: [{ name: "message", label: "The message", area: true, text: true, value: text }],
    bodyOf: ({ message: now }) => (now.replaceAll("\r\n", "\n") === text ? undefined : now),
  });
}
