'use strict';

const find = (id) => document.getElementById(id);
/** The most rows that the page shows; a saved result contains all rows. */
const SHOWN_ROWS = 500;

const state = {
  task: 'query',
  files: [],
  tables: [],
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
function showFailure({ data }) {
  const key = `error.${data?.reason}`;
  const values = { ...data };
  if (typeof data?.limit === 'number') values.limit = PluginPage.number(data.limit);
  const text = PluginPage.text(key, values);
  if (text !== key) find('error').textContent = text;
}

/** Returns the person's choice; null if the dialog was cancelled. */
async function chosen(ask) {
  try {
    return await ask();
  } catch (error) {
    if (error.code === PluginPage.cancelledCode) return null;
    find('error').textContent = error.message;
    find('error').hidden = false;
    return null;
  }
}

async function add(ask) {
  const picked = await chosen(ask);
  if (picked === null) return;
  const files = [...state.files, picked];
  const result = await call('tables', { files });
  if (result === undefined) return;
  state.files = files;
  state.tables = result.tables;
  if (find('sql').value.trim() === '')
    find('sql').value = `SELECT * FROM "${result.tables[0]?.name ?? ''}"`;
  render();
}

function fill(select, options) {
  const { value } = select;
  select.replaceChildren(
    ...options.map((one) => PluginPage.element('option', { value: one.value, text: one.label })),
  );
  if (options.some((one) => one.value === value)) select.value = value;
}

function fillColumns() {
  const table = state.tables.find(({ name }) => name === find('table').value);
  const columns = table?.columns ?? [];
  const named = (list) => list.map(({ name }) => ({ value: name, label: name }));
  fill(find('x'), named(columns));
  const numbers = columns.filter(({ type }) => type === 'integer' || type === 'number');
  fill(find('y'), named(numbers.length > 0 ? numbers : columns));
}

function render() {
  const { text, number, element } = PluginPage;
  const items = state.tables.map(({ name, rows, columns }) => {
    const values = { name, rows: number(rows), columns: number(columns.length) };
    return element('li', { text: text('tableRows', values) });
  });
  find('tables').replaceChildren(...items);
  find('tables').hidden = items.length === 0;
  fill(
    find('table'),
    state.tables.map(({ name }) => ({ value: name, label: name })),
  );
  fillColumns();
  const isReady = state.connected && state.tables.length > 0;
  for (const id of ['run', 'save']) find(id).disabled = !isReady;
  find('clear').hidden = items.length === 0;
  const task = state.task[0].toUpperCase() + state.task.slice(1);
  find('run').textContent = text(`run${task}`);
  const parts = state.shown
    ? RESULTS[state.shown.task](state.shown.result)
    : isReady
      ? []
      : [element('p', { class: 'hint', text: text('empty') })];
  find('panel').replaceChildren(...parts);
}

const steps = () =>
  [...document.querySelectorAll('#steps input')]
    .filter((box) => box.checked)
    .map((box) => box.value);

function params() {
  const { files, task } = state;
  const value = (id) => find(id).value;
  if (task === 'query') return { files, sql: value('sql'), limit: SHOWN_ROWS };
  if (task === 'clean') return { files, table: value('table'), steps: steps() };
  const kind = value('kind');
  return {
    files,
    table: value('table'),
    x: value('x'),
    y: value('y'),
    total: value('total'),
    kind,
  };
}

async function run() {
  if (find('run').disabled) return;
  const { task } = state;
  const result = await call(task, params());
  if (result === undefined || task !== state.task) return;
  state.shown = { task, result };
  render();
}

async function save() {
  const { task } = state;
  const { limit, ...asked } = params();
  const format = find('format').value;
  const output = await PluginClient.createOutput('table');
  const result = await call(task === 'clean' ? 'clean' : 'save', { ...asked, output, format });
  if (result !== undefined) await chosen(() => PluginClient.exportOutput(output));
}

function select(task) {
  state.task = task;
  state.shown = null;
  find('error').hidden = true;
  for (const part of document.querySelectorAll('[data-for]'))
    part.hidden = !part.dataset.for.split(' ').includes(task);
  render();
}

PluginPage.tabs(document.querySelector('[role="tablist"]'), select);
PluginPage.onRunKey(() => void run());
find('run').addEventListener('click', () => void run());
find('save').addEventListener('click', () => void save());
find('table').addEventListener('change', fillColumns);
find('add-file').addEventListener('click', () => void add(() => PluginClient.pickFile()));
find('add-folder').addEventListener('click', () => void add(() => PluginClient.pickDirectory()));
find('clear').addEventListener('click', () => {
  Object.assign(state, { files: [], tables: [], shown: null });
  render();
});

void PluginPage.start({
  texts: TEXTS,
  onTexts: render,
  onReady: () => {
    state.connected = true;
    for (const id of ['add-file', 'add-folder']) find(id).disabled = false;
    render();
  },
});
