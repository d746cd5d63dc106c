import { failure, jsonResult, type Tool, type ToolCall } from '../../tools/index.ts';
import type { TextSlice } from './attachment-store.ts';

/** An attached file with a stored text. */
export interface ReadableAttachment {
  name: string;
  read(part: { offset: number; limit: number }): Promise<TextSlice | null>;
}

const maxCharacters = 20_000;
const maxNamed = 20;

/**
 * Creates the tool that reads further parts of attached files that the model received shortened.
 */
export function readAttachmentTool(attachments: readonly ReadableAttachment[]): Tool {
  return {
    name: 'read_attachment',
    description:
      'Reads the text of a file that the user attached, by its name. A long one is read in parts: `offset` and `limit` count characters.',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        offset: { type: 'integer', minimum: 0, default: 0 },
        limit: { type: 'integer', minimum: 1, maximum: maxCharacters, default: maxCharacters },
      },
      required: ['name'],
      additionalProperties: false,
    },
    effect: 'read',
    run: (call) => read(attachments, call),
  };
}

async function read(attachments: readonly ReadableAttachment[], call: ToolCall) {
  const {
    name,
    offset = 0,
    limit = maxCharacters,
  } = call.arguments as {
    name: string;
    offset?: number;
    limit?: number;
  };
  // If several attached files have that name, the last one counts.
  const found = attachments.findLast((one) => one.name === name);
  const slice = await found?.read({ offset, limit });
  if (!slice) return failure(noSuchFile(name, attachments));
  const truncated = offset + slice.text.length < slice.totalCharacters;
  return jsonResult({
    text: slice.text,
    offset,
    totalCharacters: slice.totalCharacters,
    truncated,
  });
}

function noSuchFile(name: string, attachments: readonly ReadableAttachment[]): string {
  const names = [...new Set(attachments.map((one) => one.name))].slice(-maxNamed);
  return `No attached file with a readable text is called ${name.slice(0, 200)}. Those are: ${names.join(', ')}.`;
}
