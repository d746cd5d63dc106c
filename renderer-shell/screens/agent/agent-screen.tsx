import '../../core/messages/agent-translations.ts';
import './agent.css';
import { ListCover } from '../../ui/frame/list-pane.tsx';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { NewRunPage } from './new-run-page.tsx';
import { RunPage } from './run-page.tsx';
import { RunSidebar } from './run-sidebar.tsx';
import { SchedulesPage } from './schedules-page.tsx';
import { TasksPage } from './tasks-page.tsx';

/** Props of the agent area. */
export interface AgentScreenProps {
  /** Id of a run, `tasks` or `schedules`; null for a new run. */
  id: string | null;
  /** True if the window is too narrow to show the list beside the content. */
  narrow: boolean;
}

/** Shows the list of runs and the open one. */
export function AgentScreen({ id, narrow }: AgentScreenProps) {
  const { view } = useShell();
  const { listOpen } = useStore(view);
  const covered = narrow && listOpen;
  return (
    <div className="screen" data-narrow={narrow}>
      <RunSidebar chosenId={id} hidden={narrow && !covered} />
      {covered && <ListCover />}
      <AgentContent id={id} narrow={narrow} />
    </div>
  );
}

function AgentContent({ id, narrow }: AgentScreenProps) {
  if (id === null) return <NewRunPage narrow={narrow} />;
  if (id === 'tasks') return <TasksPage narrow={narrow} />;
  if (id === 'schedules') return <SchedulesPage narrow={narrow} />;
  return <RunPage key={id} runId={id} narrow={narrow} />;
}
