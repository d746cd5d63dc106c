import { addTexts } from './translator.ts';
import { texts } from '../../../service/messages/en.json?groups=home,category&shell';

addTexts(texts);
