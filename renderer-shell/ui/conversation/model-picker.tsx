import './composer.css';
import { Button, Loader, Menu, TextInput } from '@mantine/core';
import { IconChevronDown, IconSearch, IconSparkles } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { AiConfig, ModelChoice, Provider } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import type { Conversation } from '../../state/chat/conversation.ts';
import { ErrorAlert } from '../frame/error-alert.tsx';
import { useAction } from '../frame/use-action.ts';
import { useShell } from '../../state/shell.ts';
import { usePart, useStore } from '../../core/store.ts';
import { groupKey, configuredGroups, listedModels, matchingGroups } from './model-groups.ts';

type Listed = ReadonlyMap<string, readonly string[]>;

/** Chooses the model of this conversation from the next turn on, of any mode or provider. */
export function ModelPicker({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation();
  const { models, client } = useShell();
  const config = useStore(models);
  const own = usePart(conversation.details, ({ model }) => model);
  const [providers, setProviders] = useState<readonly Provider[]>([]);
  const [listed, setListed] = useState<Listed>(new Map());
  const [query, setQuery] = useState('');
  const listing = useAction();
  if (config === null) return null;
  const defaultModel = config.ready ? config[config.activeMode].model : '';
  const model = own?.name ?? defaultModel;
  const open = () => {
    setQuery('');
    void listing.run(async () => {
      const found = await client.call(api.providers.list);
      setProviders(found);
      setListed(await listedModels(client, found));
    });
  };
  return (
    <Menu position="top-start" width={320} onOpen={open}>
      <Menu.Target>
        <Button
          className="model-picker"
          size="compact-xs"
          variant="subtle"
          color="gray"
          leftSection={<IconSparkles size={14} aria-hidden />}
          rightSection={<IconChevronDown size={12} aria-hidden />}
          aria-label={t(model === '' ? 'modelPicker.choose' : 'modelPicker.label', { model })}
        >
          <span className="untrusted">{model === '' ? t('modelPicker.choose') : model}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown className="model-menu">
        <TextInput
          size="xs"
          leftSection={<IconSearch size={14} aria-hidden />}
          aria-label={t('modelPicker.search')}
          placeholder={t('modelPicker.search')}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          data-autofocus
        />
        <Models
          conversation={conversation}
          own={own}
          query={query}
          offer={{ config, providers, listed }}
        />
        {listing.busy && <Loader size="xs" m="xs" aria-label={t('modelPicker.listing')} />}
        {listing.error !== null && <ErrorAlert error={listing.error} />}
      </Menu.Dropdown>
    </Menu>
  );
}

interface ModelsProps {
  conversation: Conversation;
  own: ModelChoice | undefined;
  query: string;
  offer: { config: AiConfig; providers: readonly Provider[]; listed: Listed };
}

function Models({ conversation, own, query, offer }: ModelsProps) {
  const { t } = useTranslation();
  const { route } = useShell();
  const action = useAction();
  const { config, providers, listed } = offer;
  const groups = matchingGroups(configuredGroups(config, providers), listed, query);
  const choose = (model: ModelChoice | null) =>
    void action.run(() => conversation.configure({ model }));
  return (
    <>
      {action.error !== null && <ErrorAlert error={action.error} />}
      {own !== undefined && config.ready && (
        <Menu.Item onClick={() => choose(null)}>
          {t('modelPicker.default', { model: config[config.activeMode].model })}
        </Menu.Item>
      )}
      {groups.map(({ name, choice, models }) => (
        <div key={groupKey({ name, choice, models })} role="group">
          <Menu.Label className="untrusted">
            {name ?? t(`modelPicker.mode.${choice.mode ?? 'local'}`)}
          </Menu.Label>
          {models.map((model) => (
            <Menu.RadioItem
              key={model}
              value={model}
              checked={isChosen({ ...choice, name: model }, own, config)}
              closeMenuOnClick
              className="untrusted"
              onChange={() => choose({ ...choice, name: model })}
            >
              {model}
            </Menu.RadioItem>
          ))}
        </div>
      ))}
      {groups.length === 0 && <p className="list-note">{t('modelPicker.none')}</p>}
      <Menu.Divider />
      <Menu.Item onClick={() => route.go({ area: 'settings', id: 'models' })}>
        {t('modelPicker.settings')}
      </Menu.Item>
    </>
  );
}

function isChosen(model: ModelChoice, own: ModelChoice | undefined, config: AiConfig): boolean {
  const { activeMode } = config;
  const chosen = own ?? { mode: activeMode, name: config[activeMode].model };
  const mode = chosen.provider === undefined ? (chosen.mode ?? activeMode) : undefined;
  return model.name === chosen.name && model.provider === chosen.provider && model.mode === mode;
}
