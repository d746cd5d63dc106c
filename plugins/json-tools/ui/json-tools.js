'use strict';

const find = (id) => document.getElementById(id);

const state = {
  method: 'format',
  /** The result in the panel: `{ method, result }`; null before the first run. */
  shown: null,
  connected: false,
};

const call = PluginPage.runner({
  run: find('run'),
  cancel: find('cancel'),
  progress: find('progress'),
  error: find('error'),
  onError: ({ data }) => showWrong(data),
});

function render() {
  const { text, element } = PluginPage;
  find('keys').textContent = text('keys', { keys: PluginPage.runKeys() });
  find('run').textContent = text(state.method);
  find('text-label').textContent = text(state.method === 'diff' ? 'before' : 'text');
  const parts = state.shown
    ? RESULTS[state.shown.method](state.shown.result, { showPlace: (at) => mark(find('text'), at) })
    : [element('p', { class: 'hint', text: text('empty') })];
  find('panel').replaceChildren(...parts);
}

/** Selects one character of a field and scrolls to it. */
function mark(field, offset) {
  field.focus();
  field.setSelectionRange(offset, offset);
  // Focusing the field again scrolls to the cursor.
  field.blur();
  field.focus();
  field.setSelectionRange(offset, offset + 1);
}

/** `data` of a failure names the invalid input and the position in it. */
function showWrong(data) {
  const field = { text: 'text', before: 'text', after: 'after', path: 'path' }[data?.input];
  if (!field) return;
  if (data.line) find('error').textContent = `${PluginPage.text('invalid', data)} ${data.detail}`;
  find(field).setAttribute('aria-invalid', 'true');
  const offset = data.offset ?? data.column - 1;
  mark(find(field), offset);
}

function clearMarks() {
  for (const id of ['text', 'after', 'path']) find(id).removeAttribute('aria-invalid');
}

function params() {
  const text = find('text').value;
  if (state.method === 'diff') return { before: text, after: find('after').value };
  if (state.method === 'query') return { text, path: find('path').value };
  if (state.method === 'validate') return { text };
  const sortKeys = find('sort-keys').checked;
  if (state.method === 'minify') return { text, sortKeys };
  const indent = find('indent').value;
  return { text, sortKeys, ...(indent === 'tab' ? { tabs: true } : { indent: Number(indent) }) };
}

function emptyField() {
  const fields = state.method === 'diff' ? ['text', 'after'] : ['text'];
  return fields.map(find).find((field) => field.value.trim() === '');
}

async function run() {
  if (!state.connected) return;
  clearMarks();
  const empty = emptyField();
  if (empty) {
    find('error').textContent = PluginPage.text('noText');
    find('error').hidden = false;
    empty.focus();
    return;
  }
  const { method } = state;
  const result = await call(method, params());
  if (result === undefined || method !== state.method) return;
  state.shown = { method, result };
  render();
}

function select(method) {
  state.method = method;
  state.shown = null;
  find('error').hidden = true;
  clearMarks();
  for (const part of document.querySelectorAll('[data-for]')) {
    part.hidden = !part.dataset.for.split(' ').includes(method);
  }
  render();
}

PluginPage.tabs(document.querySelector('[role="tablist"]'), select);
PluginPage.onRunKey(() => void run());
find('run').addEventListener('click', () => void run());

void PluginPage.start({
  texts: TEXTS,
  onTexts: render,
  onReady: () => {
    state.connected = true;
    find('run').disabled = false;
    find('text').focus();
  },
});
