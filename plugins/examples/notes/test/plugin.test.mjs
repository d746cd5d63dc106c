import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPlugin } from 'plugin-host-kit';

let plugin;
before(async () => {
  plugin = await startPlugin();
});
after(() => plugin?.close());

test('it finds and deletes the notes that it keeps', async () => {
  const { id } = await plugin.call('add', { text: '100% wool' });
  await plugin.call('add', { text: '1000 screws' });
  const found = await plugin.call('search', { words: '100%' });
  assert.deepEqual(
    found.map(({ text }) => text),
    ['100% wool'],
  );
  assert.deepEqual(await plugin.call('remove', { id }), { removed: true });
  assert.equal((await plugin.call('search')).length, 1);
});

test('the page adds a note', async () => {
  const { frame, errors } = await plugin.page();
  await frame.getByLabel('New note').fill('Water the plants');
  await frame.getByRole('button', { name: 'Add' }).click();
  await frame.getByText('Water the plants').waitFor();
  assert.deepEqual(errors, []);
});
