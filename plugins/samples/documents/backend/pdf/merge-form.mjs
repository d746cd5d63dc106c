import { PDFArray, PDFDict, PDFHexString, PDFName } from '@cantoo/pdf-lib';
import { textOf } from './destinations.mjs';

const name = (text) => PDFName.of(text);

/**
 * Copies the form fields whose pages were all copied. Renames a field if the target has one with
 * the same name, as they would share one value.
 * @param {import('@cantoo/pdf-lib').PDFDocument} target
 * @param {import('@cantoo/pdf-lib').PDFDocument} source
 * @param {ReturnType<import('./copy-pages.mjs').copyPages>} copy
 */
export function mergeForm(target, source, copy) {
  const form = source.context.lookup(source.catalog.get(name('AcroForm')));
  if (!(form instanceof PDFDict)) return;
  const fields = source.context.lookup(form.get(name('Fields')));
  if (!(fields instanceof PDFArray) || fields.size() === 0) return;
  const own = formOf(target);
  const all = target.context.lookup(own.get(name('Fields')));
  const used = new Set(all.asArray().map((field) => nameOf(target.context.lookup(field))));
  for (const field of fields.asArray()) {
    const copied = copy(field);
    const dictionary = target.context.lookup(copied);
    if (!(dictionary instanceof PDFDict)) continue;
    const wanted = nameOf(dictionary);
    let free = wanted;
    for (let number = 2; used.has(free); number++) free = `${wanted}_${number}`;
    used.add(free);
    if (free !== wanted) dictionary.set(name('T'), PDFHexString.fromText(free));
    // A signature is invalid after merging.
    if (dictionary.get(name('FT')) === name('Sig')) dictionary.delete(name('V'));
    all.push(copied);
  }
  for (const key of ['DA', 'Q', 'NeedAppearances'])
    if (own.get(name(key)) === undefined && form.get(name(key)) !== undefined)
      own.set(name(key), copy(form.get(name(key))));
  addResources(target, own, form.get(name('DR')) && copy(form.get(name('DR'))));
}

function formOf(document) {
  const { context, catalog } = document;
  const found = context.lookup(catalog.get(name('AcroForm')));
  if (found instanceof PDFDict) return found;
  const made = context.obj({ Fields: [] });
  catalog.set(name('AcroForm'), context.register(made));
  return made;
}

const nameOf = (field) => (field instanceof PDFDict ? textOf(field.lookup(name('T'))) : '');

/** Adds resources of fields, such as fonts; for equal names the first one wins. */
function addResources({ context }, form, given) {
  const added = given && context.lookup(given);
  if (!(added instanceof PDFDict)) return;
  const own = context.lookup(form.get(name('DR')));
  if (!(own instanceof PDFDict)) {
    form.set(name('DR'), added);
    return;
  }
  for (const [kind, value] of added.entries()) {
    const [mine, theirs] = [context.lookup(own.get(kind)), context.lookup(value)];
    if (mine === undefined) own.set(kind, value);
    else if (mine instanceof PDFDict && theirs instanceof PDFDict)
      for (const [key, one] of theirs.entries()) if (!mine.has(key)) mine.set(key, one);
  }
}
