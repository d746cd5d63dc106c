import { z } from 'zod';

/**
 * What the host says, for whoever shows it in another language than English: a code of the message
 * catalogs, and what is put into its text. A parameter is a string (what others said or are called), a
 * number, a message, or a list of these.
 */
export const HostMessage = z.object({
  code: z.string(),
  parameters: z.record(z.string(), z.unknown()).optional(),
});
export type HostMessage = z.output<typeof HostMessage>;

/** In English, and as a message where the host says it. */
export interface HostReason {
  reason: string;
  reasonMessage?: HostMessage | undefined;
}
