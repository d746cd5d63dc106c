import { addTexts } from '../../core/messages/translator.ts';
import { texts } from '../../../service/messages/en.json?groups=setup&shell';

addTexts(texts);
