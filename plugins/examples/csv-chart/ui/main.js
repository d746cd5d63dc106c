'use strict';

const find = (id) => document.getElementById(id);
const call = PluginPage.runner({
  run: find('pick'),
  cancel: find('cancel'),
  progress: find('progress'),
  error: find('error'),
});

/** The file of the chart; null before the first one. */
let file = null;

function fill(select, names, selected) {
  select.replaceChildren(
    ...names.map((name) => PluginPage.element('option', { value: name, text: name })),
  );
  select.value = selected;
  select.disabled = false;
}

async function draw(choice) {
  const result = await call('series', { file, ...choice });
  if (result === undefined) return undefined;
  const title = PluginPage.text('chart', result);
  find('chart').replaceChildren(barChart({ points: result.points, title }));
  find('chart').hidden = false;
  return result;
}

find('pick').addEventListener('click', async () => {
  const picked = await PluginPage.chosen(() => PluginClient.pickFile());
  if (picked === null) return;
  const columns = await call('columns', { file: picked });
  if (columns === undefined) return;
  file = picked;
  const drawn = await draw({});
  if (drawn === undefined) return;
  const names = columns.map(({ name }) => name);
  fill(find('label'), names, drawn.label);
  fill(
    find('value'),
    columns.filter(({ hasNumbers }) => hasNumbers).map(({ name }) => name),
    drawn.value,
  );
});
for (const id of ['label', 'value'])
  find(id).addEventListener('change', () =>
    draw({ label: find('label').value, value: find('value').value }),
  );

void PluginPage.start({ texts, onReady: () => undefined });
