import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startPlugin } from 'plugin-host-kit';
import readExcelFile, { readSheet } from 'read-excel-file/node';
import writeExcelFile from 'write-excel-file/node';
import { axeFindings } from '../../testing/axe.mjs';

let plugin;
let folder;
let sales;
let book;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'table-'));
  plugin = await startPlugin();
  sales = await plugin.grantText(
    'Sales 2026.csv',
    'city;amount;code;day\nBerlin;3;007;2026-01-02\nParis;4.5;008;2026-01-03\nBerlin;2;009;2026-02-01\n"Rome; old";;010;\n',
  );
  const day = { value: new Date(Date.UTC(2026, 2, 1)), type: Date, format: 'yyyy-mm-dd' };
  await writeExcelFile([
    {
      sheet: 'Cities',
      data: [
        ['city', 'country'],
        ['Berlin', 'DE'],
        ['Paris', 'FR & co'],
      ],
    },
    {
      sheet: 'Facts',
      data: [
        ['n', 'ok', 'since'],
        [1.5, true, day],
        [2, false, null],
      ],
    },
  ]).toFile(join(folder, 'book.xlsx'));
  book = await plugin.grantFile(join(folder, 'book.xlsx'));
});
after(async () => {
  await plugin?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Returns the error of a call that must fail. */
const failure = (method, params) =>
  plugin.call(method, params).then(
    () => assert.fail(`${method} did not fail`),
    (error) => error,
  );

test('files and sheets are tables, with the types of their columns', async () => {
  const { tables } = await plugin.call('tables', { files: [sales, book] });
  const told = tables.map(({ name, file, sheet, rows, columns }) => [
    ...[name, file, sheet, rows],
    columns.map((column) => `${column.name} ${column.type}`).join(', '),
  ]);
  assert.deepEqual(told, [
    ['Sales_2026', 'Sales 2026.csv', null, 4, 'city text, amount number, code text, day text'],
    ['book_Cities', 'book.xlsx', 'Cities', 2, 'city text, country text'],
    ['book_Facts', 'book.xlsx', 'Facts', 2, 'n number, ok boolean, since text'],
  ]);
});

test('one query joins a CSV file with a workbook', async () => {
  const sql = `SELECT country, sum(amount) AS total FROM Sales_2026 JOIN book_Cities USING (city) GROUP BY country ORDER BY 1`;
  assert.deepEqual(await plugin.call('query', { files: [sales, book], sql }), {
    columns: ['country', 'total'],
    rows: [
      ['DE', 5],
      ['FR & co', 4.5],
    ],
    truncated: false,
  });
  const facts = await plugin.call('query', { files: book, sql: 'SELECT * FROM book_Facts' });
  assert.deepEqual(facts.rows, [
    [1.5, 1, '2026-03-01'],
    [2, 0, null],
  ]);
  const first = await plugin.call('query', {
    files: sales,
    sql: 'SELECT code FROM Sales_2026',
    limit: 1,
  });
  assert.deepEqual(first, { columns: ['code'], rows: [['007']], truncated: true });
});

test('a folder is all of its tables, and texts in other encodings are read', async () => {
  await writeFile(join(folder, 'utf16.csv'), Buffer.from('\ufeffname,n\nÄ,1\n', 'utf16le'));
  await writeFile(join(folder, 'latin.csv'), Buffer.from('name,n\nJosé,1\n', 'latin1'));
  // 北京 in GB 18030.
  const beijing = Buffer.from([0xb1, 0xb1, 0xbe, 0xa9]);
  await writeFile(
    join(folder, 'order.tsv'),
    Buffer.concat([Buffer.from('name\tn\n'), beijing, Buffer.from('\t1\n')]),
  );
  await writeFile(join(folder, 'notes.txt'), 'no table');
  const files = await plugin.grantFile(folder);
  const sql = `SELECT l.name || u.name || o.name FROM latin l, utf16 u, t_order o`;
  assert.deepEqual((await plugin.call('query', { files, sql })).rows, [['JoséÄ北京']]);
});

test('only one statement that reads is run, and mistakes name what there is', async () => {
  const messageOf = async (sql) => (await failure('query', { files: sales, sql })).message;
  assert.match(await messageOf('DELETE FROM Sales_2026'), /^Only a statement that reads/);
  assert.match(await messageOf('WITH a AS (SELECT 1) DELETE FROM Sales_2026'), /readonly/);
  assert.match(await messageOf('SELECT 1; SELECT 2'), /^Run one statement at a time/);
  assert.match(
    await messageOf('SELECT * FROM sale'),
    /no such table: sale\. There is: Sales_2026\./,
  );
  assert.match(await messageOf('SELECT cty FROM Sales_2026'), /There is: Sales_2026\.city,/);
  const { rows } = await plugin.call('query', {
    files: sales,
    sql: 'SELECT count(*) FROM Sales_2026; -- all',
  });
  assert.deepEqual(rows, [[4]]);
});

test('a chart has one value for each label', async () => {
  const chart = await plugin.call('chart', { files: sales, x: 'city', y: 'amount', kind: 'line' });
  assert.deepEqual(chart, {
    kind: 'line',
    label: 'city',
    labels: ['Berlin', 'Paris', 'Rome; old'],
    series: [{ name: 'amount (sum)', values: [5, 4.5, null] }],
  });
  const counted = await plugin.call('chart', { files: sales, x: 'city', total: 'count' });
  assert.deepEqual(counted.series, [{ name: 'count', values: [2, 1, 1] }]);
  const sql = 'SELECT day, amount AS a, amount * 2 AS b FROM Sales_2026 LIMIT 1';
  const two = await plugin.call('chart', { files: sales, sql });
  assert.deepEqual(two.series, [
    { name: 'a', values: [3] },
    { name: 'b', values: [6] },
  ]);
  const named = await failure('chart', { files: sales, x: 'town', y: 'amount' });
  assert.equal(named.message, 'Sales_2026 has no column town. There is: city, amount, code, day.');
  const words = await failure('chart', { files: sales, x: 'city', y: 'code', total: 'none' });
  assert.equal(words.data.reason, 'not_numbers');
});

test('a saved workbook is read by another library, with numbers, days and any text', async () => {
  const output = await plugin.createOutput();
  const sql = `SELECT city, amount, day, '<&_x0041_' || char(7) AS odd FROM Sales_2026`;
  const saved = await plugin.call('save', {
    ...{ files: sales, sql, output, format: 'xlsx', name: '../sums' },
  });
  assert.deepEqual(saved, { file: '_sums.xlsx', rows: 4 });
  const bytes = await plugin.readFileIn(output, saved.file);
  const rows = await readSheet(bytes);
  assert.deepEqual(rows[0], ['city', 'amount', 'day', 'odd']);
  assert.deepEqual(rows[2].slice(0, 2), ['Paris', 4.5]);
  assert.equal(rows[2][2].toISOString(), '2026-01-03T00:00:00.000Z');
  assert.deepEqual(rows[4].slice(0, 3), ['Rome; old', null, null]);
  assert.deepEqual(
    (await readExcelFile(bytes)).map(({ sheet }) => sheet),
    ['Data'],
  );
  // The plugin reads its own file without loss, including characters that XML cannot represent.
  await writeFile(join(folder, 'back.xlsx'), bytes);
  const files = await plugin.grantFile(join(folder, 'back.xlsx'));
  const back = await plugin.call('query', { files, sql: 'SELECT odd, day FROM back LIMIT 1' });
  assert.deepEqual(back.rows, [['<&_x0041_\u0007', '2026-01-02']]);
});

test('a saved CSV file quotes what has to be quoted', async () => {
  const output = await plugin.createOutput();
  const sql = `SELECT city, amount, 'a "b",' || char(10) || 'c' AS odd FROM Sales_2026 WHERE amount IS NULL`;
  const { file } = await plugin.call('save', { files: sales, sql, output });
  const text = (await plugin.readFileIn(output, file)).toString();
  assert.equal(text, 'city,amount,odd\r\nRome; old,,"a ""b"",\nc"\r\n');
});

test('cleaning trims, drops and converts, and saves what it shows', async () => {
  const files = await plugin.grantText(
    'raw.csv',
    [
      'name,amount,day,id,empty,share,when',
      ' Ann\u00a0 B ,"1,234.50",3.4.2026,007,,5 %,3/4/2026',
      ',,,,,,',
      'Bob,7,31.12.2026,008,,12.5%,4/3/2026',
      'Bob ,7,31.12.2026,008, ,12.5%,4/3/2026',
    ].join('\n'),
  );
  const output = await plugin.createOutput();
  const cleaned = await plugin.call('clean', { files, output, format: 'csv' });
  assert.deepEqual(cleaned.changes, {
    ...{ trimmed: 1, emptyRows: 1, emptyColumns: 1, duplicates: 1, converted: 6 },
  });
  assert.deepEqual([cleaned.rowsBefore, cleaned.rows], [4, 2]);
  assert.deepEqual(cleaned.preview, [
    // The month in 3/4/2026 is ambiguous.
    ['Ann B', 1234.5, '2026-04-03', '007', 0.05, '3/4/2026'],
    ['Bob', 7, '2026-12-31', '008', 0.125, '4/3/2026'],
  ]);
  const text = (await plugin.readFileIn(output, cleaned.file)).toString();
  assert.equal(text.split('\r\n')[1], 'Ann B,1234.5,2026-04-03,007,0.05,3/4/2026');
  const shown = await plugin.call('clean', { files, steps: ['emptyRows'] });
  assert.equal(shown.file, undefined);
  assert.deepEqual([shown.rows, shown.changes.trimmed], [3, 0]);
});

test('nodes are offered the tables and columns of their files', async () => {
  const tables = await plugin.call('tableNames', { files: book });
  assert.deepEqual(tables[1], { value: 'book_Facts', label: 'book_Facts', about: 'book.xlsx, 2' });
  const columns = await plugin.call('columnNames', { files: book, table: 'book_Facts' });
  assert.deepEqual(
    columns.map(({ value, about }) => `${value}: ${about}`),
    ['n: number', 'ok: boolean', 'since: text'],
  );
  const [totals, formats] = [await plugin.call('totals'), await plugin.call('formats')];
  assert.deepEqual(
    [...totals, ...formats].map(({ value }) => value),
    ['sum', 'average', 'count', 'minimum', 'maximum', 'none', 'csv', 'xlsx'],
  );
});

test('what is beyond a limit, or is no table, is said with its reason', async () => {
  const reasonOf = async (files) => (await failure('tables', { files })).data.reason;
  const many = await plugin.grantText('many.csv', `n\n${'1\n'.repeat(500_000)}`);
  assert.equal(await reasonOf(many), 'too_many_rows');
  const wide = await plugin.grantText('wide.csv', 'a,'.repeat(1_000));
  assert.equal(await reasonOf(wide), 'too_many_columns');
  const points = await plugin.grantText('points.csv', `n\n${'1\n'.repeat(1_001)}`);
  const drawn = await failure('chart', { files: points, x: 'n', y: 'n', total: 'none' });
  assert.equal(drawn.data.reason, 'too_many_points');
  await writeFile(join(folder, 'large.csv'), '');
  await truncate(join(folder, 'large.csv'), 64 * 1024 * 1024 + 1);
  assert.equal(await reasonOf(await plugin.grantFile(join(folder, 'large.csv'))), 'file_too_large');
  await rm(join(folder, 'large.csv'));
  assert.equal(await reasonOf(await plugin.grantText('old.xls', '')), 'old_format');
  assert.equal(await reasonOf(await plugin.grantText('a.pdf', '')), 'unknown_format');
  assert.equal(await reasonOf(await plugin.grantText('a.xlsx', 'no zip')), 'broken_workbook');
  assert.equal(await reasonOf(await plugin.grantText('a.csv', 'a\0b')), 'not_text');
  assert.equal(await reasonOf(['/etc/passwd-of-another']), 'no_file');
});

test('a workbook that says it unpacks to gigabytes is not unpacked', async () => {
  const bytes = await readFile(join(folder, 'book.xlsx'));
  for (
    let at = bytes.indexOf('PK\u0001\u0002');
    at !== -1;
    at = bytes.indexOf('PK\u0001\u0002', at + 4)
  )
    bytes.writeUInt32LE(0x7fffffff, at + 24);
  await writeFile(join(folder, 'bomb.xlsx'), bytes);
  const error = await failure('tables', {
    files: await plugin.grantFile(join(folder, 'bomb.xlsx')),
  });
  assert.deepEqual(error.data, { reason: 'file_too_large', file: 'bomb.xlsx', limit: 384 });
  await rm(join(folder, 'bomb.xlsx'));
});

test('a long call tells how far it is, and a query without end can be cancelled', async () => {
  const long = await plugin.grantText('long.csv', `n\n${'1\n'.repeat(50_000)}`);
  const told = [];
  const onProgress = ({ percent, message }) => told.push([percent, message]);
  const { rows } = await plugin.call(
    'query',
    { files: long, sql: 'SELECT sum(n) FROM long' },
    { onProgress },
  );
  assert.deepEqual(rows, [[50_000]]);
  assert.deepEqual(
    [...new Set(told.map(([, message]) => message))],
    ['reading', 'loading', 'querying'],
  );
  const percents = told.map(([percent]) => percent);
  assert.deepEqual(
    percents,
    percents.toSorted((a, b) => a - b),
  );
  assert.ok(percents.length > 10);

  const ending = new AbortController();
  const sql =
    'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n';
  const endless = plugin.call(
    'query',
    { files: sales, sql },
    {
      signal: ending.signal,
      onProgress: ({ message }) => message === 'querying' && ending.abort(),
    },
  );
  await assert.rejects(endless, /cancelled/);
  assert.equal((await plugin.call('tables', { files: sales })).tables.length, 1);
});

test('calls about different files do not disturb each other', async () => {
  const output = await plugin.createOutput();
  const many = await plugin.grantText('many.csv', `n\n${'1\n'.repeat(50_000)}`);
  const [saved, { rows }, { tables }] = await Promise.all([
    plugin.call('save', { files: many, sql: 'SELECT * FROM many', output }),
    plugin.call('query', { files: sales, sql: "SELECT x'0aff', count(*) FROM Sales_2026" }),
    plugin.call('tables', { files: book }),
  ]);
  assert.equal(saved.rows, 50_000);
  assert.deepEqual(rows, [['0aff', 4]]);
  assert.equal(tables.length, 2);
});

test('a result that cannot be saved is refused, and leaves no half of a file', async () => {
  const output = await plugin.createOutput();
  const endless = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n';
  const tooLarge = await failure('save', { files: sales, sql: endless, output });
  assert.equal(tooLarge.data.reason, 'result_too_large');
  const long = { files: sales, sql: "SELECT printf('%.32768c', 'x') AS long", output };
  const tooLong = await failure('save', { ...long, format: 'xlsx' });
  assert.equal(tooLong.data.reason, 'cell_too_long');
  assert.deepEqual(await plugin.filesIn(output), []);
  assert.deepEqual(await plugin.call('save', long), { file: 'result.csv', rows: 1 });
});

test('the page queries, draws, cleans and saves, in both themes and languages', async () => {
  const { page, frame, pick, errors, exported } = await plugin.page({ theme: 'light' });
  pick(sales);
  await frame.getByRole('button', { name: 'Add a file…' }).click();
  await frame.getByText('Sales_2026 (rows: 4, columns: 4)').waitFor();
  await frame.getByLabel('SQL (SQLite)').fill('SELECT city, amount FROM Sales_2026 LIMIT 1');
  await page.keyboard.press('Control+Enter');
  await frame.getByRole('cell', { name: 'Berlin' }).waitFor();
  assert.deepEqual(await axeFindings(page), []);
  await frame.getByLabel('Format').selectOption('xlsx');
  await frame.getByRole('button', { name: 'Save…' }).click();
  await frame.getByRole('button', { name: 'Run' }).and(frame.locator(':enabled')).waitFor();
  await waitUntil(() => exported.length === 1);
  const saved = await readSheet(await plugin.readFileIn(exported[0], 'result.xlsx'));
  assert.deepEqual(saved, [
    ['city', 'amount'],
    ['Berlin', 3],
  ]);
  await frame.getByLabel('SQL (SQLite)').fill('SELECT');
  await frame.getByRole('button', { name: 'Run' }).click();
  await frame.getByRole('alert').filter({ hasText: 'SQL: incomplete input' }).waitFor();

  await frame.getByRole('tab', { name: 'Chart' }).click();
  await frame.getByRole('button', { name: 'Draw' }).click();
  const bars = frame.getByRole('img', { name: 'Bars of amount (sum) by city, points: 3' });
  await bars.waitFor();
  assert.equal(await bars.locator('rect.mark').count(), 2);
  const [first, second] = await Promise.all(
    [0, 1].map((at) => bars.locator('rect.mark').nth(at).getAttribute('height')),
  );
  assert.ok(Math.abs(first / second - 5 / 4.5) < 0.001);
  await frame.getByLabel('Kind').selectOption('line');
  await frame.getByRole('button', { name: 'Draw' }).click();
  await frame
    .getByRole('img', { name: /^Line of/ })
    .locator('circle')
    .nth(1)
    .waitFor();
  assert.deepEqual(await axeFindings(page), []);
  assert.deepEqual(errors, []);

  const chinese = await plugin.page({ theme: 'dark', locale: 'zh-CN' });
  chinese.pick(await plugin.grantText('原始.csv', '名称,数量\n a ,"1,200"\n a ,"1,200"\n'));
  await chinese.frame.getByRole('button', { name: '添加文件……' }).click();
  await chinese.frame.getByText('原始：2 行，2 列').waitFor();
  await chinese.frame.getByRole('tab', { name: '清理' }).click();
  await chinese.frame.getByRole('button', { name: '预览' }).click();
  await chinese.frame.getByText('清理前 2 行，清理后 1 行').waitFor();
  assert.deepEqual(await axeFindings(chinese.page), []);
  chinese.pick(await plugin.grantText('x.xlsx', 'x'));
  await chinese.frame.getByRole('button', { name: '添加文件……' }).click();
  await chinese.frame.getByRole('alert').filter({ hasText: 'x.xlsx 已损坏' }).waitFor();
  assert.deepEqual(chinese.errors, []);
});

/** @param {() => boolean} condition */
async function waitUntil(condition) {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}
