import { addTexts } from '../../core/messages/translator.ts';
import { texts } from '../../../service/messages/en.json?groups=agent&shell';
import '../../core/messages/chat-translations.ts';

addTexts(texts);
