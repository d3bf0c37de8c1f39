// Hears what changes. A browser's EventSource cannot send a token, so the stream is read with fetch.

import { request } from "./api.js";

const AGAIN_MILLIS = 3000;
const SILENT_MILLIS = 30000;

/**
 * Listens until the signal ends it.
 * told(change) for each change; state("live" | "waiting") when the stream comes or goes; ended(failure) when the token is not valid any more.
 */
export async function listen(signal, { told, state, ended }) {
  while (!signal.aborted) {
    try {
      await read(signal, told, state);
    } catch (e) {
      if (e.status === 401 || e.status === 403) return ended(e);
    }
    if (signal.aborted) return;
    state("waiting");
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MILLIS));
    // What came meanwhile was missed.
    told({ tasks: [], more_tasks: true, pools: [], pilots: true, all: true });
  }
}

async function read(signal, told, state) {
  const quiet = new AbortController();
  const stop = () => quiet.abort();
  signal.addEventListener("abort", stop);
  let timer;
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(stop, SILENT_MILLIS);
  };
  try {
    heard();
    const response = await request("/events", { signal: quiet.signal, headers: { Accept: "text/event-stream" } });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    state("live");
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
  }
}
