import type { ToolAnnotations } from '@modelcontextprotocol/client';
import type { Effect } from '../../../contract/index.ts';

/** The effect of a tool by its annotations; without trust in its server, the worst is assumed. */
export function effectOf(annotations: ToolAnnotations | undefined, isTrusted: boolean): Effect {
  if (!isTrusted) return 'external';
  if (annotations?.readOnlyHint === true) return 'read';
  return annotations?.openWorldHint === false ? 'write' : 'external';
}
