import type { ModelRequest } from '../model-backend.ts';
import type { ModelFault } from './model-fault.ts';
import { isContextTooLong, isQuota } from './model-fault.ts';
import type { ServerTraits } from './server-traits.ts';

const refusingStatuses = new Set([400, 404, 415, 422, 500, 501]);
/** Statuses that mean the request itself, whatever their words are. */
const contentStatuses = new Set([400, 415, 422]);

/** Images are left out from then on where a server refuses them. */
export function learnNoImages(
  traits: ServerTraits,
  fault: ModelFault,
  request: ModelRequest,
): boolean {
  if (!refuses(fault) || !hasImages(request)) return false;
  if (traits.noImages) {
    // It was not for the image, then.
    if (traits.noImages === 'guessed') delete traits.noImages;
    return false;
  }
  const named = /image|vision|multi-?modal|media|content.{0,40}(string|text)/i.test(fault.text);
  if (!named && !contentStatuses.has(fault.status ?? 0)) return false;
  traits.noImages = named || 'guessed';
  return true;
}

/** What servers say of a schema, each in its own words. */
const ofSchema =
  /schema|\$(?:ref|defs|id)\b|(?:tools?|function).{0,200}(?:parameters|properties)|grammar/is;
const readCharacters = 4_000;

/** Schemas are said in the words that all servers know where one refuses them as they are. */
export function learnPlainSchemas(
  traits: ServerTraits,
  fault: ModelFault,
  request: ModelRequest,
): boolean {
  if (!refuses(fault) || traits.noTools || request.tools.length === 0) return false;
  if (!ofSchema.test(fault.text.slice(0, readCharacters))) return false;
  // Where they are so already it was not for them.
  if (traits.plainSchemas) delete traits.plainSchemas;
  else traits.plainSchemas = true;
  return traits.plainSchemas === true;
}

/** Tools are left out where a server knows none. */
export function learnNoTools(
  traits: ServerTraits,
  fault: ModelFault,
  request: ModelRequest,
): boolean {
  if (traits.noTools || !refuses(fault) || request.tools.length === 0) return false;
  if (!/(not|n't) support.{0,40}tools?|tools?.{0,40}(not|n't|un)\s?support/i.test(fault.text))
    return false;
  traits.noTools = true;
  return true;
}

/** Servers that only speak like the Messages API may not know that choice. */
export function learnNoToolChoice(
  traits: ServerTraits,
  fault: ModelFault,
  request: ModelRequest,
): boolean {
  if (traits.noToolChoice || !request.wordsOnly || !refuses(fault)) return false;
  traits.noToolChoice = /tool.?choice/i.test(fault.text);
  return traits.noToolChoice;
}

/** Whether the server refused what it was sent, rather than who sent it. */
export const refuses = (fault: ModelFault): boolean =>
  fault.kind === 'refused' &&
  refusingStatuses.has(fault.status ?? 0) &&
  !isQuota(fault) &&
  !isContextTooLong(fault);

const hasImages = ({ messages }: ModelRequest): boolean =>
  messages.some((message) =>
    message.role === 'tool'
      ? message.results.some(({ images = [] }) => images.length > 0)
      : message.content.some(({ type }) => type === 'image'),
  );
