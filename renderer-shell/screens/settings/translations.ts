import { addTexts } from '../../core/messages/translator.ts';
import { texts } from '../../../service/messages/en.json?groups=settings,providers,prompts,usage,imports,theme,desktop,logLevel,logArea,isolation,rules,sections,approvals,hooks,webSearch,computer,memory,work,data,update,diagnostics,hosts,aboutHost&shell';
import '../../core/messages/plugin-translations.ts';
import '../../core/messages/chat-translations.ts';

addTexts(texts);
