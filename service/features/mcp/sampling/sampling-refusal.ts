import { type Message, textOf } from '../../../messages/index.ts';

/** JSON-RPC and MCP error codes of refused sampling requests. */
const refusalCodes = {
  declined: -1,
  off: -32_601,
  invalid: -32_602,
  failed: -32_603,
} as const;

/** Refusal of a sampling request, with a text for the untrusted server. */
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
