import en from '../../locales/setup.en.json' with { type: 'json' };
import zhCN from '../../locales/setup.zh-CN.json' with { type: 'json' };
import { addWords } from '../../core/messages/words.ts';

addWords({ en, 'zh-CN': zhCN });
