import en from '../../locales/home.en.json' with { type: 'json' };
import zhCN from '../../locales/home.zh-CN.json' with { type: 'json' };
import { addWords } from './words.ts';

addWords({ en, 'zh-CN': zhCN });
