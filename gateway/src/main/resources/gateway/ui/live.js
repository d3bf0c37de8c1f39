// Hears what changes. A browser's EventSource cannot send a token, so the stream is read with fetch.

import { request } from "./api.js";

const AGAIN_MILLIS = 3000;
const SILENT_MILLIS = 30000;
/** When as many listen as may. */
const FULL_SECONDS = 10;
const ALL = { tasks: [], more_tasks: true, pools: [], pilots: true, all: true };

/**
 * Listens until the signal ends it, while the page is seen: a browser has six connections to an address, and hidden tabs must leave them to the one that is seen.
 * told(change) for each change; state("live" | "waiting" | "full") when the stream comes, goes, or is one too many; ended(failure) when the token is not valid any more.
 */
export async function listen(signal, { told, state, ended }) {
  let hasMissed = false;
  const begun = () => {
    state("live");
    if (hasMissed) told(ALL);
  };
  while (await seen(signal)) {
    let without = "waiting";
    let pause = AGAIN_MILLIS;
    try {
      await read(signal, told, begun);
    } catch (e) {
      if (e.status === 401 || e.status === 403) return ended(e);
      if (e.status === 503) {
        without = "full";
        pause = Math.max(FULL_SECONDS, e.retrySeconds) * 1000;
      }
    }
    if (signal.aborted) return;
    state(without);
    hasMissed = true;
    if (!document.hidden) await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** Waits until the page is seen; false when the signal came. */
function seen(signal) {
  return new Promise((resolve) => {
    const look = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener("visibilitychange", look);
      signal.removeEventListener("abort", look);
      resolve(!signal.aborted);
    };
    document.addEventListener("visibilitychange", look);
    signal.addEventListener("abort", look);
    look();
  });
}

async function read(signal, told, begun) {
  const quiet = new AbortController();
  const stop = () => quiet.abort();
  const hide = () => document.hidden && stop();
  signal.addEventListener("abort", stop);
  document.addEventListener("visibilitychange", hide);
  let timer;
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(stop, SILENT_MILLIS);
  };
  try {
    heard();
    const response = await request("/events", { signal: quiet.signal, headers: { Accept: "text/event-stream" } });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    begun();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop();
      for (const block of blocks) {
        const data = block.split("\n").find((line) => line.startsWith("data: "));
        if (data) told(JSON.parse(data.slice(6)));
      }
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    document.removeEventListener("visibilitychange", hide);
  }
}
