import { z } from 'zod';
import { HostMessage } from './host-message.ts';

/** RFC 9457. `code` is a stable snake_case identifier; `detail` is a sentence for a person. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  /** The message of `detail`; absent if the text is not from the host. */
  message: HostMessage.optional(),
  errors: z
    .array(
      z.object({
        path: z.string(),
        message: z.string(),
        text: HostMessage.optional(),
        /** Line in the submitted text, from 1. */
        line: z.int().optional(),
        column: z.int().optional(),
        /** The value that was probably meant. */
        suggestion: z.string().optional(),
      }),
    )
    .optional(),
  rpcCode: z.int().optional(),
  /** The run that the problem is about, if it is another one. */
  runId: z.string().optional(),
  /** Data next to the sentence, such as program output, a schema or a response. */
  details: z.string().optional(),
});
export type Problem = z.output<typeof Problem>;
