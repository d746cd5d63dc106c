import { Button, Skeleton } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Received } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { matchesQuery } from '../../core/matches-query.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { useShell } from '../../state/shell.ts';
import { ResourceText } from './content-part.tsx';
import type { Listed } from './listed.ts';
import { SearchField } from './search-field.tsx';
import { ListedItem } from './listed-item.tsx';
import { listedOf } from './listed.ts';

/** Lists the resources of a server with their content. */
export function ResourceList({ id }: { id: string }) {
  const { t } = useTranslation();
  const { client } = useShell();
  const [query, setQuery] = useState('');
  const load = useCallback(() => client.call(api.mcp.resources, { params: { id } }), [client, id]);
  const { state, refresh } = useLoaded(load);
  if (state.kind === 'loading') return <Skeleton className="late" height={80} />;
  if (state.kind === 'failed') return <ErrorAlert error={state.error} onRetry={refresh} />;
  const all = state.value.map(listedOf);
  if (all.length === 0) return <p className="quiet">{t('mcp.noResources')}</p>;
  const found = all.filter(({ name, title, uri }) => matchesQuery(query, name, title, uri));
  return (
    <>
      <SearchField
        label={t('mcp.searchResources')}
        count={all.length}
        query={query}
        onChange={setQuery}
      />
      <ul className="mcp-items" aria-label={t('mcp.resources')}>
        {found.map((resource) => (
          <ResourceRow key={resource.uri} id={id} resource={resource} />
        ))}
      </ul>
    </>
  );
}

function ResourceRow({ id, resource }: { id: string; resource: Listed }) {
  const { name, title, uri, description } = resource;
  const head = (
    <>
      <span className="untrusted">{title || name || uri}</span>
      <span className="mcp-gist untrusted">{uri}</span>
    </>
  );
  return (
    <ListedItem head={head} description={description}>
      <ResourceReading id={id} uri={uri} />
    </ListedItem>
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
      {action.error !== null && <ErrorAlert error={action.error} />}
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
