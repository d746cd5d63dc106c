import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPlugin } from 'plugin-host-kit';

const csv = 'month,shop,sales\nMay,"North, old",10\nJune,South,5.5\nMay,South,2\n';
let plugin;
before(async () => {
  plugin = await startPlugin();
});
after(() => plugin?.close());

test('it adds up the numbers of each label', async () => {
  const file = await plugin.grantText('sales.csv', csv);
  const { points, value } = await plugin.call('series', { file, label: 'shop' });
  assert.equal(value, 'sales');
  assert.deepEqual(points, [
    { label: 'North, old', value: 10 },
    { label: 'South', value: 7.5 },
  ]);
});

test('it says which column is not there, and that a file is no CSV', async () => {
  const file = await plugin.grantText('sales.csv', csv);
  await assert.rejects(plugin.call('series', { file, value: 'price' }), /no column "price"/);
  const broken = await plugin.grantText('broken.csv', 'a,b\n"open,1\n');
  await assert.rejects(plugin.call('columns', { file: broken }), /A quote is missing in line 2/);
});

test('the page draws a bar for each label', async () => {
  const { frame, pick, errors } = await plugin.page();
  pick(await plugin.grantText('sales.csv', csv));
  await frame.getByRole('button', { name: 'Choose a CSV file' }).click();
  await frame.getByRole('img', { name: 'sales by month' }).waitFor();
  assert.equal(await frame.locator('rect').count(), 2);
  await frame.getByLabel('Labels').selectOption('shop');
  await frame.getByRole('img', { name: 'sales by shop' }).waitFor();
  assert.deepEqual(errors, []);
});
