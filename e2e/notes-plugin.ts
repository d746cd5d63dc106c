import { packPlugin } from '../service/testing/packages.ts';

const worker = `
import { createInterface } from 'node:readline';
const notes = [];
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined) return;
  if (method === 'add') notes.push(params.text);
  const result = method === 'add' ? { count: notes.length, text: params.text } : notes;
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
});
`;

const script = `
const texts = {
  en: { label: 'Note', add: 'Write it down' },
  'zh-CN': { label: '笔记', add: '记下来' },
};
const at = (id) => document.getElementById(id);
const show = async () => {
  const notes = await PluginClient.invoke('list', {});
  at('notes').replaceChildren(...notes.map((note) => {
    const item = document.createElement('li');
    item.textContent = note;
    return item;
  }));
};
PluginClient.ready().then(({ locale }) => {
  const { label, add } = texts[locale] ?? texts.en;
  at('label').textContent = label;
  at('add').textContent = add;
  return show();
});
at('add').addEventListener('click', async () => {
  await PluginClient.invoke('add', { text: at('text').value });
  at('text').value = '';
  await show();
});
`;

const page = `<!doctype html>
<title>Notes</title>
<script src="_host/plugin-client.js"></script>
<script src="page.js" defer></script>
<label id="label" for="text"></label>
<input id="text" />
<button id="add"></button>
<ul id="notes"></ul>`;

/**
 * Packs a plugin that stores notes: from its page, from a writing tool, and from a step of a
 * workflow.
 */
export const packNotes = (): Promise<Buffer> =>
  packPlugin({
    manifest: {
      id: 'com.example.notes',
      name: 'Notes',
      version: '1.2.0',
      category: 'productivity',
      description: 'Keeps short notes.',
      author: 'A friend',
      worker: { runtime: 'node' },
      methods: { add: {}, list: {} },
      aiTools: [
        {
          name: 'add_note',
          method: 'add',
          effect: 'write',
          description: 'Writes a note down.',
          inputSchema: {
            type: 'object',
            properties: { text: { type: 'string' } },
            required: ['text'],
          },
        },
      ],
      flowNodes: [
        {
          type: 'add-note',
          tool: 'add_note',
          label: 'Write a note',
          color: '#2b7a3e',
          inputs: [{ name: 'text', label: 'Note', widget: 'text', required: true }],
          outputs: [{ name: 'count', label: 'How many', path: 'count' }],
        },
      ],
    },
    files: {
      'backend/worker.jar': null,
      'backend/worker.mjs': worker,
      'ui/index.html': page,
      'ui/page.js': script,
    },
  });
