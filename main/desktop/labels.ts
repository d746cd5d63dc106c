import { type InEachLanguage, languageOf } from '../../service/app/index.ts';

const en = {
  file: 'File',
  edit: 'Edit',
  view: 'View',
  window: 'Window',
  show: 'Show Plugin Host',
  quit: 'Quit',
  cancel: 'Cancel',
  cut: 'Cut',
  copy: 'Copy',
  paste: 'Paste',
  selectAll: 'Select all',
  copyLink: 'Copy link address',
  inspect: 'Inspect',
  noSuggestions: 'No suggestions',
  addToDictionary: 'Add to dictionary',
  dataMoved: (from: string, to: string) => `Your data moved from ${from} to ${to}.`,
  notStarted: 'Plugin Host could not start',
  runsActive: (count: number) =>
    count === 1 ? '1 run is active. Quit anyway?' : `${count} runs are active. Quit anyway?`,
  runsActiveDetail: 'Active runs stop. You can resume them later.',
  unsaved: 'Discard unsaved changes?',
  unsavedDetail: 'Some changes could not be saved. They are lost if you continue.',
  discard: 'Discard',
  keepEditing: 'Keep editing',
};
type Labels = typeof en;

const zh: Labels = {
  file: '文件',
  edit: '编辑',
  view: '显示',
  window: '窗口',
  show: '显示 Plugin Host',
  quit: '退出',
  cancel: '取消',
  cut: '剪切',
  copy: '复制',
  paste: '粘贴',
  selectAll: '全选',
  copyLink: '复制链接地址',
  inspect: '检查',
  noSuggestions: '没有建议',
  addToDictionary: '添加到词典',
  dataMoved: (from, to) => `您的数据已从 ${from} 移至 ${to}。`,
  notStarted: 'Plugin Host 无法启动',
  runsActive: (count) => `有 ${count} 个运行正在进行。仍要退出吗？`,
  runsActiveDetail: '正在进行的运行将停止，您可以稍后继续。',
  unsaved: '放弃未保存的更改？',
  unsavedDetail: '部分更改未能保存。如果继续，这些更改将丢失。',
  discard: '放弃',
  keepEditing: '继续编辑',
};

const labels: InEachLanguage<Labels> = { en, 'zh-CN': zh };

/** What the system shows of the app itself; the shell page has its own words. */
export const labelsOf = (language: string): Labels => labels[languageOf(language)];
