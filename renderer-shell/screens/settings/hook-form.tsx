import {
  Button,
  Group,
  NumberInput,
  SegmentedControl,
  Select,
  Switch,
  TextInput,
} from '@mantine/core';
import { fieldErrors } from '../../core/messages/field-errors.ts';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { HookEvent, type WritableSettings } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useDraft } from '../../ui/frame/use-draft.ts';

export type Hook = WritableSettings['hooks'][number];

interface HookFormProps {
  /** Null for a new hook. */
  hook: Hook | null;
  onStore: (hook: Hook) => Promise<unknown>;
  onDone: () => void;
}

interface Draft {
  name: string;
  event: Hook['event'];
  type: Hook['type'];
  /** A command line or an address. */
  target: string;
  matcher: string;
  timeoutSeconds: number;
  failClosed: boolean;
}

/** The only event whose hooks can deny a call. */
const failClosedEvent: Hook['event'] = 'pre_tool_use';

function draftOf(hook: Hook | null): Draft {
  if (hook === null)
    return {
      name: '',
      event: 'pre_tool_use',
      type: 'command',
      target: '',
      matcher: '',
      timeoutSeconds: 60,
      failClosed: false,
    };
  const { name, event, type, matcher, timeoutSeconds, failClosed = false } = hook;
  const target = hook.type === 'http' ? hook.url : hook.command;
  return { name, event, type, target, matcher, timeoutSeconds, failClosed };
}

function hookOf(draft: Draft, enabled: boolean): Hook {
  const { name, event, type, target, matcher, timeoutSeconds, failClosed } = draft;
  const about = { name: name.trim(), event, matcher: matcher.trim() };
  const denies = failClosed && event === failClosedEvent;
  const rest = { ...about, timeoutSeconds, enabled, ...(denies ? { failClosed } : {}) };
  return type === 'http'
    ? { ...rest, type, url: target.trim() }
    : { ...rest, type, command: target };
}

/** Returns the key under which the unsaved fields of a hook are kept. */
export const hookDraft = (hook: Hook | null): string =>
  hook === null ? 'hook.new' : `hook.of ${hook.name}`;

/** Edits the event, tools and target of a hook. */
export function HookForm({ hook, onStore, onDone }: HookFormProps) {
  const { t } = useTranslation();
  const { value: draft, change: write, drop } = useDraft(hookDraft(hook), () => draftOf(hook));
  const action = useAction();
  const change = (patch: Partial<Draft>) => write((before) => ({ ...before, ...patch }));
  const store = async () => {
    if (await action.run(() => onStore(hookOf(draft, hook?.enabled ?? true)))) close();
  };
  const close = () => {
    drop();
    onDone();
  };
  return (
    <form
      className="stacked-form"
      aria-label={t(hook === null ? 'hooks.add' : 'hooks.edit')}
      onSubmit={(event) => {
        event.preventDefault();
        void store();
      }}
    >
      <HookFields draft={draft} errors={fieldErrors(action.error)} onChange={change} />
      {action.error !== null && <ErrorAlert error={action.error} />}
      <Group gap="xs">
        <Button size="xs" type="submit" loading={action.busy}>
          {t('model.save')}
        </Button>
        <Button size="xs" variant="default" onClick={close}>
          {t('action.cancel')}
        </Button>
      </Group>
    </form>
  );
}

interface HookFieldsProps {
  draft: Draft;
  /** Errors by the names of the fields. */
  errors: ReadonlyMap<string, string>;
  onChange: (patch: Partial<Draft>) => void;
}

function HookFields({ draft, errors, onChange }: HookFieldsProps) {
  const { t } = useTranslation();
  const { name, event, type, target, matcher } = draft;
  return (
    <>
      <TextInput
        label={t('hooks.name')}
        required
        withAsterisk={false}
        error={errors.get('name')}
        value={name}
        onChange={(change) => onChange({ name: change.currentTarget.value })}
      />
      <Select
        label={t('hooks.when')}
        value={event}
        data={HookEvent.options.map((value) => ({ value, label: t(`hookEvent.${value}`) }))}
        onChange={(value) => value && onChange({ event: value })}
        allowDeselect={false}
      />
      <SegmentedControl
        size="xs"
        w="fit-content"
        aria-label={t('hooks.what')}
        value={type}
        data={(['command', 'http'] as const).map((value) => ({
          value,
          label: t(`hooks.type.${value}`),
        }))}
        onChange={(value) => onChange({ type: value })}
      />
      <TextInput
        label={t(`hooks.target.${type}`)}
        description={t(`hooks.targetText.${type}`)}
        required
        withAsterisk={false}
        spellCheck={false}
        error={errors.get(type === 'http' ? 'url' : 'command')}
        value={target}
        onChange={(change) => onChange({ target: change.currentTarget.value })}
      />
      <TextInput
        label={t('hooks.matcher')}
        description={t('hooks.matcherText')}
        spellCheck={false}
        error={errors.get('matcher')}
        value={matcher}
        onChange={(change) => onChange({ matcher: change.currentTarget.value })}
      />
      <HookLimits draft={draft} errors={errors} onChange={onChange} />
    </>
  );
}

/** Edits the time limit of a hook and the consequence of its failure. */
function HookLimits({ draft, errors, onChange }: HookFieldsProps) {
  const { t } = useTranslation();
  const { event, timeoutSeconds, failClosed } = draft;
  return (
    <>
      <NumberInput
        label={t('hooks.timeout')}
        error={errors.get('timeoutSeconds')}
        min={1}
        max={3_600}
        value={timeoutSeconds}
        onChange={(value) => onChange({ timeoutSeconds: Number(value) || 60 })}
      />
      {event === failClosedEvent && (
        <Switch
          label={t('hooks.failClosed')}
          description={t('hooks.failClosedText')}
          checked={failClosed}
          onChange={(change) => onChange({ failClosed: change.currentTarget.checked })}
        />
      )}
    </>
  );
}
