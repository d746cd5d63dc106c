import { Skeleton, Table } from '@mantine/core';
import { useCallback } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { api, bridgeProtocolVersion } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { useShell } from '../../state/shell.ts';

/** Shows the version of the host and its environment. */
export function AboutSettings() {
  const { t } = useTranslation();
  const { client } = useShell();
  const load = useCallback(() => client.call(api.host.diagnostics), [client]);
  const { state, refresh } = useLoaded(load);
  if (state.kind === 'loading') return <Skeleton className="late" height={120} />;
  if (state.kind === 'failed') return <ErrorAlert error={state.error} onRetry={refresh} />;
  const { version, node, platform, database } = state.value;
  const facts = [
    ['version', version],
    ['bridge', bridgeProtocolVersion],
    ['node', node],
    ['platform', platform],
    ['database', `${database.type} ${database.serverVersion}`],
  ] as const;
  return (
    <section aria-label={t('sections.about')}>
      <h2>{t('sections.about')}</h2>
      <Table variant="vertical" layout="fixed">
        <Table.Tbody>
          {facts.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th w={160}>{t(`aboutHost.${name}`)}</Table.Th>
              <Table.Td className="untrusted">{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <p className="setting-text">{t('aboutHost.licences')}</p>
    </section>
  );
}
