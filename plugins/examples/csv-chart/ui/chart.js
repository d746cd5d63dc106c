'use strict';

const rowHeight = 26;
const [labelWidth, barWidth, valueWidth] = [180, 420, 100];

function svg(tag, attributes, text = '') {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.textContent = text;
  return made;
}

const shortened = (text) => (text.length > 24 ? `${text.slice(0, 23)}…` : text);

/**
 * Draws a bar for each point, with its label on the left and its value on the right; negative
 * values have no bar.
 */
function barChart({ points, title }) {
  const largest = Math.max(...points.map(({ value }) => value), Number.MIN_VALUE);
  const width = labelWidth + barWidth + valueWidth;
  const height = points.length * rowHeight;
  const chart = svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': title });
  points.forEach(({ label, value }, row) => {
    const length = Math.max(1, (Math.max(value, 0) / largest) * barWidth);
    const [y, middle] = [row * rowHeight + 4, row * rowHeight + rowHeight / 2 + 4];
    chart.append(
      svg('text', { x: labelWidth - 8, y: middle, 'text-anchor': 'end' }, shortened(label)),
      svg('rect', { x: labelWidth, y, width: length, height: rowHeight - 8, rx: 3 }),
      svg('text', { x: labelWidth + length + 8, y: middle }, PluginPage.number(value)),
    );
  });
  return chart;
}
