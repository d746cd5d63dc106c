import { expect, it } from 'vitest';
import { AiMode, SourceKind } from '../../../service/contract/index.ts';
import chatEnglish from '../../locales/chat.en.json' with { type: 'json' };
import chatChinese from '../../locales/chat.zh-CN.json' with { type: 'json' };
import storeEnglish from '../../locales/store.en.json' with { type: 'json' };
import storeChinese from '../../locales/store.zh-CN.json' with { type: 'json' };

it('each model backend and each kind of source has its words', () => {
  for (const { model, modelPicker } of [chatEnglish, chatChinese]) {
    expect(Object.keys(model.mode).sort()).toEqual([...AiMode.options].sort());
    expect(Object.keys(modelPicker.mode).sort()).toEqual([...AiMode.options].sort());
  }
  for (const { store } of [storeEnglish, storeChinese])
    expect(Object.keys(store.kinds).sort()).toEqual(['auto', ...SourceKind.options].sort());
});
