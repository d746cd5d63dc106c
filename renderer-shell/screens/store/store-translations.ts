import { addTexts } from '../../core/messages/translator.ts';
import { texts } from '../../../service/messages/en.json?groups=store&shell';
import '../../core/messages/chat-translations.ts';
import '../../core/messages/plugin-translations.ts';

addTexts(texts);
