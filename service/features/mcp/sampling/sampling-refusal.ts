import { type Message, textOf } from '../../../messages/index.ts';

/** What JSON-RPC and MCP call what can go wrong with a request for an answer of the model. */
const refusalCodes = {
  declined: -1,
  off: -32_601,
  invalid: -32_602,
  failed: -32_603,
} as const;

/** Why a server gets no answer of the model, in words for that server: a stranger. */
export class SamplingRefusal extends Error {
  readonly code: number;
  readonly text: Message;

  constructor(why: keyof typeof refusalCodes, text: Message, cause?: unknown) {
    super(textOf(text), { cause });
    this.name = 'SamplingRefusal';
    this.code = refusalCodes[why];
    this.text = text;
  }
}
