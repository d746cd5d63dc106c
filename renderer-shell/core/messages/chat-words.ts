import en from '../../locales/chat.en.json' with { type: 'json' };
import zhCN from '../../locales/chat.zh-CN.json' with { type: 'json' };
import { addWords } from './words.ts';

addWords({ en, 'zh-CN': zhCN });
