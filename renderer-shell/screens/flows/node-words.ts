import en from '../../locales/nodes.en.json' with { type: 'json' };
import zhCN from '../../locales/nodes.zh-CN.json' with { type: 'json' };
import { addWords } from '../../core/messages/words.ts';

addWords({ en, 'zh-CN': zhCN });
