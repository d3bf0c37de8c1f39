// Numbers and times for people.

const whole = new Intl.NumberFormat("en");
const decimal = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

export function number(n) {
  return n === undefined || n === null ? "–" : whole.format(n);
}

export function count(n, one, many = one + "s") {
  return `${number(n)} ${n === 1 ? one : many}`;
}

export function rate(perSecond) {
  if (!perSecond) return "0";
  if (perSecond >= 10) return whole.format(Math.round(perSecond));
  return perSecond >= 0.05 ? decimal.format(perSecond) : "< 0.1";
}

export function percent(share) {
  if (share === undefined) return "–";
  if (share > 0 && share < 0.01) return "< 1 %";
  return share > 0.99 && share < 1 ? "> 99 %" : `${Math.round(share * 100)} %`;
}

export function rank(r) {
  return decimal.format(r);
}

export function bytes(n) {
  if (n === undefined) return "–";
  if (n < 1e6) return n < 1e3 ? `${n} B` : `${decimal.format(n / 1e3)} kB`;
  return n >= 1e9 ? `${decimal.format(n / 1e9)} GB` : `${decimal.format(n / 1e6)} MB`;
}

/** As "3 min ago". */
export function ago(time) {
  if (!time) return "never";
  return span((Date.now() - Date.parse(time)) / 1000, " ago", "in ");
}

export function span(seconds, after = "", before = "") {
  const s = Math.abs(seconds);
  const text = s < 1.5 ? "1 s" : s < 120 ? `${Math.round(s)} s` : s < 7200 ? `${Math.round(s / 60)} min` : s < 172800 ? `${Math.round(s / 3600)} h` : `${Math.round(s / 86400)} days`;
  if (seconds < -2 && before) return before + text;
  return text + after;
}

const UNITS = [[86400, "day"], [3600, "h"], [60, "min"], [1, "s"]];

/** A time that was set, as it was set: 90 min, not 2 h. */
export function exactly(seconds) {
  const [size, unit] = UNITS.find(([one]) => seconds > 0 && seconds % one === 0) ?? UNITS.at(-1);
  return unit === "day" ? count(seconds / size, "day") : `${number(seconds / size)} ${unit}`;
}

/** The full local time. */
export function clock(time) {
  return time ? new Date(time).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" }) : "–";
}

export function capital(text) {
  return text ? text[0].toUpperCase() + text.slice(1) : "";
}

/** Ends with a full stop. */
export function sentence(text) {
  return capital(text) + (/[.!?]$/.test(text) ? "" : ".");
}

/** The last part of an address. */
export function fileName(url) {
  return url?.slice(url.lastIndexOf("/") + 1);
}
