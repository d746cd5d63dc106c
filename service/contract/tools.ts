import { z } from 'zod';
import { endpoint, token } from './endpoint.ts';
import { Effect } from './manifest.ts';

/** A tool as models see it, from any source. */
export const ToolDescription = z.object({
  name: z.string(),
  description: z.string(),
  /** A JSON Schema of an object. */
  inputSchema: z.record(z.string(), z.unknown()),
  /** Only included on request. */
  effect: Effect.optional(),
});
export type ToolDescription = z.output<typeof ToolDescription>;

export const tools = {
  list: endpoint({
    method: 'GET',
    path: '/api/agent/tools',
    access: token,
    summary: 'The tools that a model can call now',
    query: z.object({ effects: z.enum(['true', 'false']).optional() }),
    reply: z.array(ToolDescription),
  }),
} as const;
