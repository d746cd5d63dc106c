import type { Effect } from '../../../contract/index.ts';
import type { CommandPattern } from './command-pattern.ts';
import type { Message } from '../../../messages/index.ts';

/** One line of the settings. `text` is the line as written, trimmed. */
export type Rule = { text: string } & (
  | { kind: 'command'; pattern: CommandPattern }
  | { kind: 'tool'; glob: string }
  | { kind: 'effect'; effect: Effect }
  /** Null tool: every tool of the server. */
  | { kind: 'mcp'; server: string; tool: string }
  /** A host, and with `onlyBelow` only its subdomains; `*` matches any host. */
  | { kind: 'webFetch'; host: string; onlyBelow: boolean }
);

/** An invalid line in a list of rules. */
export interface RuleProblem {
  /** Counted from 1. */
  line: number;
  text: string;
  message: Message;
}
