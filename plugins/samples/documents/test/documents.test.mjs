import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { after, before, test } from 'node:test';
import { PDFDocument } from '@cantoo/pdf-lib';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import mammoth from 'mammoth';
import { startPlugin } from 'plugin-host-kit';
import { extractImages, getDocumentProxy } from 'unpdf';
import { axeFindings } from '../../testing/axe.mjs';
import { docxBytes, pdfBytes } from './make-documents.mjs';

let plugin;
let opened;
let folder;
/** Granted files by name. */
const files = {};

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'documents-'));
  plugin = await startPlugin();
  opened = await plugin.page();
  const browser = opened.page.context().browser();
  const made = {
    'alpha.pdf': await pdfBytes(browser, 'Alpha'),
    'beta.pdf': await pdfBytes(browser, 'Beta'),
    'red.docx': await docxBytes({ name: 'Red', colour: [255, 0, 0], style: 'Warning' }),
    'blue.docx': await docxBytes({ name: 'Blue', colour: [0, 0, 255], style: 'Hint' }),
  };
  await mkdir(join(folder, 'all'));
  for (const [name, bytes] of Object.entries(made)) {
    await writeFile(join(folder, 'all', name), bytes);
    files[name] = await plugin.grantFile(join(folder, 'all', name));
  }
  await writeFile(join(folder, 'all', 'broken.pdf'), 'nothing');
  await writeFile(join(folder, 'all', 'deep.docx'), deepDocx(made['red.docx']));
  await writeFile(join(folder, 'all', 'notes.txt'), 'fox');
  files.all = await plugin.grantFile(join(folder, 'all'));
});
after(async () => {
  await plugin?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Nests elements deeper than any word processor does. */
function deepDocx(bytes) {
  const parts = unzipSync(new Uint8Array(bytes));
  const main = strFromU8(parts['word/document.xml']);
  const deep = '<w:sdt>'.repeat(20_000) + '</w:sdt>'.repeat(20_000);
  parts['word/document.xml'] = strToU8(main.replace(/(<w:body>)/, `$1${deep}`));
  return zipSync(parts);
}

const failure = (method, params) =>
  plugin.call(method, params).then(
    () => assert.fail(`${method} did not fail`),
    (error) => error,
  );

async function written(method, params) {
  const output = await plugin.createOutput();
  const result = await plugin.call(method, { ...params, output });
  const names = await plugin.filesIn(output);
  const contents = await Promise.all(names.map((name) => plugin.readFileIn(output, name)));
  return { result, names, contents };
}

/** Text, links and bookmarks as PDF.js reads them. */
async function readPdf(bytes) {
  const pdf = await getDocumentProxy(new Uint8Array(bytes));
  const pageOf = async (dest) => {
    const explicit = typeof dest === 'string' ? await pdf.getDestination(dest) : dest;
    return (await pdf.getPageIndex(explicit[0])) + 1;
  };
  const pages = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const links = await page.getAnnotations();
    pages.push({
      text: items.map(({ str }) => str).join(' '),
      links: await Promise.all(links.map(async (one) => one.url ?? (await pageOf(one.dest)))),
      images: (await extractImages(pdf, number)).length,
    });
  }
  const outline = async (items) =>
    Promise.all(
      (items ?? []).map(async (one) => [
        ...[one.title, await pageOf(one.dest)],
        ...(one.items.length > 0 ? [await outline(one.items)] : []),
      ]),
    );
  return { pages, bookmarks: await outline(await pdf.getOutline()) };
}

const ownOutline = (name, first) => [
  [`${name} one`, first],
  [`${name} two`, first + 1],
  [`${name} three`, first + 2, [[`${name} below`, first + 2]]],
];

test('the text of pages and of a DOCX file', async () => {
  const { documents } = await plugin.call('text', {
    files: [files['alpha.pdf'], files['red.docx']],
    pages: '2-3',
  });
  const [pdf, docx] = documents;
  assert.deepEqual([pdf.kind, pdf.pageCount, pdf.truncated], ['pdf', 3, false]);
  assert.match(pdf.text, /^Alpha two\nSlow to one/);
  assert.doesNotMatch(pdf.text, /Alpha one/);
  assert.deepEqual(docx.text.split(/\n+/), [
    ...['Before the first heading of Red', 'Red one', 'Red first', 'Red second', 'outsideinside'],
    ...['Styled Red', 'Red two / more', 'Red below two', 'Red left\tRed right', 'The last line.'],
    'Note of Red',
  ]);
  const cut = await plugin.call('text', { files: files['red.docx'], limit: 10 });
  assert.deepEqual([cut.documents[0].text, cut.documents[0].truncated], ['Before the', true]);
  const wrong = await failure('text', { files: files['alpha.pdf'], pages: '3-4' });
  assert.equal(wrong.data.reason, 'pages');
});

test('a search over a folder names page or heading, and the files that it cannot read', async () => {
  const found = await plugin.call('search', { files: files.all, query: 'BROWN   fox' });
  assert.equal(found.files, 6);
  assert.deepEqual(
    found.matches.map(({ file, page }) => [file, page]),
    [
      ['alpha.pdf', 1],
      ['beta.pdf', 1],
    ],
  );
  const [{ excerpt, start, length }] = found.matches;
  assert.equal(excerpt.slice(start, start + length), 'brown fox');
  assert.deepEqual(found.skipped, [
    { file: 'broken.pdf', reason: 'broken' },
    { file: 'deep.docx', reason: 'broken' },
  ]);
  const places = async (query, how = {}) =>
    (await plugin.call('search', { files: files['red.docx'], query, ...how })).matches.map(
      ({ heading }) => heading,
    );
  assert.deepEqual(await places('Red left'), ['Red below two']);
  assert.deepEqual(await places('note of red'), [null]);
  assert.deepEqual(await places('red left', { caseSensitive: true }), []);
  assert.deepEqual(await places('lef', { wholeWords: true }), []);
  assert.deepEqual(await places('left', { wholeWords: true }), ['Red below two']);
  const one = await plugin.call('search', { files: files.all, query: 'the', limit: 1 });
  assert.deepEqual([one.matches.length, one.truncated], [1, true]);
});

test('a PDF file is split by pages, and links inside of a part still work', async () => {
  const { result, names, contents } = await written('split', {
    ...{ file: files['alpha.pdf'], by: 'pages', pages: '1, 2-3' },
  });
  assert.deepEqual(result.files, names);
  assert.deepEqual(names, ['1 page 1.pdf', '2 pages 2-3.pdf']);
  const [first, second] = await Promise.all(contents.map(readPdf));
  // The link to the third page has no target.
  assert.deepEqual(
    first.pages.map(({ links }) => links),
    [['https://example.com/Alpha']],
  );
  assert.deepEqual(
    second.pages.map(({ links, images }) => [links, images]),
    [
      [[2], 1],
      [[], 0],
    ],
  );
  assert.match(second.pages[0].text, /Alpha two/);
  const every = await written('split', { file: files['alpha.pdf'], every: 2 });
  assert.deepEqual(every.names, ['1 pages 1-2.pdf', '2 page 3.pdf']);
});

test('a PDF file is split by its bookmarks', async () => {
  const { names, contents } = await written('split', { file: files['beta.pdf'], by: 'headings' });
  assert.deepEqual(names, ['1 Beta one.pdf', '2 Beta two.pdf', '3 Beta three.pdf']);
  assert.match((await readPdf(contents[2])).pages[0].text, /Beta below/);
});

test('merged PDF files keep pages, pictures, links and bookmarks', async () => {
  const { result, contents } = await written('merge', {
    files: [files['beta.pdf'], files['alpha.pdf']],
  });
  assert.deepEqual(result, { file: 'merged.pdf', files: 2, pages: 6 });
  const { pages, bookmarks } = await readPdf(contents[0]);
  assert.deepEqual(
    pages.map(({ text, links, images }) => [/(?:Alpha|Beta) \w+/.exec(text)[0], links, images]),
    [
      ['Beta one', [3, 'https://example.com/Beta'], 0],
      ['Beta two', [3], 1],
      ['Beta three', [], 0],
      ['Alpha one', [6, 'https://example.com/Alpha'], 0],
      ['Alpha two', [6], 1],
      ['Alpha three', [], 0],
    ],
  );
  assert.deepEqual(bookmarks, [
    ['beta', 1, ownOutline('Beta', 1)],
    ['alpha', 4, ownOutline('Alpha', 4)],
  ]);
});

test('fields of merged PDF forms can still be filled in, each by itself', async () => {
  const forms = await Promise.all(
    ['Ann', 'Bob'].map(async (value) => {
      const form = await PDFDocument.create();
      const field = form.getForm().createTextField('person');
      field.setText(value);
      field.addToPage(form.addPage());
      await writeFile(join(folder, `${value}.pdf`), await form.save());
      return plugin.grantFile(join(folder, `${value}.pdf`));
    }),
  );
  const { contents } = await written('merge', { files: [files['alpha.pdf'], ...forms] });
  const pdf = await getDocumentProxy(new Uint8Array(contents[0]));
  const fields = await pdf.getFieldObjects();
  const told = Object.entries(fields).map(([name, widgets]) => {
    const { value, page, editable } = widgets.find((one) => one.page >= 0);
    return [name, value, page, editable];
  });
  assert.deepEqual(told, [
    ['person', 'Ann', 3, true],
    ['person_2', 'Bob', 4, true],
  ]);
});

const partsOf = (bytes) => unzipSync(new Uint8Array(bytes));
const htmlOf = async (bytes) => (await mammoth.convertToHtml({ buffer: bytes })).value;

test('merged DOCX files keep headings, lists, links, pictures, styles, notes and headers', async () => {
  const { contents } = await written('merge', {
    ...{ files: [files['red.docx'], files['blue.docx'], files['red.docx']], name: 'colours' },
  });
  const html = await htmlOf(contents[0]);
  const headings = [...html.matchAll(/<h([12])>(?:<a id="[^"]*"><\/a>)?([^<]*)/g)];
  const of = (name) => [`1 ${name} one`, `1 ${name} two / more`, `2 ${name} below two`];
  assert.deepEqual(
    headings.map(([, level, text]) => `${level} ${text}`),
    [...of('Red'), ...of('Blue'), ...of('Red')],
  );
  assert.equal([...html.matchAll(/<ol><li>\w+ first<\/li><li>\w+ second<\/li><\/ol>/g)].length, 3);
  assert.equal([...html.matchAll(/<table>/g)].length, 3);
  assert.deepEqual(
    [...html.matchAll(/href="(https:[^"]*)"/g)].map(([, link]) => link),
    ['Red', 'Blue', 'Red'].map((name) => `https://example.com/${name}`),
  );
  const images = [...html.matchAll(/base64,([^"]*)/g)].map(([, data]) => data);
  assert.equal(images.length, 3);
  assert.equal(images[0], images[2]);
  assert.notEqual(images[0], images[1]);
  // Each internal link leads to the target in its own document.
  const places = [...html.matchAll(/<h1><a id="([^"]*)">/g)].map(([, id]) => id);
  const inside = [...html.matchAll(/href="(#[^"]*top[^"]*)"/g)].map(([, link]) => link.slice(1));
  assert.deepEqual(inside, places);
  assert.equal(new Set(places).size, 3);
  assert.deepEqual(
    [...html.matchAll(/Note of (\w+)/g)].map(([, name]) => name),
    ['Red', 'Blue', 'Red'],
  );

  const parts = partsOf(contents[0]);
  const main = strFromU8(parts['word/document.xml']);
  const lists = [...main.matchAll(/<w:numId w:val="(\d+)"/g)].map(([, id]) => id);
  assert.equal(new Set(lists).size, 3);
  const styles = strFromU8(parts['word/styles.xml']);
  for (const style of ['Warning', 'Hint']) {
    assert.match(styles, new RegExp(`w:styleId="${style}"`));
    assert.match(main, new RegExp(`<w:pStyle w:val="${style}"/>`));
  }
  assert.equal([...styles.matchAll(/w:styleId="Heading1"/g)].length, 1);
  assert.equal([...main.matchAll(/<w:sectPr/g)].length, 3);
  const headers = Object.keys(parts).filter((path) => /^word\/header[^/]*\.xml$/.test(path));
  assert.deepEqual(
    headers.map((path) => /Header of (\w+)/.exec(strFromU8(parts[path]))[1]).sort(),
    ['Blue', 'Red', 'Red'],
  );
  const drawings = [...main.matchAll(/<wp:docPr [^>]*?id="(\d+)"/g)].map(([, id]) => id);
  assert.equal(new Set(drawings).size, 3);
});

test('a document without a header does not get that of the one before it', async () => {
  const plain = unzipSync(new Uint8Array(await readFile(join(folder, 'all', 'blue.docx'))));
  const main = strFromU8(plain['word/document.xml']).replace(/<w:headerReference[^>]*>/, '');
  plain['word/document.xml'] = strToU8(main);
  await writeFile(join(folder, 'plain.docx'), zipSync(plain));
  const second = await plugin.grantFile(join(folder, 'plain.docx'));
  const { contents } = await written('merge', { files: [files['red.docx'], second] });
  const parts = partsOf(contents[0]);
  const relations = strFromU8(parts['word/_rels/document.xml.rels']);
  const references = strFromU8(parts['word/document.xml']).matchAll(
    /<w:headerReference[^>]*r:id="([^"]*)"/g,
  );
  const headers = [...references].map(([, id]) => {
    const relation = relations.split('<Relationship ').find((one) => one.includes(`Id="${id}"`));
    return strFromU8(
      parts[
        posix.join('word', /Target="([^"]*)"/.exec(relation)[1]).replace('word/word/', 'word/')
      ],
    );
  });
  assert.equal(headers.length, 2);
  assert.match(headers[0], /Header of Red/);
  assert.doesNotMatch(headers[1], /<w:t/);
});

test('a DOCX file is split by headings, each with what it shows and no more', async () => {
  const { names, contents } = await written('split', { file: files['red.docx'], by: 'headings' });
  assert.deepEqual(names, ['1 start.docx', '2 Red one.docx', '3 Red two more.docx']);
  const [start, one, two] = await Promise.all(contents.map(htmlOf));
  assert.equal(start, '<p>Before the first heading of Red</p>');
  assert.match(
    one,
    /<ol><li>Red first<\/li><li>Red second<\/li><\/ol>.*example\.com\/Red.*Note of Red/,
  );
  assert.match(two, /<h1>Red two \/ more<\/h1>.*<img.*<h2>Red below two<\/h2><table>/);
  const media = contents.map(
    (bytes) => Object.keys(partsOf(bytes)).filter((path) => path.startsWith('word/media/')).length,
  );
  assert.deepEqual(media, [0, 0, 1]);
  for (const bytes of contents)
    assert.match(strFromU8(partsOf(bytes)['word/document.xml']), /headerReference/);
  const deep = await written('split', { file: files['red.docx'], level: 2 });
  assert.equal(deep.names.length, 4);
});

test('nodes are offered the ways in which their file can be split', async () => {
  const waysOf = async (name) =>
    (await plugin.call('splitWays', { file: files[name] })).map(({ value, about }) => [
      value,
      about,
    ]);
  assert.deepEqual(await waysOf('alpha.pdf'), [
    ['pages', '3'],
    ['headings', '3'],
  ]);
  assert.deepEqual(await waysOf('red.docx'), [['headings', '2']]);
  const levels = await plugin.call('headingLevels', { file: files['red.docx'] });
  assert.deepEqual(levels, [
    { value: 1, label: 'Level 1', about: '2' },
    { value: 2, label: 'Level 2', about: '3' },
  ]);
  const { headings } = await plugin.call('outline', { file: files['alpha.pdf'] });
  assert.deepEqual(headings.at(-1), { title: 'Alpha below', level: 2, page: 3 });
});

test('what is beyond a limit, or is no document, is said with its reason', async () => {
  const reasonOf = async (method, params) => (await failure(method, params)).data.reason;
  const read = async (name, content) => {
    await writeFile(join(folder, name), content);
    return reasonOf('text', { files: await plugin.grantFile(join(folder, name)) });
  };
  assert.equal(await read('a.doc', ''), 'old_format');
  assert.equal(await read('a.txt', ''), 'unknown_format');
  assert.equal(await read('a.pdf', '%PDF-1.7 nothing'), 'broken');
  assert.equal(await read('a.docx', 'PK'), 'broken');
  assert.equal(await read('locked.docx', Buffer.from('d0cf11e0a1b11ae1', 'hex')), 'protected');
  await writeFile(join(folder, 'large.pdf'), '');
  await truncate(join(folder, 'large.pdf'), 128 * 1024 * 1024 + 1);
  const large = await plugin.grantFile(join(folder, 'large.pdf'));
  assert.equal(await reasonOf('text', { files: large }), 'file_too_large');
  await rm(join(folder, 'large.pdf'));
  const output = await plugin.createOutput();
  const pair = [files['red.docx'], files['alpha.pdf']];
  assert.equal(await reasonOf('merge', { files: pair, output }), 'mixed_kinds');
  const many = Array.from({ length: 101 }, () => files['alpha.pdf']);
  assert.equal(await reasonOf('merge', { files: many, output }), 'too_many_files');
  const split = (params) => reasonOf('split', { output, ...params });
  assert.equal(await split({ file: files['red.docx'], by: 'pages' }), 'no_pages');
  const parts = Array.from({ length: 501 }, () => '1').join(',');
  assert.equal(await split({ file: files['alpha.pdf'], pages: parts }), 'too_many_parts');
  assert.deepEqual(await plugin.filesIn(output), []);
});

test('a DOCX file that says it unpacks to gigabytes is not unpacked', async () => {
  const bytes = Buffer.from(zipSync({ 'word/document.xml': new Uint8Array(10) }));
  bytes.writeUInt32LE(0x7fffffff, bytes.indexOf('PK\u0001\u0002') + 24);
  await writeFile(join(folder, 'bomb.docx'), bytes);
  const bomb = await plugin.grantFile(join(folder, 'bomb.docx'));
  const error = await failure('text', { files: bomb });
  assert.deepEqual(error.data, { reason: 'file_too_large', file: 'bomb.docx', limit: 384 });
});

test('a long call tells how far it is, and can be cancelled between files', async () => {
  const percents = [];
  const many = Array.from({ length: 20 }, () => files['alpha.pdf']);
  const onProgress = ({ percent }) => percents.push(percent);
  await plugin.call('search', { files: many, query: 'fox' }, { onProgress });
  assert.ok(percents.length >= 20);
  assert.deepEqual(
    percents,
    percents.toSorted((a, b) => a - b),
  );
  assert.equal(percents.at(-1), 100);

  const ending = new AbortController();
  const call = plugin.call(
    'search',
    { files: many, query: 'fox' },
    { signal: ending.signal, onProgress: () => ending.abort() },
  );
  await assert.rejects(call, /cancelled/);
  const again = await plugin.call('search', { files: files['alpha.pdf'], query: 'fox' });
  assert.equal(again.matches.length, 1);
});

test('the page searches, splits and merges, in both themes and languages', async () => {
  const { page, frame, pick, errors, exported } = opened;
  pick(files['alpha.pdf']);
  await frame.getByRole('button', { name: 'Add a file…' }).click();
  await frame.getByLabel('Text to find').fill('fox');
  await page.keyboard.press('Enter');
  await frame.getByText('Matches: 1. Files searched: 1.').waitFor();
  assert.equal(await frame.locator('mark').textContent(), 'fox');
  assert.deepEqual(await axeFindings(page), []);

  pick(files['beta.pdf']);
  await frame.getByRole('button', { name: 'Add a file…' }).click();
  await frame.getByRole('button', { name: 'Move beta.pdf up' }).click();
  await frame.getByRole('tab', { name: 'Merge' }).click();
  await frame.getByLabel('Name of the file').fill('both');
  await frame.getByRole('button', { name: 'Merge and save…' }).click();
  await frame.getByText('both.pdf is ready. Files merged: 2.').waitFor();
  await waitUntil(() => exported.length === 1);
  const merged = await readPdf(await plugin.readFileIn(exported[0], 'both.pdf'));
  assert.match(merged.pages[0].text, /Beta one/);

  await frame.getByRole('tab', { name: 'Split' }).click();
  await frame.getByLabel('Split', { exact: true }).selectOption('By bookmarks');
  await frame.getByRole('button', { name: 'Split and save…' }).click();
  await frame.getByText('Files written: 3').waitFor();
  await waitUntil(() => exported.length === 2);
  assert.equal((await plugin.filesIn(exported[1])).length, 3);
  assert.deepEqual(await axeFindings(page), []);
  assert.deepEqual(errors, []);

  const chinese = await plugin.page({ theme: 'dark', locale: 'zh-CN' });
  chinese.pick(files.all);
  await chinese.frame.getByRole('button', { name: '添加文件夹……' }).click();
  await chinese.frame.getByLabel('要查找的文本').fill('fox');
  await chinese.frame.getByRole('button', { name: '搜索' }).click();
  await chinese.frame.getByText('在 6 个文件中找到 2 处').waitFor();
  await chinese.frame.getByText('broken.pdf：已损坏').waitFor();
  await chinese.frame.getByRole('tab', { name: '合并' }).click();
  await chinese.frame.getByRole('button', { name: '合并并保存……' }).click();
  await chinese.frame.getByRole('alert').filter({ hasText: '只能合并同一种文件' }).waitFor();
  await chinese.frame.getByRole('tab', { name: '文本' }).click();
  await chinese.frame.getByRole('button', { name: '全部移除' }).click();
  chinese.pick(files['red.docx']);
  await chinese.frame.getByRole('button', { name: '添加文件……' }).click();
  await chinese.frame.getByRole('button', { name: '显示文本' }).click();
  await chinese.frame.getByText('Red below two').waitFor();
  assert.deepEqual(await axeFindings(chinese.page), []);
  assert.deepEqual(chinese.errors, []);
});

/** @param {() => boolean} condition */
async function waitUntil(condition) {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}
