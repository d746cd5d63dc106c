import en from '../../locales/flows.en.json' with { type: 'json' };
import zhCN from '../../locales/flows.zh-CN.json' with { type: 'json' };
import { addWords } from '../../words/words.ts';
import '../chat/words.ts';

addWords({ en, 'zh-CN': zhCN });
