'use strict';

/**
 * Renders the result of each method. `actions.showPlace(offset)` selects a position in the input.
 */
const RESULTS = (() => {
  const { element, number, text } = PluginPage;

  /** More rows would make the page slow; the count still includes all of them. */
  const MAX_ROWS = 500;
  const MAX_VALUE_LENGTH = 2_000;

  const hint = (words) => element('p', { class: 'hint', text: words });

  function output(written) {
    const area = element('textarea', {
      class: 'mono',
      rows: 16,
      readonly: '',
      spellcheck: 'false',
      'aria-label': text('result'),
    });
    area.value = written;
    const button = element('button', { type: 'button', text: text('copy') });
    button.addEventListener('click', () => {
      // Sandboxed frames have no Clipboard API, but this older command works.
      area.select();
      button.textContent = text(document.execCommand('copy') ? 'copied' : 'copyFailed');
    });
    return { area, button };
  }

  function format(result) {
    const { area, button } = output(result.text);
    return [element('div', { class: 'row head' }, [button]), area];
  }

  function minify(result) {
    const { area, button } = output(result.text);
    const sizes = {
      before: number(result.charactersBefore),
      after: number(result.charactersAfter),
    };
    return [element('div', { class: 'row head' }, [hint(text('size', sizes)), button]), area];
  }

  function validate(result, actions) {
    if (!result.valid) {
      const { message, offset, ...place } = result.error;
      const button = element('button', { type: 'button', text: text('show') });
      button.addEventListener('click', () => actions.showPlace(offset));
      return [
        element('div', { class: 'row' }, [
          element('p', { class: 'verdict bad', text: text('invalid', place) }),
          button,
        ]),
        hint(message),
      ];
    }
    const verdict = text('valid', { type: text(result.type) });
    const parts = [element('p', { class: 'verdict good', text: verdict })];
    if (result.duplicateKeys.length > 0) {
      const items = result.duplicateKeys.map(({ path, ...place }) =>
        element('li', {}, [element('code', { text: path }), ` ${text('place', place)}`]),
      );
      parts.push(hint(text('duplicates')), element('ul', {}, items));
    }
    return parts;
  }

  function shortValue(value) {
    const written = JSON.stringify(value, null, 2);
    if (written.length <= MAX_VALUE_LENGTH) return written;
    return `${written.slice(0, MAX_VALUE_LENGTH)} …`;
  }

  const pre = (value) =>
    value === undefined ? '' : element('pre', { class: 'mono', text: shortValue(value) });

  function table(heads, rows) {
    const cells = heads.map((key) => element('th', { scope: 'col', text: text(key) }));
    return element('table', {}, [
      element('thead', {}, [element('tr', {}, cells)]),
      element('tbody', {}, rows),
    ]);
  }

  function counted(summary, all) {
    const more = all.length > MAX_ROWS ? ` ${text('more', { shown: number(MAX_ROWS) })}` : '';
    return hint(summary + more);
  }

  const pathCell = (path) =>
    element('td', {}, [element('code', { text: path === '' ? text('root') : path })]);

  function diff({ equal, changes, truncated }) {
    if (equal) return [element('p', { class: 'verdict good', text: text('equal') })];
    const rows = changes
      .slice(0, MAX_ROWS)
      .map(({ path, kind, before, after }) =>
        element('tr', {}, [
          element('td', { class: 'kind' }, [
            element('span', { class: `badge ${kind}`, text: text(kind) }),
          ]),
          pathCell(path),
          element('td', {}, [pre(before)]),
          element('td', {}, [pre(after)]),
        ]),
      );
    const count = number(changes.length) + (truncated ? '+' : '');
    return [
      counted(text('changes', { count }), changes),
      table(['kind', 'at', 'before', 'after'], rows),
    ];
  }

  function query({ matches, truncated }) {
    if (matches.length === 0) return [hint(text('noMatches'))];
    const rows = matches
      .slice(0, MAX_ROWS)
      .map(({ path, value }) =>
        element('tr', {}, [pathCell(path), element('td', {}, [pre(value)])]),
      );
    const count = number(matches.length) + (truncated ? '+' : '');
    return [counted(text('matches', { count }), matches), table(['at', 'value'], rows)];
  }

  return { format, minify, validate, diff, query };
})();
