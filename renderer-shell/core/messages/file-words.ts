import en from '../../locales/files.en.json' with { type: 'json' };
import zhCN from '../../locales/files.zh-CN.json' with { type: 'json' };
import { addWords } from './words.ts';

addWords({ en, 'zh-CN': zhCN });
