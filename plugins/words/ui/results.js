'use strict';

/** Renders the result of each method. */
const RESULTS = (() => {
  const { element, number, percent, text } = PluginPage;

  const tile = (key, value) =>
    element('div', { class: 'tile' }, [
      element('dt', { text: text(key) }),
      element('dd', { text: value }),
    ]);

  const tiles = (result, keys) =>
    element(
      'dl',
      { class: 'tiles' },
      keys.map(([key, digits = 0]) => tile(key, number(result[key], digits))),
    );

  const count = (result) => [
    tiles(result, [
      ['words'],
      ['characters'],
      ['charactersWithoutSpaces'],
      ['sentences'],
      ['paragraphs'],
      ['lines'],
    ]),
  ];

  function frequency({ words, totalWords, distinctWords }) {
    if (words.length === 0) return [element('p', { class: 'hint', text: text('noWords') })];
    const most = words[0].count;
    const head = ['word', 'times', 'share'].map((key, column) =>
      element('th', { scope: 'col', class: column > 0 ? 'number' : null, text: text(key) }),
    );
    const rows = words.map(({ word, count: times, share }) => {
      const bar = element('span', { class: 'bar' });
      bar.style.width = `${(100 * times) / most}%`;
      return element('tr', {}, [
        element('td', { class: 'word' }, [bar, element('span', { text: word })]),
        element('td', { class: 'number', text: number(times) }),
        element('td', { class: 'number', text: percent(share) }),
      ]);
    });
    const values = { total: number(totalWords), distinct: number(distinctWords) };
    return [
      element('p', { class: 'hint', text: text('frequencySummary', values) }),
      element('table', {}, [
        element('thead', {}, [element('tr', {}, head)]),
        element('tbody', {}, rows),
      ]),
    ];
  }

  function readability(result) {
    if (result.fleschReadingEase === null) {
      return [element('p', { class: 'hint', text: text(result.reason) })];
    }
    const ease = result.fleschReadingEase;
    const mark = element('span', { class: 'mark' });
    mark.style.left = `${Math.max(0, Math.min(100, ease))}%`;
    return [
      element('p', { class: 'ease' }, [
        element('strong', { text: number(ease, 1) }),
        element('span', { text: text(result.level) }),
      ]),
      element('div', { class: 'scale', role: 'img', 'aria-label': text(result.level) }, [mark]),
      element('p', { class: 'hint', text: text('easeHint') }),
      element('dl', { class: 'tiles' }, [
        tile('grade', number(result.fleschKincaidGrade, 1)),
        tile('wordsPerSentence', number(result.wordsPerSentence, 1)),
        tile('syllablesPerWord', number(result.syllablesPerWord, 2)),
        tile('words', number(result.words)),
        tile('sentences', number(result.sentences)),
        tile('syllables', number(result.syllables)),
      ]),
    ];
  }

  return { count, frequency, readability };
})();
