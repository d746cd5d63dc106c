import { domAccessors } from './dom-accessors.ts';

/*
 * Each of these is a self-contained function that runs inside a page in an isolated world, and
 * stops after `most` characters.
 */

/** The visible text. */
export const readText = String.raw`function readText(most) {
  ${domAccessors}
  const blocks =
    /^(?:address|article|aside|blockquote|br|dd|div|dl|dt|fieldset|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|tr|ul|button|option)$/;
  const skipped = /^(?:script|style|noscript|template|svg|head|iframe|object|canvas)$/;
  const parts = [];
  let length = 0;
  const add = (text) => {
    length += text.length;
    parts.push(text);
  };
  const walk = (node, depth) =>
    eachShown(node, (child) => {
      if (length > most || depth >= 400) return false;
      if (isText(child)) add(textOf(child, most));
      if (!isElement(child)) return true;
      const tag = tagOf(child);
      if (skipped.test(tag) || !isSeen(child)) return true;
      const isBlock = blocks.test(tag);
      if (isBlock) add('\n');
      else if (tag === 'td' || tag === 'th') add('\t');
      walk(child, depth + 1);
      if (isBlock) add('\n');
      return true;
    });
  walk(bodyOf(document) ?? document, 0);
  return parts
    .join('')
    .replaceAll(/[^\S\n]*\n[^\S\n]*/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}`;

/** The visible elements as HTML, with the attributes that describe what an element is and does. */
export const readDom = String.raw`function readDom(most) {
  ${domAccessors}
  const skipped = /^(?:script|style|noscript|template|head|link|meta|path|defs)$/;
  const told =
    /^(?:id|name|type|href|src|alt|title|placeholder|value|for|role|action|method|checked|disabled|selected|required|readonly|multiple|open|aria-.+)$/;
  const empty = /^(?:area|base|br|col|embed|hr|img|input|source|track|wbr)$/;
  const parts = [];
  let length = 0;
  const add = (text) => {
    length += text.length;
    parts.push(text);
  };
  const escaped = (text) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  const toldOf = (element) => {
    let text = '';
    for (const { name, value } of attributesOf(element)) {
      if (!told.test(name)) continue;
      // The value of a password field is never read.
      if (name === 'value' && attributeOf(element, 'type')?.toLowerCase() === 'password') continue;
      const short = value.length > 200 ? value.slice(0, 200) + '…' : value;
      text += value === '' ? ' ' + name : ' ' + name + '="' + escaped(short) + '"';
      if (text.length > 1_000) break;
    }
    return text;
  };
  const walk = (node, depth) =>
    eachShown(node, (child) => {
      if (length > most || depth >= 400) return false;
      if (isText(child)) {
        const text = textOf(child, most);
        if (text.trim() !== '') add(escaped(text));
      }
      if (!isElement(child)) return true;
      const tag = tagOf(child);
      // The options of a select count as visible, since opening it shows them.
      if (skipped.test(tag) || !(isSeen(child) || /^opt(?:ion|group)$/.test(tag))) return true;
      add('\n' + ' '.repeat(Math.min(depth, 20)) + '<' + tag.slice(0, 60) + toldOf(child) + '>');
      if (empty.test(tag)) return true;
      if (tag !== 'svg') walk(child, depth + 1);
      add('</' + tag.slice(0, 60) + '>');
      return true;
    });
  walk(bodyOf(document) ?? document, 0);
  return parts.join('').trim();
}`;
