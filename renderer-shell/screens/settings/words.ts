import en from '../../locales/settings.en.json' with { type: 'json' };
import zhCN from '../../locales/settings.zh-CN.json' with { type: 'json' };
import { addWords } from '../../core/messages/words.ts';
import '../../core/messages/plugin-words.ts';
import '../../core/messages/chat-words.ts';

addWords({ en, 'zh-CN': zhCN });
