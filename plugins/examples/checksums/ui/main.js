'use strict';

const find = (id) => document.getElementById(id);
const call = PluginPage.runner({
  run: find('pick'),
  cancel: find('cancel'),
  progress: find('progress'),
  error: find('error'),
});

/** Nobody reads a longer list on a page. */
const shownFiles = 200;

find('pick').addEventListener('click', async () => {
  const folder = await PluginPage.chosen(() => PluginClient.pickDirectory());
  if (folder === null) return;
  const result = await call('checksums', { folder });
  if (result === undefined) return;
  const { files, bytes } = result;
  find('result').textContent = PluginPage.text('result', {
    count: PluginPage.number(files.length),
    bytes: PluginPage.number(bytes),
  });
  find('files').replaceChildren(
    ...files
      .slice(0, shownFiles)
      .map(({ name, sha256 }) => PluginPage.element('li', { text: `${sha256} ${name}` })),
  );
});

void PluginPage.start({ texts, onReady: () => undefined });
