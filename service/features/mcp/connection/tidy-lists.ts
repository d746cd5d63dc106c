import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { type SkippedItems, type ListChecks, type ListMethod, tidyItems } from './tidy-items.ts';

const listsOf: Record<ListMethod, string> = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
};

/** Options for cleaning the lists of a server. */
export interface ListTidying extends Pick<ListChecks, 'sendsHeaders'> {
  /** Called with the items that were removed from an answer, and the reasons. */
  onSkipped: (method: ListMethod, skipped: SkippedItems) => void;
}

/**
 * Removes unusable items from lists before the SDK sees them, since it refuses a list as a whole.
 * The transport must be connected.
 */
export async function tidyLists(
  transport: Transport,
  { sendsHeaders, onSkipped }: ListTidying,
): Promise<void> {
  const { specTypeSchemas } = await import('@modelcontextprotocol/client');
  const checks = { schemas: specTypeSchemas, sendsHeaders };
  const asked = new Map<unknown, ListMethod>();
  const send = transport.send.bind(transport);
  const receive = transport.onmessage;
  transport.send = (message, options) => {
    follow(asked, message);
    return send(message, options);
  };
  transport.onmessage = (message, extra) => {
    if ('method' in message || message.id === undefined) return receive?.(message, extra);
    const method = asked.get(message.id);
    asked.delete(message.id);
    if (method === undefined || !('result' in message)) return receive?.(message, extra);
    const list = listsOf[method];
    const items: unknown = message.result[list];
    if (!Array.isArray(items)) return receive?.(message, extra);
    const { usable, skipped } = tidyItems(method, items, checks);
    if (skipped.count > 0) onSkipped(method, skipped);
    receive?.({ ...message, result: { ...message.result, [list]: usable } }, extra);
  };
}

function follow(asked: Map<unknown, ListMethod>, message: JSONRPCMessage | JSONRPCMessage[]): void {
  if (Array.isArray(message) || !('method' in message)) return;
  const { method, params } = message;
  if (method === 'notifications/cancelled') asked.delete(params?.['requestId']);
  else if ('id' in message && Object.hasOwn(listsOf, method))
    asked.set(message.id, method as ListMethod);
}
