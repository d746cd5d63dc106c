import { Button, Group } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { McpServerView } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { ServiceError } from '../../../service/client/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useDraft } from '../../ui/frame/use-draft.ts';
import { useShell } from '../../state/shell.ts';
import { fieldText, hostMessage } from '../../core/messages/host-message.ts';
import { PageError } from '../../core/messages/page-error.ts';
import type { ServerDraft } from './server-draft.ts';
import { definitionOf, duplicateName, draftOf, replacementOf } from './server-draft.ts';
import { MoreFields, RemoteFields, ServerNames, StdioFields } from './server-fields.tsx';

interface ServerFormProps {
  /** Null for a new server. */
  server: McpServerView | null;
  /** Receives the status of the server after it was stored. */
  onDone: (view: McpServerView | null) => void;
}

/** Returns the key under which the unsaved fields of a server are kept. */
export const serverDraftKey = (server: McpServerView | null): string =>
  `mcp.${server?.id ?? 'new'}`;

/** Edits a server field by field. Validation errors of the service appear at their fields. */
export function ServerForm({ server, onDone }: ServerFormProps) {
  const { t } = useTranslation();
  const { client } = useShell();
  const key = serverDraftKey(server);
  const { value: draft, change: write, drop } = useDraft(key, () => draftOf(server));
  const action = useAction();
  const change = (patch: Partial<ServerDraft>) => write((before) => ({ ...before, ...patch }));
  const close = (view: McpServerView | null) => {
    drop();
    onDone(view);
  };
  const store = () =>
    action.run(async () => {
      checkNames(draft);
      const view =
        server === null
          ? await client.call(api.mcp.create, { body: definitionOf(draft) })
          : await client.call(api.mcp.replace, {
              params: { id: server.id },
              body: replacementOf(server, draft),
            });
      close(view);
    });
  const fieldErrors = fieldErrorsOf(action.error);
  const fields = { draft, wrong: fieldErrors, onChange: change };
  const hasSecret = server?.oauth?.hasClientSecret ?? false;
  return (
    <form
      className="mcp-form"
      aria-label={t(server === null ? 'mcp.add' : 'mcp.edit')}
      onSubmit={(event) => {
        event.preventDefault();
        void store();
      }}
    >
      <ServerNames {...fields} />
      {draft.transport === 'STDIO' ? <StdioFields {...fields} /> : <RemoteFields {...fields} />}
      <MoreFields {...fields} hasSecret={hasSecret} />
      {action.error !== null && <ErrorAlert error={action.error} />}
      {draft.transport === 'STDIO' && <p className="plain quiet">{t('mcpForm.consent')}</p>}
      <Group gap="xs">
        <Button size="xs" type="submit" loading={action.busy}>
          {t(server === null ? 'mcpForm.add' : 'mcpForm.save')}
        </Button>
        <Button size="xs" variant="default" onClick={() => close(null)}>
          {t('action.cancel')}
        </Button>
      </Group>
    </form>
  );
}

/** @throws PageError if a name occurs twice */
function checkNames({ transport, env, headers }: ServerDraft): void {
  const isProgram = transport === 'STDIO';
  const name = duplicateName(isProgram ? env : headers, !isProgram);
  if (name !== null) throw new PageError('mcpForm.twice', { name });
}

/** Returns the service's messages about single fields, by field name. */
function fieldErrorsOf(error: unknown): Partial<Record<string, string>> {
  if (!(error instanceof ServiceError)) return {};
  const { errors = [], code, detail, message } = error.problem;
  const taken = code === 'name_taken' ? { name: hostMessage(message, detail) } : {};
  return {
    ...taken,
    ...Object.fromEntries(errors.map((one) => [one.path, fieldText(one)])),
  };
}
