import en from '../../locales/flows.en.json' with { type: 'json' };
import zhCN from '../../locales/flows.zh-CN.json' with { type: 'json' };
import { addWords } from '../../core/messages/words.ts';
import '../../core/messages/chat-words.ts';

addWords({ en, 'zh-CN': zhCN });
