import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPlugin } from 'plugin-host-kit';

let plugin;
before(async () => {
  plugin = await startPlugin();
});
after(() => plugin?.close());

test('it keeps each line once and writes the result', async () => {
  const file = await plugin.grantText('a.txt', 'pear\n\napple\npear  \n');
  const output = await plugin.createOutput();
  const result = await plugin.call('tidy', { file, output, sort: true });
  assert.deepEqual(result, { file: 'tidy.txt', kept: 2, removed: 2 });
  assert.equal(String(await plugin.readFileIn(output, 'tidy.txt')), 'apple\npear\n');
});

test('the page saves what it wrote', async () => {
  const { frame, pick, exported, errors } = await plugin.page();
  pick(await plugin.grantText('a.txt', 'one\none\n'));
  await frame.getByRole('button', { name: 'Choose a file' }).click();
  await frame.getByText('1 lines kept, 1 removed').waitFor();
  assert.equal(exported.length, 1);
  assert.deepEqual(errors, []);
});
