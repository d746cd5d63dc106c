import type { ToolAnnotations } from '@modelcontextprotocol/client';
import type { Effect } from '../../../contract/index.ts';

/** What a tool does, as far as its server is believed; without trust the worst is assumed. */
export function effectOf(annotations: ToolAnnotations | undefined, isTrusted: boolean): Effect {
  if (!isTrusted) return 'external';
  if (annotations?.readOnlyHint === true) return 'read';
  return annotations?.openWorldHint === false ? 'write' : 'external';
}
