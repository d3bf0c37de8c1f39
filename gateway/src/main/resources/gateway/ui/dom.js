// Elements, and how a drawn page becomes the shown one without losing focus, selection or what was typed.

/** Makes an element. Strings are always text: nothing here reads markup. */
export function h(tag, props, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on") || name === "draw") element[name] = value;
    else if (name === "key") element.dataset.key = value;
    else if (name === "grow") element.style.flexGrow = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** Makes the children of an element those that are given, and keeps those that are the same. Where the focus was on one that goes, the heading gets it. */
export function show(element, ...children) {
  const wanted = document.createElement("div");
  append(wanted, children);
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  patchChildren(element, wanted);
  // A browser takes the focus from what moves.
  if (focused && document.activeElement === document.body) (focused.isConnected ? focused : element.querySelector("h1"))?.focus({ preventScroll: true });
}

function patchChildren(have, want) {
  const keyed = new Map();
  const keys = new Set([...want.children].map((child) => child.dataset.key));
  for (const child of [...have.children]) {
    const key = child.dataset.key;
    // Those that go leave first: the others then stay where they are.
    if (key && (!keys.has(key) || keyed.has(key))) take(child);
    else if (key) keyed.set(key, child);
  }
  let at = have.firstChild;
  for (const fresh of [...want.childNodes]) {
    const key = fresh.dataset?.key;
    const old = key ? keyed.get(key) : at;
    // Should two have one key, both are shown.
    keyed.delete(key);
    if (old && isSame(old, fresh)) {
      if (old === at) at = at.nextSibling;
      else have.insertBefore(old, at);
      patch(old, fresh);
    } else {
      have.insertBefore(fresh, at);
    }
    draw(old && isSame(old, fresh) ? old : fresh, fresh);
  }
  while (at) {
    const next = at.nextSibling;
    take(at);
    at = next;
  }
}

/** Takes a node away, and ends what was drawn in it. */
function take(node) {
  node.remove();
  for (const element of [node, ...(node.querySelectorAll?.("[data-draw]") ?? [])]) element.end?.();
}

function isSame(a, b) {
  return a.nodeType === b.nodeType && a.nodeName === b.nodeName && a.dataset?.key === b.dataset?.key && a.id === b.id;
}

function patch(have, want) {
  if (have === want) return;
  if (have.nodeType === Node.TEXT_NODE) {
    if (have.data !== want.data) have.data = want.data;
    return;
  }
  for (const { name } of [...have.attributes]) {
    // A fold that a user opened stays open.
    if (name !== "open" && !want.hasAttribute(name)) have.removeAttribute(name);
  }
  for (const { name, value } of want.attributes) {
    if (have.getAttribute(name) === value) continue;
    if (name === "style") {
      // As an attribute the policy of the page forbids it.
      have.style.cssText = want.style.cssText;
      continue;
    }
    have.setAttribute(name, value);
    // What was typed or chosen gives way only to another page's filter.
    if (name === "value") have.value = value;
    if (name === "selected") have.selected = true;
  }
  for (const name of ["onclick", "onsubmit", "oninput", "onchange"]) have[name] = want[name];
  if (!want.draw) patchChildren(have, want);
}

/** A canvas is drawn when it has its place. */
function draw(shown, fresh) {
  for (const element of [fresh, ...(fresh.querySelectorAll?.("[data-draw]") ?? [])]) {
    if (!element.draw) continue;
    const place = element === fresh ? shown : element;
    if (place.isConnected) element.draw(place);
    else requestAnimationFrame(() => place.isConnected && element.draw(place));
  }
}
