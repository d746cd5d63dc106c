import { z } from 'zod';
import { endpoint, token } from './endpoint.ts';

/** A text that a model stored for later conversations. Untrusted, since a model wrote it. */
export const Memory = z.object({
  id: z.string(),
  text: z.string(),
  tags: z.array(z.string()),
  createdAt: z.string(),
});
export type Memory = z.output<typeof Memory>;

export const memories = {
  list: endpoint({
    method: 'GET',
    path: '/api/memories',
    access: token,
    summary: 'What is remembered, the newest first, also while remembering is switched off',
    query: z.object({
      /** Words that must all occur in text or tags; case-insensitive. */
      q: z.string().max(1_000).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
      /** Id of the last memory of the previous page. */
      before: z.string().max(20).optional(),
    }),
    reply: z.array(Memory),
  }),
  forget: endpoint({
    method: 'DELETE',
    path: '/api/memories/{id}',
    access: token,
    summary: 'Forget one for good',
    params: z.object({ id: z.string().max(20) }),
    problems: ['unknown_memory'],
  }),
  forgetAll: endpoint({
    method: 'DELETE',
    path: '/api/memories',
    access: token,
    summary: 'Forget everything for good',
    reply: z.object({ forgotten: z.int() }),
  }),
} as const;
