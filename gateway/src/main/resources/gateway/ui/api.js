// Requests to the gateway. The token is kept for this tab only, and never stands in an address.

const KEY = "weir.token";
const WAIT_SECONDS = 20;

/** An answer that is a problem, or none at all (status 0). */
export class Failure extends Error {
  constructor(status, problem) {
    super(problem.detail ?? problem.title ?? "The gateway answered " + status);
    this.status = status;
    this.title = problem.title ?? "No answer";
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

export async function request(path, options = {}, given = token()) {
  let response;
  try {
    response = await fetch(path, { ...options, credentials: "omit", headers: { ...options.headers, Authorization: `Bearer ${given}` } });
  } catch (e) {
    if (e.name === "AbortError") throw e;
    throw new Failure(0, { title: "No answer", detail: "The gateway does not answer. See whether it runs (./weir gateway), and whether this machine reaches it." });
  }
  if (response.status >= 400) throw new Failure(response.status, await problem(response));
  return response;
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
  return response.status === 204 ? null : response.json();
}

/** The path with the parameters that have a value. */
export function withQuery(path, parameters) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value);
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

/**
 * Sends a change and gives its outcome: {applied, text}. A command that is sent twice with one key acts once; what is posted is not a command, and nothing is waited for.
 * The body is an object, or text as it is.
 * What is direct is answered when it is done, without a wait. done says what was done, and may be a function of the answer.
 * A command that is sent again may have been taken before, when its answer was lost; what came of it then is not in the answer to the second.
 */
export async function change(path, body, key, { method = "PUT", direct = false, done = "Done. Weir has applied it.", again = false }) {
  try {
    const response = await request(method === "PUT" && !direct ? `${path}?wait=${WAIT_SECONDS}` : path, {
      method,
      headers: { ...(body && { "Content-Type": "application/json" }), "Idempotency-Key": key },
      body: typeof body === "object" ? JSON.stringify(body) : body,
    });
    return response.status === 200
      ? { applied: true, text: typeof done === "function" ? done(await response.json()) : done }
      : { applied: false, text: `Sent, but Weir has not answered within ${WAIT_SECONDS} s. It may still be applied: look again in a minute.` };
  } catch (e) {
    if (again && e.status === 409 && e.message.endsWith("was taken before")) return { applied: false, text: "Weir took it when it was sent first. The page shows whether it was applied." };
    const how = e.status === 409 ? (direct ? "Not now: " : "Ignored: ") : e.status === 422 || e.status === 400 ? "Refused: " : e.status === 403 ? "Not allowed: " : e.status === 404 ? "Not found: " : "";
    // Without an answer of Weir it may have been sent. The same key sends it again without harm.
    return how
      ? { applied: false, failed: true, text: how + e.message }
      : { applied: false, failed: true, unknown: true, text: `It is not known whether this was sent: ${e.message}` };
  }
}
