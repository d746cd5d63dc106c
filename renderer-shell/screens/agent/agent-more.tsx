import { RowButton } from '../../ui/frame/row-button.tsx';
import { IconCalendarClock, IconTerminal2 } from '@tabler/icons-react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { useShell } from '../../state/shell.ts';
import { isUnderWay } from '../../state/task-store.ts';
import { useStore } from '../../core/store.ts';

const pages = [
  { id: 'tasks', icon: IconTerminal2 },
  { id: 'schedules', icon: IconCalendarClock },
] as const;

/** Shows the links to tasks and schedules below the runs. */
export function AgentMore({ chosenId }: { chosenId: string | null }) {
  const { t } = useTranslation();
  const { route, tasks, view } = useShell();
  const running = (useStore(tasks) ?? []).filter(isUnderWay).length;
  return (
    <div className="agent-more">
      {pages.map(({ id, icon: Icon }) => (
        <RowButton
          key={id}
          chosen={chosenId === id}
          onClick={() => {
            route.go({ area: 'agent', id });
            view.patch({ listOpen: false });
          }}
        >
          <Icon size={16} stroke={1.8} aria-hidden />
          <span className="row-text">{t(`agent.${id}.title`)}</span>
          {id === 'tasks' && running > 0 && (
            <span className="quiet">{t('agent.tasks.running', { count: running })}</span>
          )}
        </RowButton>
      ))}
    </div>
  );
}
