import { addTexts } from './translator.ts';
import { texts } from '../../../service/messages/en.json?groups=answer&shell';

addTexts(texts);
