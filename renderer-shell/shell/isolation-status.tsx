import { IconShieldCheck, IconShieldExclamation } from '@tabler/icons-react';
import { useCallback, useEffect, useRef } from 'react';
import { useTranslation } from '../core/messages/use-translation.ts';
import { api } from '../../service/contract/index.ts';
import { useShell } from '../state/shell.ts';
import { useStore } from '../core/store.ts';
import { useLoaded } from '../ui/frame/use-loaded.ts';
import { StatusText } from './status-text.tsx';
import { hostMessage } from '../core/messages/host-message.ts';

/** Shows how plugins are isolated; the linked page has the reason. */
export function IsolationStatus() {
  const { t } = useTranslation();
  const { client, connection, route, settings } = useShell();
  const { unsandboxedPlugins } = useStore(settings);
  const online = useStore(connection.state) === 'online';
  const load = useCallback(() => client.call(api.host.isolation), [client]);
  const { state, refresh } = useLoaded(load);
  const readFor = useRef({ online, unsandboxedPlugins });
  useEffect(() => {
    const { current } = readFor;
    const isSame = current.online === online && current.unsandboxedPlugins === unsandboxedPlugins;
    readFor.current = { online, unsandboxedPlugins };
    if (online && !isSame) refresh();
  }, [online, unsandboxedPlugins, refresh]);
  if (state.kind !== 'ready') return null;
  const { sandboxed, reduced, reason, reasonMessage } = state.value;
  const holds = sandboxed ? 'sandboxed' : reduced ? 'reduced' : 'bare';
  const Icon = sandboxed ? IconShieldCheck : IconShieldExclamation;
  return (
    <button
      type="button"
      className="status-item"
      data-tone={sandboxed ? 'good' : 'warn'}
      onClick={() => route.go({ area: 'settings', id: 'plugins' })}
    >
      <Icon size={15} aria-hidden />
      <StatusText
        text={t(`status.${holds}`)}
        more={reason === undefined ? undefined : hostMessage(reasonMessage, reason)}
      />
    </button>
  );
}
