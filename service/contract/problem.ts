import { z } from 'zod';
import { HostMessage } from './host-message.ts';

/** RFC 9457. `code` is a stable snake_case word; `detail` is a sentence for the person who reads it. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  /** The code of `detail`; missing where others said it. */
  message: HostMessage.optional(),
  errors: z
    .array(
      z.object({
        path: z.string(),
        message: z.string(),
        text: HostMessage.optional(),
        /** Where in the text that was sent, from 1. */
        line: z.int().optional(),
        column: z.int().optional(),
        /** The word that was most likely meant. */
        suggestion: z.string().optional(),
      }),
    )
    .optional(),
  rpcCode: z.int().optional(),
  /** The run that is meant, where it is another one. */
  runId: z.string().optional(),
  /** Data beside the sentence: what a program wrote, a schema, an answer. */
  details: z.string().optional(),
});
export type Problem = z.output<typeof Problem>;
