import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { api } from '../../service/contract/index.ts';
import type { Command } from '../state/command.ts';
import { useShell } from '../state/shell.ts';

const typingMs = 150;
const maxFound = 8;

type ConversationCommand = Command & { values: { name: string } };

interface SearchResult {
  query: string;
  commands: readonly ConversationCommand[];
}

/**
 * Returns commands that open the conversations matching a search, by title or text; none without a
 * query.
 */
export function useConversationCommands(query: string): readonly ConversationCommand[] {
  const { client, route } = useShell();
  const [debouncedQuery] = useDebouncedValue(query.trim(), typingMs);
  const [found, setFound] = useState<SearchResult>({ query: '', commands: [] });
  useEffect(() => {
    if (debouncedQuery === '') return;
    const controller = new AbortController();
    const search = { q: debouncedQuery, limit: String(maxFound), archived: 'all' } as const;
    client.call(api.conversations.list, { query: search, signal: controller.signal }).then(
      (conversations) => {
        const commands = conversations.map(({ id, title }) => ({
          id: `conversation:${id}`,
          label: 'command.conversation',
          values: { name: title },
          run: () => route.go({ area: 'chat', id }),
        }));
        if (!controller.signal.aborted) setFound({ query: debouncedQuery, commands });
      },
      () => undefined,
    );
    return () => controller.abort();
  }, [client, route, debouncedQuery]);
  return query.trim() !== '' && found.query === debouncedQuery ? found.commands : [];
}
