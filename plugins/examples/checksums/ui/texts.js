'use strict';

const texts = {
  en: {
    title: 'Checksums',
    intro: 'Computes the SHA-256 of every file in a folder.',
    pick: 'Choose a folder…',
    cancel: 'Cancel',
    progress: 'Progress',
    result: '{count} files, {bytes} bytes',
  },
  'zh-CN': {
    title: '校验和',
    intro: '计算文件夹中每个文件的 SHA-256。',
    pick: '选择文件夹…',
    cancel: '取消',
    progress: '进度',
    result: '{count} 个文件，{bytes} 字节',
  },
};
