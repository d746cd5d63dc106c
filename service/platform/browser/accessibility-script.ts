import { domAccessors } from './dom-accessors.ts';

/** Role of an element: its own attribute, otherwise that of HTML. */
const roles = String.raw`
  const known = new Set(
    ('alert alertdialog application article banner blockquote button caption cell checkbox code columnheader ' +
      'combobox complementary contentinfo definition deletion dialog directory document emphasis feed figure form ' +
      'grid gridcell group heading img image insertion link list listbox listitem log main mark marquee math menu ' +
      'menubar menuitem menuitemcheckbox menuitemradio meter navigation note option paragraph progressbar radio ' +
      'radiogroup region row rowheader scrollbar search searchbox separator slider spinbutton status strong ' +
      'subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree ' +
      'treegrid treeitem generic none presentation').split(' '),
  );
  const byTag = {
    article: 'article', aside: 'complementary', blockquote: 'blockquote', button: 'button', caption: 'caption',
    code: 'code', dd: 'definition', del: 'deletion', details: 'group', dialog: 'dialog', dt: 'term',
    em: 'emphasis', fieldset: 'group', figure: 'figure', form: 'form', h1: 'heading', h2: 'heading',
    h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading', hr: 'separator', iframe: 'iframe', ins: 'insertion',
    li: 'listitem', main: 'main', mark: 'mark', math: 'math', menu: 'list', meter: 'meter', nav: 'navigation',
    ol: 'list', optgroup: 'group', option: 'option', output: 'status', p: 'paragraph', progress: 'progressbar',
    search: 'search', section: 'region', strong: 'strong', sub: 'subscript', summary: 'button', sup: 'superscript',
    svg: 'image', table: 'table', textarea: 'textbox', time: 'time', tr: 'row', ul: 'list',
    audio: 'audio', canvas: 'canvas', video: 'video', embed: 'embed', object: 'object',
  };
  const byType = {
    button: 'button', checkbox: 'checkbox', color: 'color', file: 'button', hidden: '', image: 'button',
    number: 'spinbutton', radio: 'radio', range: 'slider', reset: 'button', search: 'searchbox', submit: 'button',
  };
  // Left out without a name.
  const onlyNamed = new Set(['form', 'region', 'image', 'canvas', 'embed', 'object', 'generic']);
  const roleOf = (element, tag) => {
    for (const token of (attributeOf(element, 'role') ?? '').slice(0, 200).toLowerCase().split(/\s+/)) {
      if (!known.has(token)) continue;
      if (token === 'none' || token === 'presentation' || token === 'generic') return 'generic';
      return token === 'img' ? 'image' : token;
    }
    if (tag === 'a' || tag === 'area') return attributeOf(element, 'href') === null ? 'generic' : 'link';
    if (tag === 'li' && /^(?:none|presentation)$/.test(attributeOf(parentOf(element) ?? element, 'role')))
      return 'generic';
    if (tag === 'img') return attributeOf(element, 'alt') === '' ? 'generic' : 'picture';
    if (tag === 'input' && isOfHtml(element))
      return byType[element.type] ?? (attributeOf(element, 'list') === null ? 'textbox' : 'combobox');
    if (tag === 'select' && isOfHtml(element)) return element.multiple || element.size > 1 ? 'listbox' : 'combobox';
    if (tag === 'header' || tag === 'footer') {
      const isOfPart = closest(element, 'article,aside,main,nav,section') !== null;
      if (isOfPart) return 'generic';
      return tag === 'header' ? 'banner' : 'contentinfo';
    }
    if (tag === 'td' || tag === 'th') {
      const isOfGrid = closest(element, '[role=grid],[role=treegrid]') !== null;
      if (tag === 'td') return isOfGrid ? 'gridcell' : 'cell';
      return attributeOf(element, 'scope') === 'row' ? 'rowheader' : 'columnheader';
    }
    if (attributeOf(element, 'contenteditable') !== null && element.isContentEditable) return 'textbox';
    return (Object.hasOwn(byTag, tag) && byTag[tag]) || 'generic';
  };
`;

/** Name of an element, by the rules of accessible names. */
const names = String.raw`
  const fromContent =
    /^(?:button|cell|checkbox|columnheader|gridcell|heading|link|menuitem.*|option|radio|rowheader|switch|tab|tooltip|treeitem)$/;
  const namedBy = { fieldset: 'legend', table: 'caption', svg: 'title' };
  // Content that a style adds before or after; icon fonts are not text.
  const generated = (element, where) => {
    const { content } = getComputedStyle(element, where);
    if (!content.startsWith('"')) return '';
    return content.slice(1, -1).replaceAll(/\\(.)/g, '$1').replaceAll(/\p{Co}/gu, '').slice(0, maxName);
  };
  const contentOf = (node, depth = 0) => {
    let text = generated(node, '::before');
    eachShown(node, (child) => {
      if (text.length > maxName || depth > 100 || isTooMuch()) return false;
      if (isText(child)) text += textOf(child, maxName);
      else if (isElement(child)) text += partOf(child, depth + 1);
      return true;
    });
    return text + generated(node, '::after');
  };
  // Contribution of an element to the name of another.
  const partOf = (element, depth) => {
    const tag = tagOf(element);
    if (/^(?:input|select|textarea|script|style|noscript|template)$/.test(tag)) return '';
    if (attributeOf(element, 'aria-hidden') === 'true' || !isSeen(element)) return '';
    const own = clean(attributeOf(element, 'aria-label'));
    if (own !== '') return own;
    if (tag === 'img') return attributeOf(element, 'alt') ?? '';
    const text = tag === 'svg' ? childText(element, 'title') : contentOf(element, depth);
    return inline.test(tag) ? text : ' ' + text + ' ';
  };
  const childText = (element, tag) => {
    let text = '';
    eachShown(element, (child) => {
      if (!isElement(child) || tagOf(child) !== tag) return !isTooMuch();
      text = contentOf(child);
      return false;
    });
    return text;
  };
  const labelsOf = (element) => {
    const { labels } = element;
    return labels instanceof NodeList ? Array.from(labels, (label) => contentOf(label)).join(' ') : '';
  };
  const buttonText = (element) => {
    if (element.type === 'image') return attributeOf(element, 'alt') || 'Submit';
    if (element.type === 'file') return 'Choose file';
    return element.value || { submit: 'Submit', reset: 'Reset' }[element.type] || '';
  };
  const ownName = (element, tag, role) => {
    if (tag === 'img' || tag === 'area') return attributeOf(element, 'alt') ?? '';
    if (Object.hasOwn(namedBy, tag)) return childText(element, namedBy[tag]);
    if (/^(?:input|select|textarea|button|meter|output|progress)$/.test(tag) && isOfHtml(element)) {
      const labels = clean(labelsOf(element));
      if (labels !== '') return labels;
      if (tag === 'input' && role === 'button') return buttonText(element);
    }
    if (tag === 'option' || tag === 'optgroup') {
      const label = attributeOf(element, 'label');
      if (label) return label;
    }
    return fromContent.test(role) ? contentOf(element) : '';
  };
  const nameFor = (element, tag, role) => {
    const ids = attributeOf(element, 'aria-labelledby');
    if (ids) {
      const root = rootOf(element);
      const said = ids.slice(0, 1_000).trim().split(/\s+/, 10).map((id) => {
        const other = byId(root, id);
        return other ? attributeOf(other, 'aria-label') || contentOf(other) : '';
      });
      const text = clean(said.join(' '));
      if (text !== '') return text;
    }
    return (
      clean(attributeOf(element, 'aria-label')) ||
      clean(ownName(element, tag, role)) ||
      clean(attributeOf(element, 'title')) ||
      clean(attributeOf(element, 'placeholder') ?? attributeOf(element, 'aria-placeholder'))
    );
  };
`;

/** Value and states of an element. */
const states = String.raw`
  const valueOf = (element, role) => {
    if (element instanceof HTMLInputElement) {
      // The value of a password field is never read.
      if (element.type === 'password') return element.value === '' ? '' : '•••';
      return /^(?:button|checkbox|radio)$/.test(role) ? '' : element.value;
    }
    if (element instanceof HTMLTextAreaElement) return element.value;
    if (element instanceof HTMLSelectElement)
      return role === 'combobox' && element.selectedIndex >= 0
        ? contentOf(element.options[element.selectedIndex])
        : '';
    if (element instanceof HTMLProgressElement)
      return attributeOf(element, 'value') === null ? '' : String(element.value);
    if (element instanceof HTMLMeterElement) return String(element.value);
    return attributeOf(element, 'aria-valuetext') ?? attributeOf(element, 'aria-valuenow') ?? '';
  };
  const statesOf = (element, tag, role) => {
    const aria = (name) => (attributeOf(element, 'aria-' + name) ?? '').slice(0, 20).trim().toLowerCase();
    const found = [];
    const tell = (name, value) => {
      if (value === true || value === 'true') found.push(name);
      else if (value && value !== 'false') found.push(name + '=' + String(value).slice(0, 20));
    };
    const isInput = element instanceof HTMLInputElement;
    if (isInput && (role === 'checkbox' || role === 'radio' || role === 'switch'))
      tell('checked', element.indeterminate ? 'mixed' : element.checked);
    else tell('checked', aria('checked'));
    tell('disabled', matches(element, ':disabled') || aria('disabled'));
    if (tag === 'summary') tell('expanded', attributeOf(parentOf(element) ?? element, 'open') !== null);
    else tell('expanded', aria('expanded'));
    tell('focused', element === focused);
    const ownLevel = /^h[1-6]$/.test(tag) ? tag[1] : '2';
    tell('level', aria('level') || (role === 'heading' && ownLevel));
    tell('pressed', aria('pressed'));
    const isField = isInput || element instanceof HTMLTextAreaElement;
    tell('readonly', (isField && element.readOnly) || aria('readonly'));
    tell('required', matches(element, ':required') || aria('required'));
    tell('selected', (element instanceof HTMLOptionElement && element.selected) || aria('selected'));
    tell('multiselectable', (tag === 'select' && element.multiple) || aria('multiselectable'));
    tell('modal', (tag === 'dialog' && matches(element, ':modal')) || aria('modal'));
    tell('invalid', aria('invalid'));
    return found;
  };
`;

/**
 * The accessibility tree with one node per line: `- role "name" value="…" [level=1]`, children
 * indented. Chromium's own tree is several times slower, since it is built and sent as a whole
 * before it can be shortened.
 */
export const readAccessibility = String.raw`function readAccessibility(most) {
  ${domAccessors}
  const maxName = 300;
  const maxText = 1_000;
  const maxVisited = 50_000;
  const maxMs = 2_000;
  const closest = method(Element, 'closest');
  const matches = method(Element, 'matches');
  const parentOf = getter(Node, 'parentElement');
  const rootOf = method(Node, 'getRootNode');
  const byId = (root, id) =>
    (root instanceof ShadowRoot ? ShadowRoot : Document).prototype.getElementById.call(root, id);
  const isOfHtml = (element) => element instanceof HTMLElement;
  const clean = (text) => (text ?? '').slice(0, 4 * maxName).replaceAll(/\s+/g, ' ').trim().slice(0, maxName);
  const inline =
    /^(?:a|abbr|b|bdi|bdo|big|cite|data|font|i|kbd|label|nobr|q|s|samp|slot|small|span|tt|u|var|wbr)$/;
  const body = bodyOf(document);
  const active = getter(Document, 'activeElement')(document);
  const focused = active === body ? null : active;
  let visited = 0;
  const until = performance.now() + maxMs;
  const isTooMuch = () => {
    visited += 1;
    if (visited % 256 === 0 && performance.now() > until) visited = maxVisited + 1;
    return visited > maxVisited;
  };
  ${roles}
  ${names}
  ${states}
  const lines = [];
  let length = 0;
  let pending = '';
  const add = (depth, line) => {
    const text = '  '.repeat(Math.min(depth, 40)) + '- ' + line;
    length += text.length + 1;
    lines.push(text);
  };
  // Adjacent texts are joined; a text that repeats the name above it is left out.
  const flush = ({ depth, above }) => {
    const text = pending.trim();
    pending = '';
    if (text === '' || above.includes(text.slice(0, maxName).trim())) return;
    add(depth, 'text ' + JSON.stringify(text.slice(0, maxText)));
  };
  const lineOf = (element, { tag, role, name }) => {
    const value = clean(valueOf(element, role));
    const told = statesOf(element, tag, role);
    return (
      (role === 'picture' ? 'image' : role) +
      (name === '' ? '' : ' ' + JSON.stringify(name)) +
      (value === '' || value === name ? '' : ' value=' + JSON.stringify(value)) +
      (told.length === 0 ? '' : ' [' + told.join(', ') + ']')
    );
  };
  const skipped = /^(?:script|style|noscript|template|head|link|meta|title|path|defs|symbol)$/;
  const leaf = /^(?:input|textarea|iframe|canvas|audio|video|object|embed|progress|meter|img)$/;
  const tellOptions = (select, at) => {
    for (const option of Array.prototype.slice.call(select.options, 0, 200)) {
      if (length > most) return;
      add(at.depth, lineOf(option, { tag: 'option', role: 'option', name: nameFor(option, 'option', 'option') }));
    }
  };
  const tellElement = (element, at) => {
    const tag = tagOf(element);
    if (skipped.test(tag) || attributeOf(element, 'aria-hidden') === 'true' || matches(element, '[inert]')) return;
    const isShown = isSeen(element);
    // An invisible element may contain visible ones.
    if (!isShown && !checkVisibility(element) && !isOnlyContents(element)) return;
    const role = isShown ? roleOf(element, tag) : 'generic';
    const name = isShown && role !== '' ? nameFor(element, tag, role) : '';
    const isTold = isShown && role !== '' && (name !== '' || !onlyNamed.has(role));
    const isBreak = isTold || !inline.test(tag);
    if (isBreak) flush(at);
    const saysContent = fromContent.test(role) || Object.hasOwn(namedBy, tag);
    const inside = isTold ? { depth: at.depth + 1, above: saysContent ? name : '' } : at;
    if (isTold) add(at.depth, lineOf(element, { tag, role, name }));
    if (element instanceof HTMLSelectElement) tellOptions(element, inside);
    else if (!leaf.test(tag)) {
      if (isShown) pending += generated(element, '::before');
      walk(element, { ...inside, isShown, nesting: at.nesting + 1 });
      if (isShown) pending += generated(element, '::after');
    }
    if (isBreak) flush(inside);
  };
  const walk = (node, at) =>
    eachShown(node, (child) => {
      if (length > most || at.nesting >= 400 || isTooMuch()) return false;
      if (pending.length > maxText) flush(at);
      if (isText(child)) pending += at.isShown ? textOf(child, maxText) : '';
      else if (isElement(child)) tellElement(child, at);
      return true;
    });
  const title = clean(getter(Document, 'title')(document));
  add(0, 'document' + (title === '' ? '' : ' ' + JSON.stringify(title)));
  const top = { depth: 1, above: '', isShown: true, nesting: 0 };
  walk(body ?? document, top);
  flush(top);
  if (visited > maxVisited) lines.push('… (cut here)');
  return lines.join('\n');
}`;
