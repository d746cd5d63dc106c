import type { Effect } from '../../../contract/index.ts';
import type { CommandPattern } from './command-pattern.ts';
import type { Message } from '../../../messages/index.ts';

/** One line of the settings. `text` is the line as written, without the blanks around it. */
export type Rule = { text: string } & (
  | { kind: 'command'; pattern: CommandPattern }
  | { kind: 'tool'; glob: string }
  | { kind: 'effect'; effect: Effect }
  /** Without a tool: every tool of the server. */
  | { kind: 'mcp'; server: string; tool: string }
  /** A host and what is below it; `*` is any. */
  | { kind: 'webFetch'; host: string; onlyBelow: boolean }
);

/** An invalid line in a list of rules. */
export interface RuleProblem {
  /** Counted from 1. */
  line: number;
  text: string;
  message: Message;
}
