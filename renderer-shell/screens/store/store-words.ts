import en from '../../locales/store.en.json' with { type: 'json' };
import zhCN from '../../locales/store.zh-CN.json' with { type: 'json' };
import { addWords } from '../../words/words.ts';
import '../chat/words.ts';
import '../plugins/words.ts';

addWords({ en, 'zh-CN': zhCN });
