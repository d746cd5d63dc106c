import {
  Autocomplete,
  Group,
  NumberInput,
  SegmentedControl,
  Select,
  Switch,
  TextInput,
} from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { ScheduleDraft } from '../../state/agent/schedule-draft.ts';

interface ScheduleTimesProps {
  draft: ScheduleDraft;
  /** Errors by the names of the fields. */
  errors: ReadonlyMap<string, string>;
  patch: (change: Partial<ScheduleDraft>) => void;
}

/** Edits the times: an interval for at most a week, or a calendar rule until it is removed. */
export function ScheduleTimes({ draft, errors, patch }: ScheduleTimesProps) {
  const { t } = useTranslation();
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label={t('agent.schedules.kind')}
        data={[
          { value: 'interval', label: t('agent.schedules.interval') },
          { value: 'cron', label: t('agent.schedules.cron') },
        ]}
        value={draft.kind}
        onChange={(kind) => patch({ kind: kind === 'cron' ? 'cron' : 'interval' })}
      />
      <p className="field-text">{t(`agent.schedules.${draft.kind}Text`)}</p>
      {draft.kind === 'interval' ? (
        <IntervalFields draft={draft} errors={errors} patch={patch} />
      ) : (
        <CronFields draft={draft} errors={errors} patch={patch} />
      )}
    </>
  );
}

const units = ['minute', 'hour', 'day'] as const;

function IntervalFields({ draft, errors, patch }: ScheduleTimesProps) {
  const { t } = useTranslation();
  return (
    <>
      <Group gap="xs" align="flex-end">
        <NumberInput
          size="xs"
          label={t('agent.schedules.everyLabel')}
          min={0}
          error={errors.has('intervalSeconds')}
          value={draft.every ?? ''}
          onChange={(value) => patch({ every: typeof value === 'number' ? value : null })}
        />
        <Select
          size="xs"
          aria-label={t('agent.schedules.unit')}
          allowDeselect={false}
          data={units.map((unit) => ({ value: unit, label: t(`agent.schedules.units.${unit}`) }))}
          value={draft.unit}
          onChange={(unit) => unit && patch({ unit })}
        />
      </Group>
      <Switch
        size="sm"
        label={t('agent.schedules.recurring')}
        checked={draft.recurring}
        onChange={(event) => patch({ recurring: event.currentTarget.checked })}
      />
      <Switch
        size="sm"
        label={t('agent.schedules.fireImmediately')}
        checked={draft.fireImmediately}
        onChange={(event) => patch({ fireImmediately: event.currentTarget.checked })}
      />
    </>
  );
}

const zones = Intl.supportedValuesOf('timeZone');

function CronFields({ draft, errors, patch }: ScheduleTimesProps) {
  const { t } = useTranslation();
  return (
    <Group gap="xs" align="flex-start" grow>
      <TextInput
        size="xs"
        className="code-field"
        label={t('agent.schedules.cronLabel')}
        description={t('agent.schedules.cronHint')}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        error={errors.get('cron')}
        value={draft.cron}
        onChange={(event) => patch({ cron: event.currentTarget.value })}
      />
      <Autocomplete
        size="xs"
        label={t('agent.schedules.timeZone')}
        data={zones}
        limit={50}
        error={errors.get('timeZone')}
        value={draft.timeZone}
        onChange={(timeZone) => patch({ timeZone })}
      />
    </Group>
  );
}
