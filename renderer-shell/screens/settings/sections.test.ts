import { expect, it } from 'vitest';
import en from '../../../service/messages/en.json' with { type: 'json' };

it('each section has a name and a description', async () => {
  const { sections } = await import('./sections.tsx');
  const texts: Record<string, string> = en.shell.sections;
  const ids = sections.map(({ id }) => id);
  expect(Object.keys(texts)).toEqual(expect.arrayContaining(ids));
  const described = Object.keys(texts).filter((name) => Object.hasOwn(texts, `${name}Text`));
  expect(described).toEqual(ids);
});
