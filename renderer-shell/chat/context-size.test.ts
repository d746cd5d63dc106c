import { expect, it } from 'vitest';
import { contextTokens } from './context-size.ts';

it('a conversation is as large as its words, its tool calls and its images', () => {
  expect(contextTokens({ messages: [], firstIndex: 0 })).toBe(0);
  const said = { role: 'user' as const, content: 'ö'.repeat(200) };
  expect(contextTokens({ messages: [said], firstIndex: 0 })).toBe(108);
  const tool = { type: 'tool' as const, id: 'a', name: 'x', arguments: 'b'.repeat(40), output: '' };
  const answered = { role: 'assistant' as const, content: '', parts: [tool] };
  expect(contextTokens({ messages: [said, answered], firstIndex: 0 })).toBe(126);
  const image = {
    type: 'image' as const,
    mimeType: 'image/png' as const,
    data: 'A'.repeat(90_000),
  };
  const shown = { role: 'user' as const, content: [image] };
  expect(contextTokens({ messages: [shown], firstIndex: 0 })).toBe(1_008);
});

it('what was not loaded counts as much as what was', () => {
  const said = { role: 'user' as const, content: 'a'.repeat(400) };
  expect(contextTokens({ messages: [said, said], firstIndex: 8 })).toBe(1_080);
});
