'use strict';

const find = (id) => document.getElementById(id);

const state = {
  task: 'search',
  files: [],
  /** Ways to split the chosen file. */
  ways: [],
  levels: [],
  /** The result in the panel: `{ task, result }`; null before the first run. */
  shown: null,
  connected: false,
};

const call = PluginPage.runner({
  run: find('run'),
  cancel: find('cancel'),
  progress: find('progress'),
  error: find('error'),
  onError: showFailure,
});

/** Shows a failure in the language of the page if it has a text for it. */
function showFailure({ data, message }) {
  const key = `error.${data?.reason}`;
  const values = { ...data };
  if (typeof data?.limit === 'number') values.limit = PluginPage.number(data.limit);
  const text = PluginPage.text(key, values);
  find('error').textContent = text === key ? message : text;
  find('error').hidden = false;
}

/** Returns the person's choice; null if the dialog was cancelled. */
async function chosen(ask) {
  try {
    return await ask();
  } catch (error) {
    if (error.code !== PluginPage.cancelledCode) showFailure(error);
    return null;
  }
}

async function add(ask) {
  const picked = await chosen(ask);
  if (picked === null) return;
  find('error').hidden = true;
  setFiles([...state.files, picked]);
}

function setFiles(files) {
  state.files = files;
  state.shown = null;
  render();
  void fillWays();
}

function fill(select, options) {
  const { value } = select;
  select.replaceChildren(
    ...options.map((one) => PluginPage.element('option', { value: one.value, text: one.label })),
  );
  if (options.some((one) => String(one.value) === value)) select.value = value;
}

/** Loads the ways to split the chosen file from the worker. */
async function fillWays() {
  const file = state.files[Number(find('file').value)];
  if (state.task !== 'split' || file === undefined) return;
  try {
    const [ways, levels] = await Promise.all([
      PluginClient.invoke('splitWays', { file }),
      PluginClient.invoke('headingLevels', { file }),
    ]);
    if (file !== state.files[Number(find('file').value)]) return;
    Object.assign(state, { ways, levels });
    renderWays();
  } catch (error) {
    showFailure(error);
  }
}

/** The labels are those of the page and follow its language. */
function renderWays() {
  const { text, number } = PluginPage;
  const { kind } =
    state.files[Number(find('file').value)]?.name.match(/\.(?<kind>\w+)$/)?.groups ?? {};
  const way = (value) => text(value === 'pages' ? 'byPages' : `byHeadings.${kind?.toLowerCase()}`);
  fill(
    find('by'),
    state.ways.map(({ value }) => ({ value, label: way(value) })),
  );
  fill(
    find('level'),
    state.levels.map(({ value }) => ({ value, label: number(value) })),
  );
  showFields();
}

function showFields() {
  const isSplit = state.task === 'split';
  find('level-field').hidden = !isSplit || find('by').value !== 'headings';
  if (isSplit) find('pages-field').hidden = find('by').value !== 'pages';
}

function fileItem({ name, kind }, index) {
  const { text, element } = PluginPage;
  const up = element('button', {
    type: 'button',
    'aria-label': text('moveUp', { name }),
    text: '↑',
  });
  up.disabled = index === 0;
  up.addEventListener('click', () => {
    const files = state.files.toSpliced(index, 1);
    setFiles(files.toSpliced(index - 1, 0, state.files[index]));
  });
  const label = text('remove', { name });
  const remove = element('button', { type: 'button', 'aria-label': label, text: '×' });
  remove.addEventListener('click', () => setFiles(state.files.toSpliced(index, 1)));
  const shown = kind === 'directory' ? text('folder', { name }) : name;
  return element('li', {}, [element('span', { text: shown }), up, remove]);
}

function render() {
  const { text, element } = PluginPage;
  find('files').replaceChildren(...state.files.map(fileItem));
  find('files').hidden = state.files.length === 0;
  find('clear').hidden = state.files.length === 0;
  const single = state.files.flatMap(({ name, kind }, index) =>
    kind === 'directory' ? [] : [{ value: index, label: name }],
  );
  fill(find('file'), single);
  renderWays();
  const isReady = state.connected && state.files.length > 0;
  find('run').disabled = !isReady || (state.task === 'split' && single.length === 0);
  find('run').textContent = text(`run${state.task[0].toUpperCase()}${state.task.slice(1)}`);
  const parts = state.shown
    ? RESULTS[state.shown.task](state.shown.result)
    : isReady
      ? []
      : [element('p', { class: 'hint', text: text('empty') })];
  find('panel').replaceChildren(...parts);
}

function params() {
  const { files, task } = state;
  const value = (id) => find(id).value.trim();
  const pages = value('pages') === '' ? {} : { pages: value('pages') };
  if (task === 'text') return { files, ...pages };
  if (task === 'merge') return { files, ...(value('name') === '' ? {} : { name: value('name') }) };
  if (task === 'split') {
    const file = files[Number(find('file').value)];
    const by = find('by').value;
    return by === 'pages' ? { file, by, ...pages } : { file, by, level: Number(value('level')) };
  }
  return {
    files,
    query: find('query').value,
    caseSensitive: find('case-sensitive').checked,
    wholeWords: find('whole-words').checked,
  };
}

async function run() {
  if (find('run').disabled) return;
  const { task } = state;
  if (task === 'search' && find('query').value.trim() === '') {
    find('query').focus();
    return;
  }
  const isSaved = task === 'split' || task === 'merge';
  const asked = params();
  if (isSaved) asked.output = await PluginClient.createOutput('documents');
  const result = await call(task, asked);
  if (result === undefined || task !== state.task) return;
  state.shown = { task, result };
  render();
  if (isSaved) await chosen(() => PluginClient.exportOutput(asked.output));
}

function select(task) {
  state.task = task;
  state.shown = null;
  find('error').hidden = true;
  for (const part of document.querySelectorAll('[data-for]'))
    part.hidden = !part.dataset.for.split(' ').includes(task);
  render();
  void fillWays();
}

PluginPage.tabs(document.querySelector('[role="tablist"]'), select);
PluginPage.onRunKey(() => void run());
find('run').addEventListener('click', () => void run());
find('query').addEventListener('keydown', ({ key }) => {
  if (key === 'Enter') void run();
});
find('file').addEventListener('change', () => void fillWays());
find('by').addEventListener('change', showFields);
find('add-file').addEventListener('click', () => void add(() => PluginClient.pickFile()));
find('add-folder').addEventListener('click', () => void add(() => PluginClient.pickDirectory()));
find('clear').addEventListener('click', () => setFiles([]));

void PluginPage.start({
  texts: TEXTS,
  onTexts: render,
  onReady: () => {
    state.connected = true;
    for (const id of ['add-file', 'add-folder']) find(id).disabled = false;
    render();
  },
});
