import { z } from 'zod';
import { endpoint, token } from './endpoint.ts';

export const answerFrames = {
  show: endpoint({
    method: 'GET',
    path: '/api/ai/answer-frames',
    access: token,
    summary: 'Addresses of the sandboxed frames that show what an answer contains',
    reply: z.object({
      /** Shows HTML that it receives as a message. */
      page: z.string(),
      /** Draws Mermaid diagrams that it receives through a message port. */
      diagram: z.string(),
    }),
  }),
} as const;
