import { Button, Select } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useCallback, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { useStore } from '../../core/store.ts';
import { noFilter, runsOf } from '../../state/agent/runs.ts';
import { useShell } from '../../state/shell.ts';
import { api } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useLoaded } from '../../ui/frame/use-loaded.ts';

/** Filters the list of runs by status, workflow and time. */
export function RunFilters() {
  const { t } = useTranslation();
  const runs = runsOf(useShell());
  const isFiltered = useStore(runs.filter) !== noFilter;
  const [isOpen, setOpen] = useState(isFiltered);
  return (
    <div className="run-filters">
      <Button
        size="compact-xs"
        variant={isFiltered ? 'light' : 'subtle'}
        color={isFiltered ? undefined : 'gray'}
        aria-expanded={isOpen}
        leftSection={<IconFilter size={14} aria-hidden />}
        onClick={() => setOpen(!isOpen)}
      >
        {t('agent.filter.title')}
      </Button>
      {isOpen && <FilterFields />}
    </div>
  );
}

const states = ['active', 'completed', 'failed', 'stopped'] as const;
const periods = [1, 7, 30] as const;

function FilterFields() {
  const { t } = useTranslation();
  const shell = useShell();
  const runs = runsOf(shell);
  const { state, workflowId, days } = useStore(runs.filter);
  const read = useCallback(() => shell.client.call(api.workflows.list), [shell]);
  const { state: workflows, refresh } = useLoaded(read);
  return (
    <>
      <Select
        size="xs"
        aria-label={t('agent.filter.state')}
        placeholder={t('agent.filter.anyState')}
        clearable
        data={states.map((value) => ({ value, label: t(`agent.filter.states.${value}`) }))}
        value={state}
        onChange={(value) => runs.setFilter({ state: value })}
      />
      <Select
        size="xs"
        aria-label={t('agent.filter.workflow')}
        placeholder={t('agent.filter.anyWorkflow')}
        clearable
        searchable
        data={
          workflows.kind === 'ready'
            ? workflows.value.map(({ id, name }) => ({ value: id, label: name }))
            : []
        }
        value={workflowId}
        onChange={(value) => runs.setFilter({ workflowId: value })}
      />
      {workflows.kind === 'failed' && <ErrorAlert error={workflows.error} onRetry={refresh} />}
      <Select
        size="xs"
        aria-label={t('agent.filter.time')}
        placeholder={t('agent.filter.anyTime')}
        clearable
        data={periods.map((count) => ({
          value: String(count),
          label: t('agent.filter.days', { count }),
        }))}
        value={days === null ? null : String(days)}
        onChange={(value) => runs.setFilter({ days: value === null ? null : Number(value) })}
      />
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        onClick={() => runs.setFilter(noFilter)}
      >
        {t('agent.filter.clear')}
      </Button>
    </>
  );
}
