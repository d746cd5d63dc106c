'use strict';

const texts = {
  en: {
    title: 'Tidy lines',
    intro: 'Removes repeated and empty lines from a text file.',
    pick: 'Choose a file…',
    sort: 'Sort the lines',
    cancel: 'Cancel',
    progress: 'Progress',
    result: '{kept} lines kept, {removed} removed',
  },
  'zh-CN': {
    title: '整理行',
    intro: '删除文本文件中的重复行和空行。',
    pick: '选择文件…',
    sort: '对行排序',
    cancel: '取消',
    progress: '进度',
    result: '保留 {kept} 行，删除 {removed} 行',
  },
};
