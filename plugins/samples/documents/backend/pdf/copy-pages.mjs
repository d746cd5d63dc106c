import { PDFArray, PDFDict, PDFName, PDFNull, PDFObjectCopier, PDFPage } from '@cantoo/pdf-lib';
import { destinations } from './destinations.mjs';

const name = (text) => PDFName.of(text);

/**
 * Appends pages of one document to another, with pictures and links. Links between copied pages
 * lead to the copies; other internal links are dropped. (The library's `copyPages` would copy the
 * target page of each link again.)
 * @param {import('@cantoo/pdf-lib').PDFDocument} target
 * @param {import('@cantoo/pdf-lib').PDFDocument} source
 * @param {number[]} numbers of the pages, from 0
 * @returns {(object: import('@cantoo/pdf-lib').PDFObject) => import('@cantoo/pdf-lib').PDFObject} a
 * function that copies another object of the source, in which pages become the copies
 */
export function copyPages(target, source, numbers) {
  nameTargets(source);
  const pages = source.getPages();
  const copier = PDFObjectCopier.for(source.context, target.context);
  // Registering the pages first copies each page once, and none because another page refers to it.
  for (const { ref } of pages) copier.traversedObjects.set(ref, PDFNull);
  const refs = numbers.map((number) => {
    const ref = target.context.nextRef();
    copier.traversedObjects.set(pages[number].ref, ref);
    return ref;
  });
  numbers.forEach((number, index) => {
    const leaf = copier.copy(pages[number].node);
    dropDeadLinks(leaf, target.context);
    target.context.assign(refs[index], leaf);
    target.addPage(PDFPage.of(leaf, refs[index], target));
  });
  return (object) => copier.copy(object);
}

/** Replaces named destinations, which belong to their document, by explicit pages. */
function nameTargets(source) {
  const targetOf = destinations(source);
  for (const { node } of source.getPages())
    for (const link of linksOf(node, source.context)) {
      const isNamed = link.get(name('Dest')) !== undefined || isGoTo(link, source.context);
      if (!isNamed) continue;
      link.set(name('Dest'), targetOf(link) ?? source.context.obj([PDFNull]));
      link.delete(name('A'));
    }
}

function isGoTo(link, context) {
  const action = context.lookup(link.get(name('A')));
  return action instanceof PDFDict && action.get(name('S')) === name('GoTo');
}

const annotationsOf = (page, context) => {
  const found = context.lookup(page.get(name('Annots')));
  return found instanceof PDFArray ? found.asArray() : [];
};

const linksOf = (page, context) =>
  annotationsOf(page, context)
    .map((one) => context.lookup(one))
    .filter((one) => one instanceof PDFDict && one.get(name('Subtype')) === name('Link'));

function dropDeadLinks(page, context) {
  const annotations = annotationsOf(page, context);
  const alive = annotations.filter((one) => {
    const link = context.lookup(one);
    if (!(link instanceof PDFDict)) return false;
    const place = context.lookup(link.get(name('Dest')));
    return !(place instanceof PDFArray && place.get(0) === PDFNull);
  });
  if (alive.length < annotations.length) page.set(name('Annots'), context.obj(alive));
}
