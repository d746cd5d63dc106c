import { expect, it } from 'vitest';
import { AiMode, SourceKind } from '../../../service/contract/index.ts';
import chat from '../../locales/chat.en.json' with { type: 'json' };
import storeMessages from '../../locales/store.en.json' with { type: 'json' };

// The other languages have the keys of English.
it('each model backend and each kind of source has its words', () => {
  const modes = [...AiMode.options].sort();
  expect(Object.keys(chat.model.mode).sort()).toEqual(modes);
  expect(Object.keys(chat.modelPicker.mode).sort()).toEqual(modes);
  const kinds = Object.keys(storeMessages.store.kinds).sort();
  expect(kinds).toEqual(['auto', ...SourceKind.options].sort());
});
