import { expect, it } from 'vitest';
import settings from '../../locales/settings.en.json' with { type: 'json' };
import { loadTranslations } from '../../core/messages/translator.ts';

it('each section has a name, and a text of what it holds', async () => {
  await loadTranslations('en');
  const { sections } = await import('./sections.tsx');
  const texts: Record<string, string> = settings.sections;
  const ids = sections.map(({ id }) => id);
  expect(Object.keys(texts)).toEqual(expect.arrayContaining(ids));
  const described = Object.keys(texts).filter((name) => Object.hasOwn(texts, `${name}Text`));
  expect(described).toEqual(ids);
});
