import { useTranslation } from '../../core/messages/use-translation.ts';
import type { McpServerView } from '../../../service/contract/index.ts';
import { exactTime } from '../../core/messages/amounts.ts';
import { FactTable } from '../../ui/frame/fact-table.tsx';
import { argsText } from './server-draft.ts';

/**
 * Shows the configuration of a server and what it reports about itself; only the names of
 * credentials.
 */
export function ServerFacts({ server }: { server: McpServerView }) {
  const { t, language } = useTranslation();
  const { args = [], cwd = '', url = '', endpoint = '', oauth, serverInfo } = server;
  const { lastConnectedAt, protocolVersion = '' } = server;
  const seconds = server.callTimeoutSeconds;
  const facts: [string, string][] = [
    ['transport', t(`mcpTransport.${server.transport}`)],
    ['command', server.command ?? ''],
    ['args', argsText(args)],
    ['cwd', cwd],
    ['url', url],
    ['endpoint', endpoint],
    ['env', server.envKeys.join('\n')],
    ['headers', server.headerNames.join('\n')],
    ['clientId', oauth?.clientId ?? ''],
    ['timeout', t('mcpFact.seconds', { count: seconds })],
    ['annotations', t(server.trustAnnotations ? 'mcpFact.trusted' : 'mcpFact.untrusted')],
    ['program', serverInfo ? `${serverInfo.name} ${serverInfo.version}` : ''],
    ['protocol', protocolVersion],
    ['connected', lastConnectedAt ? exactTime(lastConnectedAt, language) : ''],
  ];
  return <FactTable facts={facts.map(([name, value]) => [t(`mcpFact.${name}`), value])} />;
}
