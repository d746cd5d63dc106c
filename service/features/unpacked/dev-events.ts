import { z } from 'zod';
import { UnpackedFinding } from '../../contract/index.ts';

const findings = z.array(UnpackedFinding);

/** A line of `plugin-host-plugin dev --json`. */
const DevEvent = z.discriminatedUnion('event', [
  z.object({ event: z.literal('installed'), id: z.string(), version: z.string(), findings }),
  z.object({ event: z.literal('refused'), findings }),
  z.object({ event: z.literal('failed'), message: z.string() }),
]);
export type DevEvent = z.output<typeof DevEvent>;

/** Returns null for a line that is not an event. */
export function devEventOf(line: string): DevEvent | null {
  try {
    return DevEvent.parse(JSON.parse(line));
  } catch {
    return null;
  }
}
