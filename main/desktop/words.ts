import { type InEachLanguage, languageOf } from '../../service/app/index.ts';

const en = {
  file: 'File',
  edit: 'Edit',
  view: 'View',
  window: 'Window',
  show: 'Show Plugin Host',
  quit: 'Quit',
  notStarted: 'Plugin Host could not start',
};
type Words = typeof en;

const zh: Words = {
  file: '文件',
  edit: '编辑',
  view: '显示',
  window: '窗口',
  show: '显示 Plugin Host',
  quit: '退出',
  notStarted: 'Plugin Host 无法启动',
};

const words: InEachLanguage<Words> = { en, 'zh-CN': zh };

/** What the system shows of the app itself; the shell page has its own words. */
export const wordsOf = (language: string): Words => words[languageOf(language)];
