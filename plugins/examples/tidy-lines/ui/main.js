'use strict';

const find = (id) => document.getElementById(id);
const call = PluginPage.runner({
  run: find('pick'),
  cancel: find('cancel'),
  progress: find('progress'),
  error: find('error'),
});

/** What the person chose; null when the dialog was cancelled. */
async function chosen(ask) {
  try {
    return await ask();
  } catch (error) {
    if (error.code === PluginPage.cancelledCode) return null;
    throw error;
  }
}

find('pick').addEventListener('click', async () => {
  const file = await chosen(() => PluginClient.pickFile());
  if (file === null) return;
  const output = await PluginClient.createOutput('tidy.txt');
  const result = await call('tidy', { file, output, sort: find('sort').checked });
  if (result === undefined) return;
  await chosen(() => PluginClient.exportOutput(output));
  const { kept, removed } = result;
  find('result').textContent = PluginPage.text('result', {
    kept: PluginPage.number(kept),
    removed: PluginPage.number(removed),
  });
});

void PluginPage.start({ texts, onReady: () => undefined });
