import { failure, jsonResult, type Tool, type ToolCall } from '../../tools/index.ts';
import type { TextSlice } from './attachment-store.ts';

/** A file of the conversation whose text is stored. */
export interface ReadableAttachment {
  name: string;
  read(part: { offset: number; limit: number }): Promise<TextSlice | null>;
}

const mostCharacters = 20_000;
const maxNamed = 20;

/** Reads on where the model was given head and tail of a file. */
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
        limit: { type: 'integer', minimum: 1, maximum: mostCharacters, default: mostCharacters },
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
    limit = mostCharacters,
  } = call.arguments as {
    name: string;
    offset?: number;
    limit?: number;
  };
  // Of several files of that name it is the one that was attached last.
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
