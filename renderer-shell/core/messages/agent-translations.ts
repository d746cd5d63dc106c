import { addTexts } from './translator.ts';
import { texts } from '../../../service/messages/en.json?groups=agent&shell';
import './chat-translations.ts';

addTexts(texts);
