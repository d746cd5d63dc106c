import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { badParams, createWorker, RpcError } from './plugin-kit/worker.mjs';
import { outlineOf, passagesOf } from './documents.mjs';
import { DocxPackage } from './docx/docx-package.mjs';
import { mergeDocx } from './docx/merge-docx.mjs';
import { docxParts, splitDocx } from './docx/split-docx.mjs';
import { bytesOf, grantedFile, grantedFiles } from './granted-files.mjs';
import { labelsOf } from './labels.mjs';
import { limits, refuse, shown } from './limits.mjs';
import { mergePdf } from './pdf/merge-pdf.mjs';
import { openPdf } from './pdf/open-pdf.mjs';
import { pdfParts, splitPdf } from './pdf/split-pdf.mjs';
import { finder } from './search.mjs';

const worker = createWorker();
const log = worker.log('documents');
let labels = labelsOf('en');

/** Returns a file name that is valid on every system. */
function fileName(text, ending) {
  const plain = text.replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ').replace(/\s+/g, ' ');
  const stem = [...plain]
    .slice(0, 80)
    .join('')
    .trim()
    .replace(/^\.+|\.+$/g, '');
  return `${stem === '' ? 'document' : stem}.${ending}`;
}

async function text({ files: given, pages, limit = 200_000 }, { signal, progress }) {
  const files = await grantedFiles(given);
  const documents = [];
  let room = limit;
  for (const [index, file] of files.entries()) {
    const onProgress = (share) => progress(((index + share) / files.length) * 100, file.name);
    const { pageCount, passages } = await passagesOf(file, { signal, onProgress, pages });
    const whole = passages
      .map((one) => one.text)
      .join('\n\n')
      .trim();
    const cut = whole.slice(0, room).toWellFormed();
    room -= cut.length;
    const truncated = cut.length < whole.length;
    documents.push({ file: file.name, kind: file.kind, pageCount, text: cut, truncated });
    onProgress(1);
  }
  return { documents };
}

async function search({ files: given, query, limit = 100, ...how }, { signal, progress }) {
  if (query.trim() === '') throw badParams('Write what is looked for.');
  const files = await grantedFiles(given);
  const find = finder(query, how);
  const matches = [];
  const skipped = [];
  let truncated = false;
  for (const [index, file] of files.entries()) {
    const onProgress = (share) => progress(((index + share) / files.length) * 100, file.name);
    try {
      const { passages } = await passagesOf(file, { signal, onProgress });
      if (passages.every((one) => one.text === ''))
        skipped.push({ file: file.name, reason: 'no_text' });
      for (const { page, heading, text: passage } of passages)
        for (const found of find(passage)) {
          if (matches.length < limit) matches.push({ file: file.name, page, heading, ...found });
          else truncated = true;
        }
    } catch (error) {
      signal.throwIfAborted();
      // A file that cannot be read does not hide the matches in others.
      const reason = error instanceof RpcError ? error.data?.reason : undefined;
      if (reason === undefined) log.warn(`${file.name} cannot be read: ${error.stack}`);
      skipped.push({ file: file.name, reason: reason ?? 'broken' });
    }
    onProgress(1);
    if (truncated) break;
  }
  return { files: files.length, matches, truncated, skipped };
}

async function split(params, { signal, progress }) {
  const file = await grantedFile(params.file);
  const bytes = await bytesOf(file);
  progress(5, file.name);
  const source =
    file.kind === 'pdf' ? await openPdf(bytes, file.name) : DocxPackage.open(bytes, file.name);
  const [partsOf, splitter] = file.kind === 'pdf' ? [pdfParts, splitPdf] : [docxParts, splitDocx];
  const parts = partsOf(source, params, file.name);
  if (parts.length > limits.parts)
    throw refuse('too_many_parts', `This makes more than ${shown(limits.parts)} files.`, {
      limit: limits.parts,
    });
  const digits = String(parts.length).length;
  const written = [];
  for await (const { title, bytes: part } of splitter(source, parts, { signal })) {
    const number = String(written.length + 1).padStart(digits, '0');
    const name = fileName(`${number} ${title}`, file.kind);
    await writeFile(join(params.output, name), part);
    written.push(name);
    progress(5 + (written.length / parts.length) * 95, name);
  }
  return { files: written };
}

async function merge({ files: given, output, name = 'merged' }, { signal, progress }) {
  const files = await grantedFiles(given, limits.mergedFiles);
  const [{ kind }] = files;
  const other = files.find((file) => file.kind !== kind);
  if (other !== undefined)
    throw refuse('mixed_kinds', `${other.name}: only files of one kind are merged, PDF or DOCX.`, {
      file: other.name,
    });
  if (files.reduce((sum, { size }) => sum + size, 0) > limits.mergedBytes)
    throw refuse('merge_too_large', 'Together the files are larger than 256 MiB.', { limit: 256 });
  const onProgress = (share) => progress(share * 95, 'merging');
  const merged = await (kind === 'pdf' ? mergePdf : mergeDocx)(files, { signal, onProgress });
  const file = fileName(name, kind);
  await writeFile(join(output, file), merged.bytes);
  return { file, files: files.length, pages: merged.pages ?? null };
}

/** PDF files can be split by pages; files with headings or bookmarks also by those. */
async function splitWays({ file: given }) {
  const { kind, pageCount, headings } = await outlineOf(await grantedFile(given));
  const ways = [];
  if (kind === 'pdf') ways.push({ value: 'pages', label: labels.pages, about: String(pageCount) });
  const top = headings.filter(({ level }) => level === 1).length;
  if (headings.length > 0)
    ways.push({ value: 'headings', label: labels[kind], about: String(top || headings.length) });
  return ways;
}

async function headingLevels({ file: given }) {
  const { headings } = await outlineOf(await grantedFile(given));
  const levels = [...new Set(headings.map(({ level }) => level))].sort((a, b) => a - b);
  return levels.map((level) => ({
    value: level,
    label: `${labels.level} ${level}`,
    about: String(headings.filter((one) => one.level <= level).length),
  }));
}

worker
  .onInitialize(({ locale }) => {
    labels = labelsOf(locale);
  })
  .method('text', text)
  .method('search', search)
  .method('outline', async ({ file }) => outlineOf(await grantedFile(file)))
  .method('split', split)
  .method('merge', merge)
  .method('splitWays', splitWays)
  .method('headingLevels', headingLevels)
  .run();
