import en from '../../locales/mcp.en.json' with { type: 'json' };
import zhCN from '../../locales/mcp.zh-CN.json' with { type: 'json' };
import { addWords } from './words.ts';
import './plugin-words.ts';
import './chat-words.ts';

addWords({ en, 'zh-CN': zhCN });
