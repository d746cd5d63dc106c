import { Button, Skeleton, TextInput } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Received } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { ErrorNote } from '../../ui/frame/error-note.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { useShell } from '../../state/shell.ts';
import { ResourceText } from './content-part.tsx';
import type { Listed } from './listed.ts';
import { listedOf } from './listed.ts';

/** Fewer are seen at once. */
const searchedFrom = 8;

/** What a server holds, and what each of it says. */
export function ResourceList({ id }: { id: string }) {
  const { t } = useTranslation();
  const { client } = useShell();
  const [query, setQuery] = useState('');
  const load = useCallback(() => client.call(api.mcp.resources, { params: { id } }), [client, id]);
  const { state, refresh } = useLoaded(load);
  if (state.kind === 'loading') return <Skeleton className="late" height={80} />;
  if (state.kind === 'failed') return <ErrorNote error={state.error} onRetry={refresh} />;
  const all = state.value.map(listedOf);
  if (all.length === 0) return <p className="quiet">{t('mcp.noResources')}</p>;
  const found = all.filter((resource) => matches(resource, query));
  return (
    <>
      {all.length >= searchedFrom && (
        <TextInput
          size="xs"
          mb="xs"
          aria-label={t('mcp.searchResources')}
          placeholder={t('mcp.searchResources')}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
      )}
      <ul className="mcp-items" aria-label={t('mcp.resources')}>
        {found.map((resource) => (
          <ResourceRow key={resource.uri} id={id} resource={resource} />
        ))}
      </ul>
    </>
  );
}

const matches = ({ name, title, uri }: Listed, query: string): boolean =>
  `${name}\n${title}\n${uri}`.toLowerCase().includes(query.trim().toLowerCase());

function ResourceRow({ id, resource }: { id: string; resource: Listed }) {
  const [open, setOpen] = useState(false);
  const { name, title, uri, description } = resource;
  return (
    <li>
      <details className="mcp-item" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span className="untrusted">{title || name || uri}</span>
          <span className="mcp-gist untrusted">{uri}</span>
        </summary>
        {open && (
          <div className="mcp-item-body">
            {description !== '' && <p className="plain mcp-words untrusted">{description}</p>}
            <ResourceReading id={id} uri={uri} />
          </div>
        )}
      </details>
    </li>
  );
}

function ResourceReading({ id, uri }: { id: string; uri: string }) {
  const { t } = useTranslation();
  const { client } = useShell();
  const [answer, setAnswer] = useState<Received<typeof api.mcp.readResource> | null>(null);
  const action = useAction();
  const read = () =>
    action.run(async () => {
      setAnswer(await client.call(api.mcp.readResource, { params: { id }, body: { uri } }));
    });
  return (
    <div className="mcp-form">
      <Button size="xs" w="fit-content" loading={action.busy} onClick={() => void read()}>
        {t('mcp.readResource')}
      </Button>
      {action.error !== null && <ErrorNote error={action.error} />}
      {answer && action.error === null && (
        <section className="mcp-result" aria-label={t('mcpTry.result')}>
          {answer.contents.map((resource, index) => (
            <ResourceText key={index} resource={resource} />
          ))}
        </section>
      )}
    </div>
  );
}
