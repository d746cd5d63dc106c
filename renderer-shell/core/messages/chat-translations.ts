import { addTexts } from './translator.ts';
import { texts } from '../../../service/messages/en.json?groups=chat,tool,approval,mode,model,question,modelPicker,context&shell';

addTexts(texts);
