import './composer.css';
import { Button, Loader, Menu } from '@mantine/core';
import { IconChevronDown, IconSparkles } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AiConfig, AiConfigPatch } from '../../../service/contract/index.ts';
import { AiMode, api } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../frame/error-alert.tsx';
import { useAction } from '../frame/use-action.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';

const maxModels = 200;

/** Which model answers, from the next turn on; the models of the server, and the other backends. */
export function ModelPicker() {
  const { t } = useTranslation();
  const { models, client } = useShell();
  const config = useStore(models);
  const [listed, setListed] = useState<readonly string[]>([]);
  const listing = useAction();
  if (config === null || !config.ready) return null;
  const { model } = config[config.activeMode];
  const list = () =>
    void listing.run(async () => setListed((await client.call(api.aiConfig.models)).models));
  return (
    <Menu position="top-start" width={320} onOpen={list}>
      <Menu.Target>
        <Button
          className="model-picker"
          size="compact-xs"
          variant="subtle"
          color="gray"
          leftSection={<IconSparkles size={14} aria-hidden />}
          rightSection={<IconChevronDown size={12} aria-hidden />}
          aria-label={t('modelPicker.label', { model })}
        >
          <span className="untrusted">{model}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown className="model-menu">
        <Models config={config} listed={listed} />
        {listing.busy && <Loader size="xs" m="xs" aria-label={t('modelPicker.listing')} />}
        {listing.error !== null && <ErrorAlert error={listing.error} />}
      </Menu.Dropdown>
    </Menu>
  );
}

function Models({ config, listed }: { config: AiConfig; listed: readonly string[] }) {
  const { t } = useTranslation();
  const { models, route } = useShell();
  const action = useAction();
  const { activeMode } = config;
  const now = config[activeMode].model;
  const names = [...new Set([now, ...listed])].slice(0, maxModels);
  const others = AiMode.options.filter((mode) => mode !== activeMode && config[mode].model !== '');
  const change = (patch: AiConfigPatch) => void action.run(() => models.change(patch));
  return (
    <>
      {action.error !== null && <ErrorAlert error={action.error} />}
      {names.map((name) => (
        <Menu.RadioItem
          key={name}
          value={name}
          checked={name === now}
          closeMenuOnClick
          className="untrusted"
          onChange={() => change({ [activeMode]: { model: name } })}
        >
          {name}
        </Menu.RadioItem>
      ))}
      {others.length > 0 && <Menu.Label>{t('modelPicker.others')}</Menu.Label>}
      {others.map((mode) => (
        <Menu.RadioItem
          key={mode}
          value={mode}
          checked={false}
          closeMenuOnClick
          onChange={() => change({ activeMode: mode })}
        >
          <span className="untrusted">{config[mode].model}</span>
          <span className="menu-text">{t(`modelPicker.mode.${mode}`)}</span>
        </Menu.RadioItem>
      ))}
      <Menu.Divider />
      <Menu.Item onClick={() => route.go({ area: 'settings', id: 'models' })}>
        {t('modelPicker.settings')}
      </Menu.Item>
    </>
  );
}
