import { Skeleton } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { McpServerView, McpTool } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { matchesQuery } from '../../core/matches-query.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { Tag } from '../../ui/frame/alert.tsx';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { useShell } from '../../state/shell.ts';
import { SearchField } from './search-field.tsx';
import { ListedItem } from './listed-item.tsx';
import { ToolTrial } from './tool-trial.tsx';

/** Lists the tools of a server, each with a form to try it. */
export function ToolList({ server }: { server: McpServerView }) {
  const { t } = useTranslation();
  const { client } = useShell();
  const { id } = server;
  const load = useCallback(() => client.call(api.mcp.tools, { params: { id } }), [client, id]);
  const { state, refresh } = useLoaded(load);
  const [query, setQuery] = useState('');
  if (state.kind === 'loading') return <Skeleton className="late" height={120} />;
  if (state.kind === 'failed') return <ErrorAlert error={state.error} onRetry={refresh} />;
  const tools = state.value;
  if (tools.length === 0) {
    return (
      <p className="quiet">{t(server.state === 'CONNECTED' ? 'mcp.noTools' : 'mcp.noToolsYet')}</p>
    );
  }
  const found = tools.filter(({ name, title = '', description }) =>
    matchesQuery(query, name, title, description),
  );
  return (
    <>
      <SearchField
        label={t('mcp.searchTools')}
        count={tools.length}
        query={query}
        onChange={setQuery}
      />
      {found.length === 0 && <p className="quiet">{t('mcp.noToolFound', { query })}</p>}
      <ul className="mcp-items" aria-label={t('mcp.toolsLabel')}>
        {found.map((tool) => (
          <ToolRow key={tool.name} tool={tool} server={server} />
        ))}
      </ul>
    </>
  );
}

const tones = { read: 'good', write: 'warn', execute: 'warn', external: 'warn' } as const;

function ToolRow({ tool, server }: { tool: McpTool; server: McpServerView }) {
  const { t } = useTranslation();
  const { name, title, description, effect } = tool;
  const head = (
    <>
      <code className="untrusted">{name}</code>
      <Tag tone={tones[effect]}>{t(`mcpEffect.${effect}`)}</Tag>
    </>
  );
  return (
    <ListedItem head={head} summary={title ?? description} description={description}>
      <p className="plain quiet">{t(`mcpEffectText.${effect}`)}</p>
      <ToolTrial tool={tool} server={server} />
    </ListedItem>
  );
}
