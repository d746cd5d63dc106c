import en from '../../locales/plugins.en.json' with { type: 'json' };
import zhCN from '../../locales/plugins.zh-CN.json' with { type: 'json' };
import { addWords } from './words.ts';

addWords({ en, 'zh-CN': zhCN });
