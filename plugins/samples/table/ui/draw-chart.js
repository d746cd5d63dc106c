'use strict';

const CHART = { width: 800, height: 360, left: 64, right: 16, top: 16, bottom: 56 };
const SERIES_COLOURS = 4;

function svg(tag, attributes = {}, children = []) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Returns round axis values that enclose all values and zero. */
function axisSteps(series) {
  let low = 0;
  let high = 0;
  for (const { values } of series)
    for (const value of values) {
      low = Math.min(low, value ?? 0);
      high = Math.max(high, value ?? 0);
    }
  if (low === high) high = 1;
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough);
  const first = Math.floor(low / step);
  const count = Math.ceil(high / step) - first;
  return Array.from({ length: count + 1 }, (_, index) => (first + index) * step);
}

/** Draws a bar or line chart of `{ kind, label, labels, series: [{ name, values }] }`. */
function drawChart({ kind, labels, series }, description) {
  const steps = axisSteps(series);
  const [low, high] = [steps[0], steps.at(-1)];
  const inner = {
    width: CHART.width - CHART.left - CHART.right,
    height: CHART.height - CHART.top - CHART.bottom,
  };
  const y = (value) => CHART.top + inner.height * (1 - (value - low) / (high - low));
  const band = inner.width / Math.max(1, labels.length);
  const x = (index) => CHART.left + band * (index + 0.5);
  const axes = steps.flatMap((step) => [
    svg('line', {
      class: 'axis',
      x1: CHART.left,
      x2: CHART.width - CHART.right,
      y1: y(step),
      y2: y(step),
    }),
    svg('text', { x: CHART.left - 8, y: y(step) + 4, 'text-anchor': 'end' }, [compact(step)]),
  ]);
  const draw = kind === 'line' ? lineMarks : barMarks;
  const marks = series.flatMap((one, index) =>
    draw(one, { index, count: series.length, x, y, band }),
  );
  // Shows as many labels as fit.
  const every = Math.max(1, Math.ceil(90 / band));
  const names = labels.flatMap((label, index) =>
    index % every === 0
      ? [
          svg(
            'text',
            { x: x(index), y: CHART.height - CHART.bottom + 20, 'text-anchor': 'middle' },
            [label.length > 14 ? `${label.slice(0, 13)}…` : label],
          ),
        ]
      : [],
  );
  const box = `0 0 ${CHART.width} ${CHART.height}`;
  const attributes = { class: 'chart', viewBox: box, role: 'img', 'aria-label': description };
  return svg('svg', attributes, [...axes, ...marks, ...names]);
}

const compact = (value) =>
  new Intl.NumberFormat(document.documentElement.lang, {
    notation: 'compact',
    maximumFractionDigits: 2,
  }).format(value);

const colourOf = (index) => `series-${index % SERIES_COLOURS}`;

function barMarks({ values }, { index, count, x, y, band }) {
  const width = Math.max(1, (band * 0.8) / count);
  return values.flatMap((value, at) => {
    if (value === null) return [];
    const [top, bottom] = [y(Math.max(0, value)), y(Math.min(0, value))];
    const left = x(at) - (width * count) / 2 + width * index;
    return [
      svg('rect', {
        class: `mark ${colourOf(index)}`,
        x: left,
        y: top,
        width: Math.max(1, width - 1),
        height: bottom - top,
      }),
    ];
  });
}

/** A missing value interrupts the line. */
function lineMarks({ values }, { index, x, y }) {
  let path = '';
  let isOpen = false;
  values.forEach((value, at) => {
    if (value !== null) path += `${isOpen ? 'L' : 'M'}${x(at)} ${y(value)}`;
    isOpen = value !== null;
  });
  const dots = values.flatMap((value, at) =>
    value === null
      ? []
      : [svg('circle', { class: `mark ${colourOf(index)}`, cx: x(at), cy: y(value), r: 3 })],
  );
  return [svg('path', { class: `stroke ${colourOf(index)}`, d: path }), ...dots];
}

/** Adds a legend if there are several series. */
function chartLegend(series) {
  const items = series.map(({ name }, index) =>
    PluginPage.element('li', {}, [
      svg('svg', { viewBox: '0 0 12 12', 'aria-hidden': 'true' }, [
        svg('rect', { class: `mark ${colourOf(index)}`, width: 12, height: 12 }),
      ]),
      name,
    ]),
  );
  return PluginPage.element('ul', { class: 'legend' }, items);
}
