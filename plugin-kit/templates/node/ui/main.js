'use strict';

const find = (id) => document.getElementById(id);
/** The file of the last count; null before the first one. */
let file = null;

const call = PluginPage.runner({
  run: find('pick'),
  cancel: find('cancel'),
  progress: find('progress'),
  error: find('error'),
});

function show({ words, top }) {
  find('total').textContent = PluginPage.text('total', { words: PluginPage.number(words) });
  find('top').replaceChildren(
    ...top.map(({ word, count }) => PluginPage.element('li', { text: `${word}: ${count}` })),
  );
}

find('pick').addEventListener('click', async () => {
  const picked = await PluginPage.chosen(() => PluginClient.pickFile());
  if (picked === null) return;
  const result = await call('count', { file: picked });
  if (result === undefined) return;
  file = picked;
  find('save').disabled = false;
  show(result);
});

find('save').addEventListener('click', async () => {
  const output = await PluginClient.createOutput('words.csv');
  const result = await call('report', { file, output });
  if (result !== undefined) await PluginPage.chosen(() => PluginClient.exportOutput(output));
});

PluginPage.start({ texts, onReady: () => undefined });
