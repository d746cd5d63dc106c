import { Switch } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { SettingsPatch } from '../../../service/contract/index.ts';
import type { DesktopFacts } from '../../../service/contract/desktop-bridge.ts';
import { useShell } from '../../state/shell.ts';
import { hostBridge } from '../../core/host-bridge.ts';
import { useStore } from '../../core/store.ts';
import { Setting } from '../../ui/forms/setting.tsx';

type Name =
  | 'openAtLogin'
  | 'keepInTray'
  | 'keepAwake'
  | 'keyInKeyring'
  | 'disableGpu'
  | 'spellcheckDownloads';

/** Returns the settings that have an effect on this desktop. */
const namesFor = ({ startsAtLogin, hasKeyring, fetchesDictionaries }: DesktopFacts): Name[] => [
  ...(startsAtLogin ? (['openAtLogin'] as const) : []),
  'keepInTray',
  'keepAwake',
  ...(hasKeyring ? (['keyInKeyring'] as const) : []),
  'disableGpu',
  ...(fetchesDictionaries ? (['spellcheckDownloads'] as const) : []),
];

/** Edits the behavior of the desktop app; empty in a browser. */
export function DesktopSettings({ onChange }: { onChange: (patch: SettingsPatch) => void }) {
  const { t } = useTranslation();
  const values = useStore(useShell().settings);
  const facts = useDesktopFacts();
  if (facts === null) return null;
  return (
    <section aria-label={t('desktop.title')}>
      <h2>{t('desktop.title')}</h2>
      {namesFor(facts).map((name) => (
        <Setting key={name} label={t(`desktop.${name}`)} text={t(`desktop.${name}Text`)}>
          {(labelId) => (
            <Switch
              aria-labelledby={labelId}
              checked={values[name]}
              onChange={(event) => onChange({ [name]: event.currentTarget.checked })}
            />
          )}
        </Setting>
      ))}
    </section>
  );
}

function useDesktopFacts(): DesktopFacts | null {
  const [facts, setFacts] = useState<DesktopFacts | null>(null);
  useEffect(() => {
    let isMounted = true;
    void hostBridge()
      ?.facts()
      .then((found) => {
        if (isMounted) setFacts(found);
      })
      .catch(() => undefined);
    return () => {
      isMounted = false;
    };
  }, []);
  return facts;
}
