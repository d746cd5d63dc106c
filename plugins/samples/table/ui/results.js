'use strict';

/** Renders the panel for each kind of result. */
const RESULTS = {
  query({ columns, rows, truncated }) {
    const { text, number, element } = PluginPage;
    if (rows.length === 0) return [element('p', { class: 'hint', text: text('noRows') })];
    const count = number(rows.length);
    const told = text(truncated ? 'firstRows' : 'rows', { count });
    return [element('p', { class: 'hint', role: 'status', text: told }), rowTable(columns, rows)];
  },

  chart(chart) {
    const { text, number, element } = PluginPage;
    const description = text('chartOf', {
      kind: text(chart.kind),
      series: chart.series.map(({ name }) => name).join(', '),
      label: chart.label,
      count: number(chart.labels.length),
    });
    const columns = [chart.label, ...chart.series.map(({ name }) => name)];
    const rows = chart.labels.map((label, at) => [
      label,
      ...chart.series.map(({ values }) => values[at]),
    ]);
    return [
      chartLegend(chart.series),
      drawChart(chart, description),
      element('details', {}, [
        element('summary', { text: text('values') }),
        rowTable(columns, rows),
      ]),
    ];
  },

  clean({ rowsBefore, rows, changes, columns, preview }) {
    const { text, number, element } = PluginPage;
    const counts = Object.entries(changes).map(([name, count]) => [name, number(count)]);
    const before = number(rowsBefore);
    return [
      element('p', { role: 'status', text: text('cleaned', { before, rows: number(rows) }) }),
      element('p', { class: 'hint', text: text('changes', Object.fromEntries(counts)) }),
      rowTable(columns, preview),
    ];
  },
};

/** Only columns of numbers are aligned to the right. */
function rowTable(columns, rows) {
  const { element } = PluginPage;
  const isNumeric = columns.map((_, at) =>
    rows.every((row) => row[at] === null || typeof row[at] === 'number'),
  );
  const kindOf = (at) => (isNumeric[at] ? { class: 'number' } : {});
  const head = columns.map((name, at) =>
    element('th', { scope: 'col', text: name, ...kindOf(at) }),
  );
  const body = rows.map((row) =>
    element(
      'tr',
      {},
      row.map((value, at) =>
        element('td', { text: value === null ? '' : String(value), ...kindOf(at) }),
      ),
    ),
  );
  const table = element('table', {}, [
    element('thead', {}, [element('tr', {}, head)]),
    element('tbody', {}, body),
  ]);
  const label = PluginPage.text('result');
  const attributes = { class: 'scrolled', tabindex: '0', role: 'region', 'aria-label': label };
  return element('div', attributes, [table]);
}
