import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import type { ToolImage, ToolResult } from '../../tools/index.ts';

const maxImages = 20;
/** Of the base64 of an image: 5 MiB of it; model servers take no larger one. */
const maxImageCharacters = 7 * 1024 ** 2;
const maxOutputCharacters = 16 * 1024 ** 2;
/** What every model that sees takes. One of another kind would make its server refuse the turn. */
const shownImages = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** What a model is told of a result. A tool that failed says so in the same words. */
export function outputOf({ content, structuredContent, isError }: CallToolResult): ToolResult {
  const texts = content.map(textOf).filter((text) => text !== '');
  // Servers of today tell structured content as text, too; where they do not, it is told here.
  if (structuredContent !== undefined && !content.some(isText))
    texts.push(JSON.stringify(structuredContent));
  const output = texts.join('\n').slice(0, maxOutputCharacters).toWellFormed();
  const images = content.flatMap(imageOf).slice(0, maxImages);
  const success = isError !== true;
  return {
    success,
    output: output === '' && !success ? 'The tool failed without saying why.' : output,
    ...(images.length === 0 ? {} : { images }),
  };
}

function textOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
      return `[image, ${block.mimeType}]`;
    case 'audio':
      return `[audio, ${block.mimeType}]`;
    case 'resource_link':
      return `[resource ${block.uri}: ${block.name}${block.description ? `, ${block.description}` : ''}]`;
    case 'resource': {
      const { resource } = block;
      return 'text' in resource
        ? `[resource ${resource.uri}]\n${resource.text}`
        : `[resource ${resource.uri}, ${resource.mimeType ?? 'binary'}]`;
    }
  }
}

function imageOf(block: ContentBlock): ToolImage[] {
  const { mimeType, data } = pictureIn(block);
  const type = mimeType.toLowerCase();
  return shownImages.has(type) && data !== '' && data.length <= maxImageCharacters
    ? [{ mimeType: type, data }]
    : [];
}

function pictureIn(block: ContentBlock): ToolImage {
  if (block.type === 'image') return block;
  return block.type === 'resource' && 'blob' in block.resource
    ? { mimeType: block.resource.mimeType ?? '', data: block.resource.blob }
    : { mimeType: '', data: '' };
}

const isText = (block: ContentBlock): boolean => block.type === 'text' && block.text !== '';
