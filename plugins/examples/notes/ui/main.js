'use strict';

const find = (id) => document.getElementById(id);
const call = PluginPage.runner({
  run: find('add'),
  cancel: find('cancel'),
  progress: find('progress'),
  error: find('error'),
});

function row({ id, text }) {
  const remove = PluginPage.element('button', {
    type: 'button',
    text: PluginPage.text('removeShort'),
    'aria-label': PluginPage.text('remove', { text }),
  });
  remove.addEventListener('click', async () => {
    if ((await call('remove', { id })) !== undefined) await list();
  });
  return PluginPage.element('li', {}, [text, ' ', remove]);
}

async function list() {
  const notes = await call('search', { words: find('words').value });
  if (notes !== undefined) find('notes').replaceChildren(...notes.map(row));
}

// Forms cannot be submitted in the host's frame.
async function add() {
  const text = find('text').value.trim();
  if (text === '' || (await call('add', { text })) === undefined) return;
  find('text').value = '';
  await list();
}

find('add').addEventListener('click', add);
find('text').addEventListener('keydown', ({ key }) => {
  if (key === 'Enter') void add();
});
find('words').addEventListener('change', list);

void PluginPage.start({ texts, onReady: list });
