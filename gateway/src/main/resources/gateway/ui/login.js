// Asks for the token.

import { Failure, keepToken, request } from "./api.js";
import { h, show } from "./dom.js";

/** Shows the question in an element; entered(me) when a token was given that may read. */
export function askForToken(element, why, entered) {
  const problem = h("p", { id: "token-problem", class: "bad-text", role: "alert" }, why);
  const input = h("input", { id: "token", name: "token", type: "password", required: true, autocomplete: "off", spellcheck: "false", "aria-describedby": "token-help token-problem" });
  const enter = async (event) => {
    event.preventDefault();
    problem.textContent = "";
    const text = input.value.trim();
    try {
      if (!/^[!-~]+$/.test(text)) throw new Failure(400, { detail: "This is no token: one has only letters, digits and signs of ASCII, and no blanks. Copy it again." });
      const me = await (await request("/whoami", {}, text)).json();
      if (["pilot", "worker", "feeder", "ranker"].includes(me.role)) throw new Failure(403, { detail: `This is the token of a ${me.role}, which may not look at tasks. Take one of role viewer, wfms or operator.` });
      keepToken(text);
      entered(me);
    } catch (e) {
      problem.textContent = e.message ?? String(e);
      input.focus();
    }
  };
  element.replaceChildren(h("section", { class: "login", "aria-labelledby": "login-title" }, h("h1", { id: "login-title" }, "Weir"),
    h("form", { onsubmit: enter }, h("label", { for: "token" }, "Token"), input,
      h("p", { id: "token-help", class: "muted" }, "./weir up and ./weir demo print one. Elsewhere an operator makes one: ./weir gateway token --name NAME --role viewer. It stays in this tab until you close it."),
      problem, h("button", { type: "submit", class: "primary" }, "Show"))));
  input.focus();
}
