import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { PluginHost } from '../plugins/index.ts';
import { progressText } from './progress-text.ts';
import { maxImageCharacters, supportedImageTypes } from './supported-image-types.ts';
import {
  failure,
  type Tool,
  type ToolCall,
  type ToolImage,
  type ToolResult,
  type ToolSource,
} from './tool.ts';

type Plugin = ReturnType<PluginHost['list']>[number];
type AiTool = Plugin['manifest']['aiTools'][number];

/** Interval of attempts to cancel a call that its worker does not know yet. */
const cancelAgainMs = 50;
/** Limit for an answer with images. */
const maxBlocks = 100;

/** Offers the `aiTools` of enabled plugins; a call goes to the plugin's worker. */
export function pluginTools(host: PluginHost): ToolSource {
  /** Created once per installed package, so that prepared schemas stay cached. */
  const made = new WeakMap<Plugin, Tool[]>();
  const toolsOf = (plugin: Plugin): Tool[] => {
    const tools = made.get(plugin) ?? plugin.manifest.aiTools.map((tool) => toolOf(plugin, tool));
    made.set(plugin, tools);
    return tools;
  };
  const toolOf = (plugin: Plugin, aiTool: AiTool): Tool => ({
    name: aiTool.name,
    description: aiTool.description,
    inputSchema: schemaOf(plugin, aiTool),
    ...resultSchemaOf(plugin, aiTool),
    effect: aiTool.effect,
    pluginId: plugin.id,
    run: (call) => callWorker(host, plugin.id, aiTool.method, call),
  });
  return {
    list: () =>
      host
        .list()
        .filter((plugin) => plugin.enabled)
        .flatMap(toolsOf),
  };
}

/** Model servers accept only schemas of objects. */
function schemaOf({ manifest }: Plugin, { inputSchema, method }: AiTool): Record<string, unknown> {
  const own = Object.hasOwn(manifest.methods, method)
    ? manifest.methods[method]?.params
    : undefined;
  return { type: 'object', ...(inputSchema ?? own) };
}

function resultSchemaOf({ manifest }: Plugin, { method }: AiTool): Pick<Tool, 'resultSchema'> {
  const result = Object.hasOwn(manifest.methods, method)
    ? manifest.methods[method]?.result
    : undefined;
  return result === undefined ? {} : { resultSchema: result };
}

async function callWorker(
  host: PluginHost,
  id: string,
  method: string,
  call: ToolCall,
): Promise<ToolResult> {
  const callId = `tool-${randomUUID()}`;
  const over = new AbortController();
  const cancel = (): void => {
    // Until the worker knows the call there is nothing to cancel.
    if (over.signal.aborted || !host.find(id) || host.cancel(id, callId)) return;
    setTimeout(cancel, cancelAgainMs).unref();
  };
  call.signal.addEventListener('abort', cancel, { once: true, signal: over.signal });
  try {
    const reply = await host.invoke(id, {
      callId,
      method,
      params: call.arguments,
      onProgress: (progress) => call.onProgress?.(progressText(progress), progress.percent),
    });
    if ('error' in reply) return failure(reply.error.message);
    return resultOf(reply.result);
  } finally {
    over.abort();
  }
}

/**
 * A worker may answer with images in the format of MCP: `{content: [{type: "image", mimeType,
 * data}, {type: "text", text}]}`. Any other answer becomes text.
 */
function resultOf(result: unknown): ToolResult {
  const blocks = Content.safeParse(result).data?.content ?? [];
  const images = blocks.flatMap((block) => (block.type === 'image' ? [imageOf(block)] : []));
  if (images.length === 0) return { success: true, output: textOf(result) };
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const output =
    texts.join('\n') || images.map(({ mimeType }) => `[image, ${mimeType}]`).join('\n');
  return { success: true, output, images };
}

const ImageBlock = z.object({
  type: z.literal('image'),
  mimeType: z.string().refine((type) => supportedImageTypes.has(type)),
  data: z.base64().min(1).max(maxImageCharacters),
});
const Content = z.object({
  content: z
    .array(
      z.discriminatedUnion('type', [
        ImageBlock,
        z.object({ type: z.literal('text'), text: z.string() }),
      ]),
    )
    .max(maxBlocks),
});

const imageOf = ({ mimeType, data }: z.output<typeof ImageBlock>): ToolImage => ({
  mimeType,
  data,
});

function textOf(result: unknown): string {
  return typeof result === 'string' ? result : JSON.stringify(result ?? null);
}
