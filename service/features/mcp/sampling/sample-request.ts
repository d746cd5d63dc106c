import type { ModelMessage, ModelPart } from '../../models/index.ts';
import { maxImageCharacters, shownImages } from '../../tools/index.ts';
import { visible } from '../tools/visible.ts';
import { SamplingRefusal } from './sampling-refusal.ts';
import { type Message, msg } from '../../../messages/index.ts';

const maxMessages = 100;
/** Total of all texts, since the user has to read them. */
const maxCharacters = 100_000;
const maxImages = 5;
const maxTokens = 8_192;
const maxStops = 16;

/** A validated sampling request. */
export interface SampleRequest {
  system?: string;
  messages: Exclude<ModelMessage, { role: 'tool' }>[];
  maxTokens: number;
  /** The answer ends before the first of these. */
  stops: string[];
}

/** The fields read of `sampling/createMessage`. */
export interface SamplingParams {
  messages: SampleMessage[];
  systemPrompt?: string | undefined;
  maxTokens: number;
  stopSequences?: string[] | undefined;
  tools?: unknown;
  toolChoice?: unknown;
}

interface SampleMessage {
  role: 'user' | 'assistant';
  content: Block | Block[];
}

type Block =
  | { type: 'text'; text: string }
  | { type: 'image'; mimeType: string; data: string }
  | { type: 'audio' | 'tool_use' | 'tool_result' };

/**
 * Validates a request and makes all of its text visible. Model preferences, other servers' context
 * and temperature are ignored.
 * @throws SamplingRefusal if it is not supported
 */
export function sampleRequestOf(params: SamplingParams): SampleRequest {
  const { messages, systemPrompt = '', stopSequences = [] } = params;
  if (params.tools !== undefined || params.toolChoice !== undefined)
    throw refused(msg('sampling.noTools'));
  if (messages.length === 0 || messages.length > maxMessages)
    throw refused(msg('sampling.messageCount', { limit: maxMessages }));
  if (stopSequences.length > maxStops)
    throw refused(msg('sampling.tooManyStops', { limit: maxStops }));
  const request: SampleRequest = {
    ...(systemPrompt === '' ? {} : { system: visible(systemPrompt) }),
    messages: messages.map(messageOf),
    maxTokens: Math.min(Math.max(Math.floor(params.maxTokens), 1), maxTokens),
    stops: stopSequences.filter((stop) => stop !== ''),
  };
  checkSize(request);
  return request;
}

function messageOf({ role, content }: SampleMessage): SampleRequest['messages'][number] {
  const blocks = Array.isArray(content) ? content : [content];
  return { role, content: blocks.map((block) => partOf(block, role)) };
}

function partOf(block: Block, role: SampleMessage['role']): ModelPart {
  if (block.type === 'text') return { type: 'text', text: visible(block.text) };
  if (block.type !== 'image') throw refused(msg('sampling.otherParts', { type: block.type }));
  const mimeType = block.mimeType.toLowerCase();
  if (role !== 'user' || !shownImages.has(mimeType)) throw refused(msg('sampling.otherImages'));
  if (block.data.length > maxImageCharacters) throw refused(msg('sampling.imageTooLarge'));
  return { type: 'image', mimeType, data: block.data };
}

function checkSize({ system = '', messages, stops }: SampleRequest): void {
  const parts = messages.flatMap(({ content }) => content);
  const texts = [system, ...stops, ...parts.map((part) => (part.type === 'text' ? part.text : ''))];
  if (texts.reduce((sum, { length }) => sum + length, 0) > maxCharacters)
    throw refused(msg('sampling.tooLong', { limit: maxCharacters }));
  if (parts.filter(({ type }) => type === 'image').length > maxImages)
    throw refused(msg('sampling.tooManyImages', { limit: maxImages }));
}

/** The complete request as the user sees it before any of it is sent to the model. */
export function questionOf(request: SampleRequest, model: string): Message {
  const { system, messages, maxTokens: tokens } = request;
  const parts = messages.map(
    ({ role, content }) => `${role}:\n${content.map(partText).join('\n')}`,
  );
  if (system !== undefined) parts.unshift(`system:\n${system}`);
  return msg('sampling.question', { model, tokens, transcript: parts.join('\n\n') });
}

const partText = (part: ModelPart): string =>
  part.type === 'text'
    ? part.text
    : `[image, ${part.mimeType}, ${Math.ceil((part.data.length * 3) / 4 / 1024)} KiB]`;

const refused = (reason: Message): SamplingRefusal =>
  new SamplingRefusal('invalid', msg('sampling.refused', { reason }));
