// Jobs per second, and ranks, over time.

import uPlot from "./uplot.js";
import { h } from "./dom.js";
import { number, rank, rate, span } from "./format.js";

const HEIGHT = 170;
const COLOURS = ["--series-1", "--series-2", "--series-3", "--series-4", "--series-5", "--series-6", "--series-7", "--series-8"];
const WHOLE = Array.from({ length: 8 }, (_, i) => 10 ** i).flatMap((n) => [n, 2 * n, 5 * n]);
/** Between times, in seconds: a shorter step would show the same time twice. */
const SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200];
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const dark = matchMedia("(prefers-color-scheme: dark)");

const time = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** A chart of histories: [{label, history, of: "ended" | "failed", colour?}], all with the same steps. */
export function chart(title, lines) {
  const shown = lines.filter((line) => line.history);
  if (!shown.length || shown[0].history.ended.length < 3) {
    return h("p", { class: "muted" }, "No history yet: the gateway counts while it runs, in steps of ten seconds.");
  }
  const { from, step_s: step } = shown[0].history;
  const start = Date.parse(from) / 1000;
  // The last step is not over: as a rate it would look like a fall. A line needs two points.
  const length = shown[0].history.ended.length - 1;
  const x = Array.from({ length }, (_, i) => start + (i + 1) * step);
  const data = [x, ...shown.map((line) => line.history[line.of].slice(0, length).map((n) => n / step))];
  const names = shown.map((line, i) => line.colour ?? COLOURS[i]);
  const words = shown.map((line, i) => `${line.label}: now ${rate(data[i + 1][length - 1])}, at most ${rate(Math.max(...data[i + 1]))} jobs per second`);
  const place = h("div", {
    class: "chart", key: "chart " + title, "data-draw": true, role: "img",
    "aria-label": `${title}, the last ${span(length * step)}. ${words.join(". ")}.`,
    draw: (element) => draw(element, data, shown.map((line) => line.label), names),
  });
  return h("figure", null, place, h("figcaption", { class: "legend" }, shown.map((line, i) =>
    h("span", { key: line.label }, h("i", { class: "swatch " + names[i].slice(2), "aria-hidden": "true" }), `${line.label} ${rate(data[i + 1][length - 1])}/s`))));
}

/** How a rank changed: {from, step_s, ended, rank: [{at, rank}]}, on the time of the chart of the same history. */
export function rankChart(history) {
  const points = history.rank;
  if (points.length < 2 || history.ended.length < 2) return null;
  const times = points.map((point) => Date.parse(point.at) / 1000);
  // A rank holds until the next one: the line goes in steps.
  const x = times.flatMap((at, i) => (i ? [at, at] : [at])).concat(Date.now() / 1000);
  const y = points.flatMap((point, i) => (i ? [points[i - 1].rank, point.rank] : [point.rank])).concat(points.at(-1).rank);
  const [low, high] = [Math.min(...y), Math.max(...y)];
  return h("figure", null, h("div", {
    class: "chart", key: "chart rank", "data-draw": true, role: "img",
    "aria-label": `Rank, the last ${span(x.at(-1) - x[0])}: now ${rank(points.at(-1).rank)}, from ${rank(low)} to ${rank(high)}.`,
    draw: (element) => draw(element, [x, y], ["rank"], ["--series-2"], { words: String }),
  }), h("figcaption", { class: "legend" }, h("span", null, h("i", { class: "swatch series-2", "aria-hidden": "true" }), `rank ${rank(points.at(-1).rank)}`)));
}

/**
 * Figures that the page has gathered: at is in seconds, lines are [{label, values, colour}].
 * Whole ones are counts, others are per second.
 */
export function figures(title, at, lines, isWhole) {
  const words = (n) => (isWhole ? number(n) : `${rate(n)}/s`);
  const options = isWhole ? { words: (tick) => compact.format(tick), incrs: WHOLE, least: 1, steps: SECONDS } : { steps: SECONDS };
  return h("figure", null, h("div", {
    class: "chart", key: "chart " + title, "data-draw": true, role: "img",
    "aria-label": `${title}, the last ${span(at.at(-1) - at[0])}. ${lines.map((line) => `${line.label}: now ${words(line.values.at(-1))}, at most ${words(Math.max(...line.values))}`).join(". ")}.`,
    draw: (element) => draw(element, [at, ...lines.map((line) => line.values)], lines.map((line) => line.label), lines.map((line) => line.colour), options),
  }), h("figcaption", { class: "legend" }, lines.map((line) => h("span", { key: line.label }, h("i", { class: "swatch " + line.colour.slice(2), "aria-hidden": "true" }), `${line.label} ${words(line.values.at(-1))}`))));
}

function draw(element, data, labels, names, { words = (tick) => `${tick}/s`, incrs, least = 0.1, steps } = {}) {
  const look = labels.join("\n") + dark.matches;
  if (element.plot && element.look === look) {
    element.plot.setData(data);
    return;
  }
  element.plot?.destroy();
  element.look = look;
  const axis = { stroke: colour("--muted"), grid: { stroke: colour("--line"), width: 1 }, ticks: { stroke: colour("--line"), width: 1 }, font: "12px system-ui" };
  element.plot = new uPlot({
    width: Math.max(200, element.clientWidth), height: HEIGHT, padding: [8, 32, 0, 0], legend: { show: false }, cursor: { show: false },
    scales: { y: { range: (plot, min, max) => [0, Math.max(max * 1.1, least)] } },
    axes: [{ ...axis, space: 80, ...(steps && { incrs: steps }), values: (plot, ticks) => ticks.map((tick) => time.format(tick * 1000)) }, { ...axis, size: 56, ...(incrs && { incrs }), values: (plot, ticks) => ticks.map((tick) => (tick ? words(tick) : "0")) }],
    series: [{}, ...labels.map((label, i) => ({ label, stroke: colour(names[i]), width: 2, points: { show: data[0].length < 3 } }))],
  }, data, element);
  element.watcher ??= new ResizeObserver(() => element.plot.setSize({ width: Math.max(200, element.clientWidth), height: HEIGHT }));
  element.watcher.observe(element);
  // The window knows of the plot, and would keep it.
  element.end = () => {
    element.watcher.disconnect();
    element.plot.destroy();
  };
}
