import { addTexts } from '../../core/messages/translator.ts';
import { texts } from '../../../service/messages/en.json?groups=hostNode,hostTemplate&shell';

addTexts(texts);
