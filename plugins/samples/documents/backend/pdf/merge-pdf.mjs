import { PDFDocument, PDFHexString, PDFName } from '@cantoo/pdf-lib';
import { bytesOf } from '../granted-files.mjs';
import { limits, pause, refuse, shown } from '../limits.mjs';
import { copyPages } from './copy-pages.mjs';
import { bookmarks } from './destinations.mjs';
import { mergeForm } from './merge-form.mjs';
import { openPdf } from './open-pdf.mjs';

/**
 * Merges documents, with a bookmark for each file and the file's own bookmarks below it.
 * @param {import('../granted-files.mjs').GrantedFile[]} files
 * @param {{ signal: AbortSignal, onProgress: (share: number) => void }} reporting
 */
export async function mergePdf(files, { signal, onProgress }) {
  const merged = await PDFDocument.create({ updateMetadata: false });
  const outline = [];
  for (const [index, file] of files.entries()) {
    const source = await openPdf(await bytesOf(file), file.name);
    const first = merged.getPageCount();
    const count = source.getPageCount();
    if (first + count > limits.pages)
      throw refuse('too_many_pages', `Together they have more than ${shown(limits.pages)} pages.`, {
        file: file.name,
        limit: limits.pages,
      });
    const copy = copyPages(merged, source, source.getPageIndices());
    mergeForm(merged, source, copy);
    if (count > 0)
      outline.push({
        title: file.name.replace(/\.pdf$/i, ''),
        level: 1,
        target: merged.context.obj([merged.getPage(first).ref, 'Fit']),
      });
    for (const { title, level, target } of bookmarks(source))
      outline.push({ title, level: level + 1, target: copy(target) });
    onProgress((index + 1) / files.length);
    await pause(signal);
  }
  addOutline(merged, outline);
  return { bytes: await merged.save(), pages: merged.getPageCount() };
}

/** @param {{ title: string, level: number, target: import('@cantoo/pdf-lib').PDFArray }[]} items */
function addOutline(document, items) {
  const { context, catalog } = document;
  const root = { ref: context.nextRef(), level: 0, children: [] };
  const open = [root];
  for (const { title, level, target } of items) {
    while (open.at(-1).level >= level) open.pop();
    const item = { ref: context.nextRef(), level, children: [], title, target };
    open.at(-1).children.push(item);
    open.push(item);
  }
  const write = ({ ref, title, target, children }, { parent, previous, next } = {}) => {
    const entries = { Parent: parent, Prev: previous, Next: next };
    if (title !== undefined)
      Object.assign(entries, { Title: PDFHexString.fromText(title), Dest: target });
    else entries.Type = 'Outlines';
    if (children.length > 0) {
      entries.First = children[0].ref;
      entries.Last = children.at(-1).ref;
      // A negative count means that the item is collapsed.
      entries.Count = parent === undefined ? children.length : -children.length;
    }
    const known = Object.entries(entries).filter(([, value]) => value !== undefined);
    context.assign(ref, context.obj(Object.fromEntries(known)));
    for (const [at, child] of children.entries())
      write(child, { parent: ref, previous: children[at - 1]?.ref, next: children[at + 1]?.ref });
  };
  write(root);
  catalog.set(PDFName.of('Outlines'), root.ref);
}
