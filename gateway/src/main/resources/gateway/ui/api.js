// Requests to the gateway. The token is kept for this tab only, and never stands in an address.

import { sentence } from "./format.js";

const KEY = "weir.token";
const WAIT_SECONDS = 20;
const LONGEST_SECONDS = 60;
/** With which the gateway says that it has sent nothing. Of 503 it depends on the reason. */
const NOT_SENT = [401, 413, 415, 429];
const NOT_SENT_503 = ["Too many requests wait", "No audit log", "Token refused", "Too many large bodies", "Database slow", "No queues"];

/** An answer that is a problem, or none at all (status 0). It may be asked again after retrySeconds; 0 when that is not known. */
export class Failure extends Error {
  constructor(status, problem, retrySeconds = 0) {
    super(problem.detail ?? problem.title ?? "The gateway answered " + status);
    this.status = status;
    this.title = problem.title ?? "No answer";
    this.retrySeconds = retrySeconds;
  }
}

export function token() {
  return sessionStorage.getItem(KEY);
}

export function keepToken(text) {
  sessionStorage.setItem(KEY, text);
}

export function forgetToken() {
  sessionStorage.removeItem(KEY);
}

/** Gives up after a minute, unless the options have a signal of their own. */
export async function request(path, options = {}, given = token()) {
  let response;
  try {
    response = await fetch(path, { signal: AbortSignal.timeout(LONGEST_SECONDS * 1000), ...options, credentials: "omit", headers: { ...options.headers, Authorization: `Bearer ${given}` } });
  } catch (e) {
    throw unanswered(e);
  }
  if (response.status >= 400) throw new Failure(response.status, await problem(response), Number(response.headers.get("Retry-After")) || 0);
  return response;
}

function unanswered(e) {
  if (["AbortError", "SyntaxError"].includes(e.name)) return e;
  const how = e.name === "TimeoutError" ? `has not answered within ${LONGEST_SECONDS} s` : "does not answer";
  return new Failure(0, { title: "No answer", detail: `The gateway ${how}. See whether it runs (./weir gateway), and whether this machine reaches it.` });
}

async function problem(response) {
  try {
    return await response.json();
  } catch {
    return { title: `The gateway answered ${response.status}` };
  }
}

export async function get(path) {
  const response = await request(path);
  if (response.status === 204) return null;
  try {
    return await response.json();
  } catch (e) {
    throw unanswered(e);
  }
}

/** The path with the parameters that have a value. */
export function withQuery(path, parameters) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value);
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

/**
 * Sends a change and gives its outcome: {applied, failed?, isOpen?, text}; what is open may be sent again. A command that is sent twice with one key acts once; what is posted is not a command, and nothing is waited for.
 * The body is an object, or text as it is.
 * What is direct is answered when it is done, without a wait; other things are waited for for so many seconds. done says what was done, and may be a function of the answer.
 * What is to happen once, and has no key that the queues know, is not offered again when it may have been sent.
 * A command that is sent again may have been taken before, when its answer was lost; what came of it then is not in the answer to the second.
 */
export async function change(path, body, key, { method = "PUT", direct = false, done = "Done. Weir has applied it.", again = false, once = false, wait = WAIT_SECONDS }) {
  try {
    const response = await request(method === "PUT" && !direct ? `${path}?wait=${wait}` : path, {
      method,
      headers: { ...(body && { "Content-Type": "application/json" }), "Idempotency-Key": key },
      body: typeof body === "object" ? JSON.stringify(body) : body,
    });
    return response.status === 200
      ? { applied: true, text: typeof done === "function" ? done(await response.json()) : done }
      : { applied: false, text: `Sent, but Weir has not answered within ${wait} s. It may still be applied: look again in a minute.` };
  } catch (e) {
    if (again && e.status === 409 && e.message.endsWith("was taken before")) return { applied: false, text: "Weir took it when it was sent first. The page shows whether it was applied." };
    const how = e.status === 409 ? (direct ? "Not now: " : "Ignored: ") : e.status === 422 || e.status === 400 ? "Refused: " : e.status === 403 ? "Not allowed: " : e.status === 404 ? "Not found: " : "";
    if (how) return { applied: false, failed: true, text: how + e.message };
    const isNotSent = NOT_SENT.includes(e.status) || (e.status === 503 && NOT_SENT_503.includes(e.title));
    if (once && !isNotSent) return { applied: false, failed: true, text: `It is not known whether this was done: ${sentence(e.message)} Look at the page before you do it again.` };
    // Without an answer of Weir it may have been sent. The same key sends it again without harm.
    return { applied: false, failed: true, isOpen: true, text: (isNotSent ? "Not sent: " : "It is not known whether this was sent: ") + e.message };
  }
}
