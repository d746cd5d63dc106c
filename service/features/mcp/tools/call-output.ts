import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import {
  maxImageCharacters,
  shownImages,
  type ToolImage,
  type ToolResult,
} from '../../tools/index.ts';

const maxImages = 20;
const maxOutputCharacters = 16 * 1024 ** 2;

/** Converts a result for the model. A failed tool has its error as output. */
export function outputOf({ content, structuredContent, isError }: CallToolResult): ToolResult {
  const texts = content.map(textOf).filter((text) => text !== '');
  // Current servers repeat structured content as text; for others it is added here.
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
