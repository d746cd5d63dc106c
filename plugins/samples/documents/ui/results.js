'use strict';

/** Renders the panel for each kind of result. */
const RESULTS = {
  search({ files, matches, truncated, skipped }) {
    const { text, number, element } = PluginPage;
    const counts = { count: number(matches.length), files: number(files) };
    const key = truncated ? 'firstMatches' : matches.length === 0 ? 'noMatches' : 'matches';
    const items = matches.map(({ file, page, heading, excerpt, start, length }) => {
      const place = page !== null ? 'onPage' : heading !== null ? 'below' : null;
      const where = place === null ? file : text(place, { file, page, heading });
      return element('li', {}, [
        element('div', { class: 'hint', text: where }),
        excerpt.slice(0, start),
        element('mark', { text: excerpt.slice(start, start + length) }),
        excerpt.slice(start + length),
      ]);
    });
    const left = skipped.map(({ file, reason }) =>
      element('li', { text: text(`reason.${reason}`, { file }) }),
    );
    return [
      element('p', { role: 'status', text: text(key, counts) }),
      element('ol', { class: 'matches' }, items),
      ...(left.length > 0
        ? [element('p', { class: 'hint', text: text('skipped') }), element('ul', {}, left)]
        : []),
    ];
  },

  text({ documents }) {
    const { text, number, element } = PluginPage;
    return documents.flatMap(({ file, pageCount, text: content, truncated }) => {
      const values = { file, count: number(pageCount ?? 0) };
      const title = pageCount === null ? file : text('pageCount', values);
      const attributes = {
        class: 'document-text',
        tabindex: '0',
        role: 'region',
        'aria-label': file,
      };
      return [
        element('h2', { text: title }),
        content === ''
          ? element('p', { class: 'hint', text: text(truncated ? 'truncated' : 'noText') })
          : element('pre', { ...attributes, text: content }),
        ...(truncated && content !== ''
          ? [element('p', { class: 'hint', text: text('truncated') })]
          : []),
      ];
    });
  },

  split({ files }) {
    const { text, number, element } = PluginPage;
    return [
      element('p', { role: 'status', text: text('wrote', { count: number(files.length) }) }),
      element(
        'ul',
        {},
        files.map((name) => element('li', { text: name })),
      ),
    ];
  },

  merge({ file, files }) {
    const { text, number, element } = PluginPage;
    return [element('p', { role: 'status', text: text('merged', { file, count: number(files) }) })];
  },
};
