import { type ModelMessage, type ModelTool, tokensOfText } from '../../models/index.ts';

const perMessage = 8;
/** Estimated tokens of an image of any size. */
const perImage = 1_000;

/** Estimated by UTF-8 bytes, which is precise enough for every language and needs no tokenizer. */
export function tokensOfMessage(message: ModelMessage): number {
  if (message.role === 'tool') {
    return message.results.reduce(
      (sum, { output, images = [] }) => sum + tokensOfText(output) + images.length * perImage,
      perMessage,
    );
  }
  const parts = message.content.reduce(
    (sum, part) => sum + (part.type === 'text' ? tokensOfText(part.text) : perImage),
    perMessage,
  );
  if (message.role === 'user') return parts;
  const calls = message.toolCalls ?? [];
  return calls.reduce((sum, call) => sum + tokensOfText(call.name + call.arguments), parts);
}

export const tokensOfTools = (tools: readonly ModelTool[]): number =>
  tools.reduce((sum, tool) => sum + tokensOfText(JSON.stringify(tool)), 0);
