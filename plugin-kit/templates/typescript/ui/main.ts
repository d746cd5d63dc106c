/// <reference path="./plugin-kit/plugin-client.d.ts" />
/// <reference path="./plugin-kit/page.d.ts" />

declare const texts: { en: Record<string, string>; [language: string]: Record<string, string> };

interface Counted {
  words: number;
  top: { word: string; count: number }[];
}

type FileRef = Awaited<ReturnType<typeof PluginClient.pickFile>>;

const find = <E extends HTMLElement>(id: string): E => document.getElementById(id) as E;
const pick = find<HTMLButtonElement>('pick');
const save = find<HTMLButtonElement>('save');
/** The file of the last count; null before the first one. */
let file: FileRef | null = null;

const call = PluginPage.runner({
  run: pick,
  cancel: find<HTMLButtonElement>('cancel'),
  progress: find<HTMLProgressElement>('progress'),
  error: find('error'),
});

function show({ words, top }: Counted): void {
  find('total').textContent = PluginPage.text('total', { words: PluginPage.number(words) });
  find('top').replaceChildren(
    ...top.map(({ word, count }) => PluginPage.element('li', { text: `${word}: ${count}` })),
  );
}

pick.addEventListener('click', async () => {
  const picked = await PluginPage.chosen(() => PluginClient.pickFile());
  if (picked === null) return;
  const result = (await call('count', { file: picked })) as Counted | undefined;
  if (result === undefined) return;
  file = picked;
  save.disabled = false;
  show(result);
});

save.addEventListener('click', async () => {
  const output = await PluginClient.createOutput('words.csv');
  const result = await call('report', { file, output });
  if (result !== undefined) await PluginPage.chosen(() => PluginClient.exportOutput(output));
});

void PluginPage.start({ texts, onReady: () => undefined });
