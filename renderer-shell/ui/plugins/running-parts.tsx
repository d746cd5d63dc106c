import { useTranslation } from '../../core/messages/use-translation.ts';
import type { PluginTrust } from '../../../service/contract/index.ts';
import { Tag } from '../frame/alert.tsx';
import { hostMessage } from '../../core/messages/host-message.ts';

type Running = Pick<PluginTrust, 'pluginId' | 'hooks' | 'servers'>;
type Hook = PluginTrust['hooks'][number];
type Server = PluginTrust['servers'][number];

/** The five events of the host; other texts are shown as the plugin wrote them. */
const EVENTS = [
  'pre_tool_use',
  'post_tool_use',
  'post_tool_use_failure',
  'run_complete',
  'run_error',
];

/** Lists what would run on this computer: when, for which tools, and the exact command. */
export function RunningParts({ trust }: { trust: Running }) {
  const { t } = useTranslation();
  const { hooks, servers, pluginId } = trust;
  return (
    <>
      {hooks.length > 0 && (
        <>
          <h3>{t('brought.hooks')}</h3>
          <ul className="running-parts" aria-label={t('brought.hooks')}>
            {hooks.map((hook) => (
              <HookRow key={hook.name} hook={hook} pluginId={pluginId} />
            ))}
          </ul>
        </>
      )}
      {servers.length > 0 && (
        <>
          <h3>{t('brought.mcpServers')}</h3>
          <ul className="running-parts" aria-label={t('brought.mcpServers')}>
            {servers.map(({ name, ...server }) => (
              <li key={name}>
                <p className="untrusted">{name}</p>
                <code className="running-command untrusted">{startOf(server)}</code>
                <p className="running-more">{t('brought.mcpServerText')}</p>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function HookRow({ hook, pluginId }: { hook: Hook; pluginId: string }) {
  const { t } = useTranslation();
  const { name, event, matcher, supported, enabled, unsupportedReason, unsupportedReasonMessage } =
    hook;
  const prefix = `plugin/${pluginId}/`;
  const when = EVENTS.includes(event) ? t(`hookEvent.${event}`) : event;
  return (
    <li data-off={!supported || !enabled}>
      <p>
        <span className="untrusted">{when}</span>
        {matcher === null && event.includes('_tool_use') && ` · ${t('brought.everyTool')}`}
        {matcher !== null && (
          <span className="untrusted">{` · ${t('brought.tools', { matcher })}`}</span>
        )}
        {!supported && <Tag tone="warn">{t('brought.unsupported')}</Tag>}
        {supported && !enabled && <Tag>{t('brought.switchedOff')}</Tag>}
      </p>
      <CommandText hook={hook} />
      <p className="running-more untrusted">
        {name.startsWith(prefix) ? name.slice(prefix.length) : name}
        {!supported &&
          unsupportedReason !== undefined &&
          ` · ${hostMessage(unsupportedReasonMessage, unsupportedReason)}`}
      </p>
    </li>
  );
}

const startOf = ({ command, args = [], url = '' }: Omit<Server, 'name'>): string =>
  command === undefined ? url : [command, ...args].join(' ');

/** Shows the exact text of the plugin. */
function CommandText({ hook: { command, args = [], url, type } }: { hook: Hook }) {
  const text = url ?? (command === undefined ? type : [command, ...args].join(' '));
  return <code className="running-command untrusted">{text}</code>;
}
