import { Button, Skeleton, TextInput } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Received } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useDraft } from '../../ui/frame/use-draft.ts';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { useShell } from '../../state/shell.ts';
import { ContentPart } from './content-part.tsx';
import type { Listed } from './listed.ts';
import { ListedItem } from './listed-item.tsx';
import { listedOf } from './listed.ts';
import { isObject } from '../../core/json.ts';

/** Lists the prompts of a server with their arguments. */
export function PromptList({ id }: { id: string }) {
  const { t } = useTranslation();
  const { client } = useShell();
  const load = useCallback(() => client.call(api.mcp.prompts, { params: { id } }), [client, id]);
  const { state, refresh } = useLoaded(load);
  if (state.kind === 'loading') return <Skeleton className="late" height={80} />;
  if (state.kind === 'failed') return <ErrorAlert error={state.error} onRetry={refresh} />;
  if (state.value.length === 0) return <p className="quiet">{t('mcp.noPrompts')}</p>;
  return (
    <ul className="mcp-items" aria-label={t('mcp.prompts')}>
      {state.value.map(listedOf).map((prompt) => (
        <PromptRow key={prompt.name} id={id} prompt={prompt} />
      ))}
    </ul>
  );
}

function PromptRow({ id, prompt }: { id: string; prompt: Listed }) {
  const { name, title, description } = prompt;
  const head = <code className="untrusted">{name}</code>;
  return (
    <ListedItem head={head} summary={title || description} description={description}>
      <PromptTrial id={id} prompt={prompt} />
    </ListedItem>
  );
}

function PromptTrial({ id, prompt }: { id: string; prompt: Listed }) {
  const { t } = useTranslation();
  const { client } = useShell();
  const draft = useDraft<Record<string, string>>(`mcp:${id}:prompt:${prompt.name}`, () => ({}));
  const values = draft.value;
  const [answer, setAnswer] = useState<Received<typeof api.mcp.getPrompt> | null>(null);
  const action = useAction();
  const get = () =>
    action.run(async () => {
      const filled = Object.entries(values).filter(([, value]) => value !== '');
      const body = { name: prompt.name, arguments: Object.fromEntries(filled) };
      setAnswer(await client.call(api.mcp.getPrompt, { params: { id }, body }));
    });
  return (
    <form
      className="mcp-form"
      aria-label={prompt.name}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void get();
      }}
    >
      {prompt.arguments.map(({ name, description, required }) => (
        <TextInput
          key={name}
          size="xs"
          label={name}
          description={description}
          withAsterisk={required}
          value={values[name] ?? ''}
          onChange={(event) => draft.change({ ...values, [name]: event.currentTarget.value })}
        />
      ))}
      <Button size="xs" w="fit-content" type="submit" loading={action.busy}>
        {t('mcp.getPrompt')}
      </Button>
      {action.error !== null && <ErrorAlert error={action.error} />}
      {answer && action.error === null && <Messages answer={answer} />}
    </form>
  );
}

function Messages({ answer }: { answer: Received<typeof api.mcp.getPrompt> }) {
  const { t } = useTranslation();
  return (
    <section className="mcp-result" aria-label={t('mcpTry.result')}>
      {answer.messages.map((message, index) => (
        <div key={index}>
          <h3 className="untrusted">{String(message['role'])}</h3>
          {isObject(message['content']) && <ContentPart part={message['content']} />}
        </div>
      ))}
    </section>
  );
}
