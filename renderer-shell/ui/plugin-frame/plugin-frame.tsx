import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { MarketplacePlugin } from '../../../service/contract/index.ts';
import { bridgeProtocolVersion } from '../../../service/contract/index.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { languageOf } from '../../../service/messages/languages.ts';
import { translator } from '../../core/messages/translator.ts';
import { BridgeFiles } from '../../state/plugin-frame/bridge-files.ts';
import { PluginBridgeHost } from '../../state/plugin-frame/bridge-host.ts';
import { FrameBridge } from '../../state/plugin-frame/frame-bridge.ts';
import type { FrameNotification } from './frame-notifications.tsx';
import { FrameNotifications, MAX_NOTIFICATIONS } from './frame-notifications.tsx';

/** Not yet in the types of React. The frame gets no cookies or stored credentials. */
const CREDENTIALLESS = { credentialless: true };

interface PluginFrameProps {
  plugin: MarketplacePlugin;
  hidden: boolean;
}

/**
 * Shows the sandboxed page of a plugin: it can run scripts and communicate over its port, nothing
 * else.
 */
export function PluginFrame({ plugin, hidden }: PluginFrameProps) {
  const { t } = useTranslation();
  const [notifications, setNotifications] = useState<FrameNotification[]>([]);
  const addNotification = useCallback((notification: Omit<FrameNotification, 'key'>) => {
    setNotifications((before) =>
      [{ ...notification, key: (before[0]?.key ?? 0) + 1 }, ...before].slice(0, MAX_NOTIFICATIONS),
    );
  }, []);
  const frame = useBridgedFrame(plugin.id, addNotification);

  return (
    <div className="frame" hidden={hidden}>
      <iframe
        ref={frame}
        sandbox="allow-scripts"
        allow=""
        referrerPolicy="no-referrer"
        {...CREDENTIALLESS}
        title={t('plugin.page', { name: plugin.name })}
        src={plugin.uiEntry}
      />
      <FrameNotifications
        notifications={notifications}
        onDismiss={(key) =>
          setNotifications(notifications.filter((notification) => notification.key !== key))
        }
      />
    </div>
  );
}

/** Manages the bridge of a frame from its first load to its removal. */
function useBridgedFrame(
  pluginId: string,
  addNotification: (notification: Omit<FrameNotification, 'key'>) => void,
) {
  const { client, files, callLimiter, plugins, settings, transfers } = useShell();
  const { theme, language } = useStore(settings);
  const bridge = useRef<FrameBridge | null>(null);

  useEffect(() => bridge.current?.send('theme', theme), [theme]);
  useEffect(() => bridge.current?.send('locale', languageOf(language)), [language]);

  return useCallback(
    (frame: HTMLIFrameElement) => {
      const host = new PluginBridgeHost({
        pluginId,
        client,
        limiter: callLimiter,
        files: new BridgeFiles({
          pluginId,
          tools: transfers,
          requests: files,
          permissions: () => plugins.find(pluginId)?.permissions ?? null,
        }),
        appearance: () => {
          const now = settings.get();
          return { theme: now.theme, locale: languageOf(now.language) };
        },
        errorOverlay: () =>
          settings.get().developerMode && plugins.find(pluginId)?.isDeveloped === true
            ? { title: translator.t('plugin.pageErrors'), dismiss: translator.t('action.dismiss') }
            : null,
        progress: (progress) => bridge.current?.send('progress', progress),
        showNotification: addNotification,
        showMismatch: (theirs) =>
          addNotification({
            level: 'error',
            title: translator.t('plugin.mismatch'),
            body: translator.t('plugin.mismatchText', { theirs, ours: bridgeProtocolVersion }),
          }),
        invoked: (failed) => {
          if (failed || plugins.find(pluginId)?.state !== 'running') plugins.refreshSoon();
        },
      });
      const opened = new FrameBridge({ frame: () => frame.contentWindow, shell: window, host });
      const onLoad = () => {
        frame.dataset['loaded'] = '';
        opened.loaded();
      };
      frame.addEventListener('load', onLoad);
      bridge.current = opened;
      return () => {
        frame.removeEventListener('load', onLoad);
        opened.close();
        bridge.current = null;
      };
    },
    [pluginId, client, files, callLimiter, plugins, settings, transfers, addNotification],
  );
}
