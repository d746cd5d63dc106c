'use strict';

const texts = {
  en: {
    title: 'Notes',
    intro: 'Keeps short notes in a database of its own.',
    text: 'New note',
    add: 'Add',
    search: 'Search notes',
    remove: 'Delete “{text}”',
    removeShort: 'Delete',
    cancel: 'Cancel',
    progress: 'Progress',
  },
  'zh-CN': {
    title: '笔记',
    intro: '在自己的数据库中保存简短的笔记。',
    text: '新笔记',
    add: '添加',
    search: '搜索笔记',
    remove: '删除“{text}”',
    removeShort: '删除',
    cancel: '取消',
    progress: '进度',
  },
};
