'use strict';

/**
 * Texts of the page by language. `data-text` in index.html names a key; `{words}` is replaced by a
 * value.
 */
const texts = {
  en: {
    title: '{{name}}',
    intro: 'Counts the words of a text file.',
    pick: 'Choose a file…',
    save: 'Save as CSV…',
    cancel: 'Cancel',
    total: '{words} words',
  },
  'zh-CN': {
    title: '{{name}}',
    intro: '统计文本文件中的单词。',
    pick: '选择文件……',
    save: '另存为 CSV……',
    cancel: '取消',
    total: '{words} 个单词',
  },
};
