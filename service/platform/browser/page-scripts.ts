/*
  Each of these is a function that runs inside a page, in a world of its own: it holds all that it needs,
  and stops when it has `most` characters.
*/

/** What is there to be walked through. */
export const sizeOf = String.raw`function sizeOf() {
  let characters = 0;
  const elements = document.getElementsByTagName('*');
  const attributes = Object.getOwnPropertyDescriptor(Element.prototype, 'attributes').get;
  const count = elements.length;
  for (let at = 0; at < count && at <= 20_000; at += 1)
    for (const { value } of attributes.call(elements[at])) characters += value.length;
  const texts = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
  for (let seen = 0; seen < 200_000 && texts.nextNode(); seen += 1)
    characters += texts.currentNode.length;
  return { elements: count, characters };
}`;

/** The text that is seen. */
export const readText = String.raw`function readText(most) {
  // A form may name a field as one of its own properties.
  const getter = (of, name) => Object.getOwnPropertyDescriptor(of.prototype, name).get;
  const [first, next, nodeName] = ['firstChild', 'nextSibling', 'nodeName'].map((name) => getter(Node, name));
  const shadow = getter(Element, 'shadowRoot');
  const isHidden = (element) =>
    Element.prototype.checkVisibility.call(element, { visibilityProperty: true }) === false;
  const blocks =
    /^(?:ADDRESS|ARTICLE|ASIDE|BLOCKQUOTE|BR|DD|DIV|DL|DT|FIELDSET|FIGURE|FOOTER|FORM|H[1-6]|HEADER|HR|LI|MAIN|NAV|OL|P|PRE|SECTION|TABLE|TR|UL|BUTTON|OPTION)$/;
  const skipped = /^(?:SCRIPT|STYLE|NOSCRIPT|TEMPLATE|SVG|HEAD|IFRAME|OBJECT|CANVAS)$/;
  const parts = [];
  let length = 0;
  const add = (text) => {
    length += text.length;
    parts.push(text);
  };
  const walk = (node, depth) => {
    for (let child = first.call(node); child && length <= most && depth < 400; child = next.call(child)) {
      if (child.nodeType === Node.TEXT_NODE)
        add(child.substringData(0, most + 1).replaceAll(/\s+/g, ' '));
      if (child.nodeType !== Node.ELEMENT_NODE) continue;
      const element = child;
      const tag = nodeName.call(element).toUpperCase();
      if (skipped.test(tag) || isHidden(element))
        continue;
      const isBlock = blocks.test(tag);
      if (isBlock) add('\n');
      else if (tag === 'TD' || tag === 'TH') add('\t');
      walk(shadow.call(element) ?? element, depth + 1);
      if (isBlock) add('\n');
    }
  };
  walk(document.body ?? document, 0);
  return parts
    .join('')
    .replaceAll(/[^\S\n]*\n[^\S\n]*/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}`;

/** The elements that are seen, as HTML with the attributes that say what an element is and does. */
export const readDom = String.raw`function readDom(most) {
  const getter = (of, name) => Object.getOwnPropertyDescriptor(of.prototype, name).get;
  const [first, next, nodeName] = ['firstChild', 'nextSibling', 'nodeName'].map((name) => getter(Node, name));
  const shadow = getter(Element, 'shadowRoot');
  const isHidden = (element) =>
    Element.prototype.checkVisibility.call(element, { visibilityProperty: true }) === false;
  const attributes = getter(Element, 'attributes');
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
  const attributesOf = (element) => {
    let text = '';
    for (const { name, value } of attributes.call(element)) {
      if (!told.test(name)) continue;
      // What a password field holds is nobody's business.
      if (name === 'value' && Element.prototype.getAttribute.call(element, 'type') === 'password') continue;
      const short = value.length > 200 ? value.slice(0, 200) + '…' : value;
      text += value === '' ? ' ' + name : ' ' + name + '="' + escaped(short) + '"';
      if (text.length > 1_000) break;
    }
    return text;
  };
  const walk = (node, depth) => {
    for (let child = first.call(node); child && length <= most && depth < 400; child = next.call(child)) {
      if (child.nodeType === Node.TEXT_NODE) {
        const text = child.substringData(0, most + 1).replaceAll(/\s+/g, ' ');
        if (text.trim() !== '') add(escaped(text));
      }
      if (child.nodeType !== Node.ELEMENT_NODE) continue;
      const element = child;
      const tag = nodeName.call(element).toLowerCase();
      if (skipped.test(tag) || isHidden(element))
        continue;
      add('\n' + ' '.repeat(Math.min(depth, 20)) + '<' + tag.slice(0, 60) + attributesOf(element) + '>');
      if (empty.test(tag)) continue;
      if (tag !== 'svg') walk(shadow.call(element) ?? element, depth + 1);
      add('</' + tag.slice(0, 60) + '>');
    }
  };
  walk(document.body ?? document, 0);
  return parts.join('').trim();
}`;
