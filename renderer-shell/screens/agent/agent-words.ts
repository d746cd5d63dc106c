import en from '../../locales/agent.en.json' with { type: 'json' };
import zhCN from '../../locales/agent.zh-CN.json' with { type: 'json' };
import { addWords } from '../../words/words.ts';
import '../chat/words.ts';

addWords({ en, 'zh-CN': zhCN });
