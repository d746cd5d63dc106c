import type { ModelRequest } from '../model-backend.ts';
import type { ModelError } from './model-error.ts';
import { isContextTooLong, isQuota } from './model-error.ts';
import type { ServerCapabilities } from './server-capabilities.ts';

const refusingStatuses = new Set([400, 404, 415, 422, 500, 501]);
/** Statuses that refer to the content of the request, whatever the message says. */
const contentStatuses = new Set([400, 415, 422]);

/** Disables images after a server refused one. */
export function learnNoImages(
  capabilities: ServerCapabilities,
  modelError: ModelError,
  request: ModelRequest,
): boolean {
  if (!refuses(modelError) || !hasImages(request)) return false;
  if (capabilities.noImages) {
    // The image was not the reason.
    if (capabilities.noImages === 'guessed') delete capabilities.noImages;
    return false;
  }
  const named = /image|vision|multi-?modal|media|content.{0,40}(string|text)/i.test(
    modelError.text,
  );
  if (!named && !contentStatuses.has(modelError.status ?? 0)) return false;
  capabilities.noImages = named || 'guessed';
  return true;
}

/** Names of a schema in the errors of different servers. */
const ofSchema =
  /schema|\$(?:ref|defs|id)\b|(?:tools?|function).{0,200}(?:parameters|properties)|grammar/is;
const readCharacters = 4_000;

/** Switches to plain schemas after a server refused one. */
export function learnPlainSchemas(
  capabilities: ServerCapabilities,
  modelError: ModelError,
  request: ModelRequest,
): boolean {
  if (!refuses(modelError) || capabilities.noTools || request.tools.length === 0) return false;
  if (!ofSchema.test(modelError.text.slice(0, readCharacters))) return false;
  // If they were plain already, they were not the reason.
  if (capabilities.plainSchemas) delete capabilities.plainSchemas;
  else capabilities.plainSchemas = true;
  return capabilities.plainSchemas === true;
}

/** Disables tools if the model supports none. */
export function learnNoTools(
  capabilities: ServerCapabilities,
  modelError: ModelError,
  request: ModelRequest,
): boolean {
  if (capabilities.noTools || !refuses(modelError) || request.tools.length === 0) return false;
  if (!/(not|n't) support.{0,40}tools?|tools?.{0,40}(not|n't|un)\s?support/i.test(modelError.text))
    return false;
  capabilities.noTools = true;
  return true;
}

/** Reasoning models often accept only their default temperature. */
export function learnNoTemperature(
  capabilities: ServerCapabilities,
  modelError: ModelError,
  request: ModelRequest,
): boolean {
  if (capabilities.noTemperature || request.temperature === undefined) return false;
  if (!refuses(modelError) || !/temperature/i.test(modelError.text)) return false;
  capabilities.noTemperature = true;
  return true;
}

/** Servers that imitate the Messages API may not support that choice. */
export function learnNoToolChoice(
  capabilities: ServerCapabilities,
  modelError: ModelError,
  request: ModelRequest,
): boolean {
  if (capabilities.noToolChoice || !request.textOnly || !refuses(modelError)) return false;
  capabilities.noToolChoice = /tool.?choice/i.test(modelError.text);
  return capabilities.noToolChoice;
}

/** True if the server refused the content of the request rather than the account. */
export const refuses = (modelError: ModelError): boolean =>
  modelError.kind === 'refused' &&
  refusingStatuses.has(modelError.status ?? 0) &&
  !isQuota(modelError) &&
  !isContextTooLong(modelError);

const hasImages = ({ messages }: ModelRequest): boolean =>
  messages.some((message) =>
    message.role === 'tool'
      ? message.results.some(({ images = [] }) => images.length > 0)
      : message.content.some(({ type }) => type === 'image'),
  );
