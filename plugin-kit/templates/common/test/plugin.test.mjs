import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPlugin } from 'plugin-host-kit';

let plugin;
before(async () => {
  plugin = await startPlugin({ config: { shortest: 2 } });
});
after(() => plugin?.close());

test('it counts the words of a file', async () => {
  const file = await plugin.grantText('a.txt', 'one two two a');
  const { words, top } = await plugin.call('count', { file });
  assert.equal(words, 3);
  assert.deepEqual(top[0], { word: 'two', count: 2 });
});

test('it writes a report', async () => {
  const file = await plugin.grantText('a.txt', 'one two two');
  const output = await plugin.createOutput();
  const report = await plugin.call('report', { file, output });
  const text = (await plugin.readFileIn(output, report.file)).toString();
  assert.equal(text, 'word,count\ntwo,2\none,1\n');
});

test('it says which orders there are', async () => {
  const orders = await plugin.call('orders');
  assert.deepEqual(
    orders.map(({ value }) => value),
    ['frequent', 'alphabetical'],
  );
});
