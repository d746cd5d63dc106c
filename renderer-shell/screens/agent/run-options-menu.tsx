import { Autocomplete, Button, NumberInput, Popover, Switch } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { RunOptions } from '../../state/agent/run-draft.ts';
import { api } from '../../../service/contract/index.ts';
import { useShell } from '../../state/shell.ts';
import type { Store } from '../../core/store.ts';
import { useStore } from '../../core/store.ts';

/** Edits the options of a new run. */
export function RunOptionsMenu({ options }: { options: Store<RunOptions> }) {
  const { t } = useTranslation();
  const { planApproval, readOnly } = useStore(options);
  const labels = [
    ...(planApproval ? [] : [t('agent.option.unseen')]),
    ...(readOnly ? [t('agent.option.readOnly')] : []),
  ];
  return (
    <Popover position="top-start" width={320} trapFocus>
      <Popover.Target>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          leftSection={<IconAdjustmentsHorizontal size={14} aria-hidden />}
        >
          {[t('agent.option.title'), ...labels].join(' · ')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <OptionFields options={options} />
      </Popover.Dropdown>
    </Popover>
  );
}

function OptionFields({ options }: { options: Store<RunOptions> }) {
  const { t } = useTranslation();
  const now = useStore(options);
  const patch = (change: Partial<RunOptions>) => options.set({ ...options.get(), ...change });
  const number = (value: string | number) => (typeof value === 'number' ? value : undefined);
  const models = useModels();
  return (
    <div className="option-fields">
      <Switch
        label={t('agent.option.planApproval')}
        description={t('agent.option.planApprovalText')}
        checked={now.planApproval}
        onChange={(event) => patch({ planApproval: event.currentTarget.checked })}
      />
      <Switch
        label={t('agent.option.answer')}
        description={t('agent.option.answerText')}
        checked={now.answer !== false}
        onChange={(event) => patch({ answer: event.currentTarget.checked })}
      />
      <Switch
        label={t('agent.option.readOnly')}
        description={t('agent.option.readOnlyText')}
        checked={now.readOnly}
        onChange={(event) => patch({ readOnly: event.currentTarget.checked })}
      />
      <NumberInput
        size="xs"
        label={t('agent.option.concurrency')}
        min={1}
        max={64}
        clampBehavior="strict"
        allowDecimal={false}
        placeholder="4"
        value={now.concurrency ?? ''}
        onChange={(value) => options.set(withOption(now, 'concurrency', number(value)))}
      />
      <NumberInput
        size="xs"
        label={t('agent.option.maxSteps')}
        min={1}
        max={1_000}
        clampBehavior="strict"
        allowDecimal={false}
        placeholder="32"
        value={now.maxSteps ?? ''}
        onChange={(value) => options.set(withOption(now, 'maxSteps', number(value)))}
      />
      <Autocomplete
        size="xs"
        label={t('agent.option.model')}
        placeholder={models.active}
        data={models.all}
        maxLength={300}
        value={now.model ?? ''}
        onChange={(model) => options.set(withOption(now, 'model', model || undefined))}
      />
    </div>
  );
}

function withOption<K extends 'concurrency' | 'maxSteps' | 'model'>(
  options: RunOptions,
  key: K,
  value: RunOptions[K] | undefined,
): RunOptions {
  const { [key]: _, ...rest } = options;
  return value === undefined ? (rest as RunOptions) : { ...options, [key]: value };
}

/**
 * Returns the models that the server of the active model lists; other names can always be typed.
 */
function useModels(): { active: string; all: string[] } {
  const { client, models } = useShell();
  const config = useStore(models);
  const [all, setAll] = useState<string[]>([]);
  useEffect(() => {
    client.call(api.aiConfig.models).then(
      (listed) => setAll([...new Set(listed.models)]),
      () => undefined,
    );
  }, [client]);
  return { active: config === null ? '' : config[config.activeMode].model, all };
}
