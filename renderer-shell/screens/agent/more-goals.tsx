import { ActionIcon, Button, Textarea } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { maxGoals } from '../../state/agent/run-draft.ts';
import type { Store } from '../../core/store.ts';
import { useStore } from '../../core/store.ts';

/** Fields for further goals, each a run of its own. */
export function MoreGoals({ more }: { more: Store<readonly string[]> }) {
  const { t } = useTranslation();
  const goals = useStore(more);
  return (
    <>
      {goals.length > 0 && <p className="quiet plain">{t('agent.batchText')}</p>}
      {goals.map((goal, index) => (
        <div className="more-goal" key={index}>
          <Textarea
            autosize
            autoFocus
            minRows={1}
            maxRows={8}
            aria-label={t('agent.goalNumber', { number: index + 2 })}
            placeholder={t('agent.goalNumber', { number: index + 2 })}
            value={goal}
            onChange={({ currentTarget: { value } }) =>
              more.set(goals.map((one, at) => (at === index ? value : one)))
            }
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('agent.removeGoal', { number: index + 2 })}
            onClick={() => more.set(goals.filter((_, at) => at !== index))}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      {goals.length + 1 < maxGoals && (
        <Button
          className="add-goal"
          size="compact-xs"
          variant="subtle"
          color="gray"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => more.set([...goals, ''])}
        >
          {t('agent.addGoal')}
        </Button>
      )}
    </>
  );
}
