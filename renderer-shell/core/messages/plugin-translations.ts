import { addTexts } from './translator.ts';
import { texts } from '../../../service/messages/en.json?groups=plugins,plugin,state,trouble,source,about,permission,install,uninstall,config,logs,level,brought,trust,hookEvent,grants,pluginErrors&shell';

addTexts(texts);
