import en from '../../locales/store.en.json' with { type: 'json' };
import zhCN from '../../locales/store.zh-CN.json' with { type: 'json' };
import { addWords } from '../../core/messages/words.ts';
import '../../core/messages/chat-words.ts';
import '../../core/messages/plugin-words.ts';

addWords({ en, 'zh-CN': zhCN });
