import { Skeleton, TextInput } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { McpServerView, McpTool } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { ErrorNote } from '../../ui/frame/error-note.tsx';
import { Tag } from '../../ui/frame/note.tsx';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { useShell } from '../../state/shell.ts';
import { ToolTrial } from './tool-trial.tsx';

/** Fewer are seen at once. */
const searchedFrom = 8;

/** The tools of a server: what they do, and a place to try each. */
export function ToolList({ server }: { server: McpServerView }) {
  const { t } = useTranslation();
  const { client } = useShell();
  const { id } = server;
  const load = useCallback(() => client.call(api.mcp.tools, { params: { id } }), [client, id]);
  const { state, refresh } = useLoaded(load);
  const [query, setQuery] = useState('');
  if (state.kind === 'loading') return <Skeleton className="late" height={120} />;
  if (state.kind === 'failed') return <ErrorNote error={state.error} onRetry={refresh} />;
  const tools = state.value;
  if (tools.length === 0) {
    return (
      <p className="quiet">{t(server.state === 'CONNECTED' ? 'mcp.noTools' : 'mcp.noToolsYet')}</p>
    );
  }
  const found = tools.filter((tool) => matches(tool, query));
  return (
    <>
      {tools.length >= searchedFrom && (
        <TextInput
          size="xs"
          mb="xs"
          aria-label={t('mcp.searchTools')}
          placeholder={t('mcp.searchTools')}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
      )}
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
  const [open, setOpen] = useState(false);
  const { name, title, description, effect } = tool;
  return (
    <li>
      <details className="mcp-item" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <code className="untrusted">{name}</code>
          <Tag tone={tones[effect]}>{t(`mcpEffect.${effect}`)}</Tag>
          {!open && <span className="mcp-gist untrusted">{title ?? description}</span>}
        </summary>
        {open && (
          <div className="mcp-item-body">
            {description !== '' && <p className="plain mcp-words untrusted">{description}</p>}
            <p className="plain quiet">{t(`mcpEffectText.${effect}`)}</p>
            <ToolTrial tool={tool} server={server} />
          </div>
        )}
      </details>
    </li>
  );
}

const matches = ({ name, title = '', description }: McpTool, query: string): boolean =>
  `${name}\n${title}\n${description}`.toLowerCase().includes(query.trim().toLowerCase());
