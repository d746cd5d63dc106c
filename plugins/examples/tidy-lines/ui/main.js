'use strict';

const find = (id) => document.getElementById(id);
const call = PluginPage.runner({
  run: find('pick'),
  cancel: find('cancel'),
  progress: find('progress'),
  error: find('error'),
});

find('pick').addEventListener('click', async () => {
  const file = await PluginPage.chosen(() => PluginClient.pickFile());
  if (file === null) return;
  const output = await PluginClient.createOutput('tidy.txt');
  const result = await call('tidy', { file, output, sort: find('sort').checked });
  if (result === undefined) return;
  await PluginPage.chosen(() => PluginClient.exportOutput(output));
  const { kept, removed } = result;
  find('result').textContent = PluginPage.text('result', {
    kept: PluginPage.number(kept),
    removed: PluginPage.number(removed),
  });
});

void PluginPage.start({ texts, onReady: () => undefined });
