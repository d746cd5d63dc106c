import { useTranslation } from '../../core/messages/use-translation.ts';
import type { WorkflowTemplate } from '../../../service/contract/index.ts';
import type { Workflows } from '../../state/workflows/workflows.ts';
import type { Action } from '../../ui/frame/use-action.ts';
import { useAction } from '../../ui/frame/use-action.ts';
import { chooseFiles } from '../../state/choose-files.ts';
import { useShell } from '../../state/shell.ts';
import { PageError } from '../../core/messages/page-error.ts';

/** The size limit of a definition, with a margin for formatting. */
const maxDocumentBytes = 8 * 1024 * 1024;

/** The ways to create a workflow; each of them opens it. */
export interface NewWorkflowActions {
  action: Action;
  empty: () => void;
  fromTemplate: (template: WorkflowTemplate) => void;
  fromFile: () => void;
  duplicate: (id: string) => void;
}

/** Creates workflows and opens them. */
export function useNewWorkflow(workflows: Workflows): NewWorkflowActions {
  const { t } = useTranslation();
  const { route, view } = useShell();
  const action = useAction();
  const open = (make: () => Promise<string | null>) =>
    void action.run(async () => {
      const id = await make();
      if (id === null) return;
      route.go({ area: 'flows', id });
      view.patch({ listOpen: false });
    });
  return {
    action,
    empty: () => open(() => workflows.create({ name: t('flows.unnamed') })),
    fromTemplate: ({ name, description, inputSchema, graph }) =>
      open(() => workflows.create({ name, description, inputSchema, graph })),
    fromFile: () =>
      open(async () => {
        const [file] = (await chooseFiles({ accept: '.json' })) ?? [];
        return file ? workflows.import(await documentOf(file)) : null;
      }),
    duplicate: (id) => open(() => workflows.duplicate(id)),
  };
}

async function documentOf(file: File): Promise<unknown> {
  if (file.size > maxDocumentBytes) throw new PageError('flows.fileTooLarge');
  try {
    return JSON.parse(await file.text()) as unknown;
  } catch {
    throw new PageError('flows.fileNotJson', { name: file.name });
  }
}
