'use strict';

/** The texts of the page. `data-text` in index.html names a key; `{words}` is filled in. */
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
