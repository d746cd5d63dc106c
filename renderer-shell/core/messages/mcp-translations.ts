import { addTexts } from './translator.ts';
import { texts } from '../../../service/messages/en.json?groups=mcp,mcpState,mcpTrouble,mcpAdvice,mcpTransport,mcpTransportText,mcpFact,mcpForm,mcpImport,mcpSignIn,mcpEffect,mcpEffectText,mcpTry&shell';
import './plugin-translations.ts';
import './chat-translations.ts';

addTexts(texts);
