import { z } from 'zod';

/**
 * A message of the host that can be translated: a code of the message catalogs, and the parameters
 * of its text. A parameter is a string (a name, or text that is not from the host), a number, a
 * message, or a list of these.
 */
export const HostMessage = z.object({
  code: z.string(),
  parameters: z.record(z.string(), z.unknown()).optional(),
});
export type HostMessage = z.output<typeof HostMessage>;

/** A reason in English, and as a message if the host wrote it. */
export interface HostReason {
  reason: string;
  reasonMessage?: HostMessage | undefined;
}
