'use strict';

const find = (id) => document.getElementById(id);

const state = {
  method: 'count',
  /** The granted file that replaces the text, or null. */
  file: null,
  /** The result in the panel: `{ method, result }`; null before the first run. */
  shown: null,
  connected: false,
};

const call = PluginPage.runner({
  run: find('run'),
  cancel: find('cancel'),
  progress: find('progress'),
  error: find('error'),
});

function render() {
  find('keys').textContent = PluginPage.text('keys', { keys: PluginPage.runKeys() });
  const parts = state.shown
    ? RESULTS[state.shown.method](state.shown.result)
    : [PluginPage.element('p', { class: 'hint', text: PluginPage.text('empty') })];
  find('panel').replaceChildren(...parts);
}

function showError(key, field) {
  find('error').textContent = PluginPage.text(key);
  find('error').hidden = false;
  field.focus();
}

function options() {
  if (state.method !== 'frequency') return {};
  return {
    top: find('top').valueAsNumber,
    minLength: find('min-length').valueAsNumber,
    skipCommon: find('skip-common').checked,
    ignoreCase: !find('match-case').checked,
  };
}

async function run() {
  if (!state.connected) return;
  const text = find('text').value;
  if (!state.file && text.trim() === '') {
    showError('noText', find('text'));
    return;
  }
  const wrong = [find('top'), find('min-length')].find((field) => !field.checkValidity());
  if (state.method === 'frequency' && wrong) {
    showError('badNumber', wrong);
    return;
  }
  const { method } = state;
  const result = await call(method, {
    ...(state.file ? { file: state.file } : { text }),
    ...options(),
  });
  if (result === undefined || method !== state.method) return;
  state.shown = { method, result };
  render();
}

function select(method) {
  const wasShown = state.shown !== null;
  state.method = method;
  state.shown = null;
  find('frequency-options').hidden = method !== 'frequency';
  render();
  // A file may be large, so it is analysed again only on request.
  if (wasShown && !state.file) void run();
}

function useFile(file) {
  state.file = file;
  state.shown = null;
  find('text').hidden = file !== null;
  find('file').hidden = file === null;
  find('file-name').textContent = file?.name ?? '';
  render();
}

async function chooseFile() {
  try {
    useFile(await PluginClient.pickFile({ access: 'read' }));
  } catch (failure) {
    if (failure.code === PluginPage.cancelledCode) return;
    find('error').textContent = failure.message;
    find('error').hidden = false;
  }
}

PluginPage.tabs(document.querySelector('[role="tablist"]'), select);
PluginPage.onRunKey(() => void run());
find('run').addEventListener('click', () => void run());
find('choose-file').addEventListener('click', () => void chooseFile());
find('drop-file').addEventListener('click', () => useFile(null));

void PluginPage.start({
  texts: TEXTS,
  onTexts: render,
  onReady: () => {
    state.connected = true;
    find('run').disabled = false;
    find('choose-file').hidden = !PluginClient.capabilities?.includes('files');
    find('text').focus();
  },
});
