import { Button, Select, TextInput } from '@mantine/core';
import type { SyntheticEvent } from 'react';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { ServiceError } from '../../../service/client/index.ts';
import type { NewSource, PluginStoreSource } from '../../../service/contract/index.ts';
import { SourceKind } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { Alert } from '../../ui/frame/alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useDraft } from '../../ui/frame/use-draft.ts';
import type { Market } from '../../state/market/market.ts';
import { fieldText, hostMessage } from '../../core/messages/host-message.ts';
import { FailureText } from '../../ui/frame/failure-text.tsx';

const auto = 'auto';
/** The supported forms of addresses. */
const forms = 'https://… · owner/repo · file:///…';

interface Draft {
  url: string;
  kind: string;
  ref: string;
}

const blank: Draft = { url: '', kind: auto, ref: '' };

/** Adds a source by the address of a catalog, a repository or a folder. */
export function AddSource({ market }: { market: Market }) {
  const { t } = useTranslation();
  const action = useAction();
  const { value: draft, change: write, drop } = useDraft('store:source', () => blank);
  const [added, setAdded] = useState<AddedSourceProps | null>(null);
  const change = (part: Partial<Draft>) => {
    write((before) => ({ ...before, ...part }));
    if (action.error !== null) action.clear();
  };
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setAdded(null);
    const worked = await action.run(async () => setAdded(await market.listing.add(bodyOf(draft))));
    if (worked) drop();
  };
  const fieldErrors = fieldErrorsOf(action.error);
  return (
    <form
      className="store-add"
      onSubmit={(event) => void submit(event)}
      aria-label={t('store.add')}
    >
      <h2>{t('store.add')}</h2>
      <p className="running-more">{t('store.addText')}</p>
      <SourceFields draft={draft} wrong={fieldErrors} busy={action.busy} onChange={change} />
      {action.busy && (
        <p className="running-more" role="status">
          {t('store.adding')}
        </p>
      )}
      {action.error !== null && fieldErrors.size === 0 && <ErrorAlert error={action.error} />}
      {added !== null && <AddedSource {...added} />}
    </form>
  );
}

interface SourceFieldsProps {
  draft: Draft;
  wrong: ReadonlyMap<string, string>;
  busy: boolean;
  onChange: (part: Partial<Draft>) => void;
}

function SourceFields({ draft, wrong, busy, onChange }: SourceFieldsProps) {
  const { t } = useTranslation();
  return (
    <div className="store-add-fields">
      <TextInput
        className="store-add-url"
        label={t('store.address')}
        placeholder={forms}
        value={draft.url}
        error={wrong.get('url')}
        onChange={(event) => onChange({ url: event.currentTarget.value })}
        autoComplete="off"
        spellCheck={false}
      />
      <Select
        label={t('store.kind')}
        data={[
          { value: auto, label: t('store.kinds.auto') },
          ...SourceKind.options.map((kind) => ({ value: kind, label: t(`store.kinds.${kind}`) })),
        ]}
        value={draft.kind}
        error={wrong.get('kind')}
        allowDeselect={false}
        onChange={(kind) => onChange({ kind: kind ?? auto })}
      />
      <TextInput
        label={t('store.ref')}
        value={draft.ref}
        error={wrong.get('ref')}
        onChange={(event) => onChange({ ref: event.currentTarget.value })}
        autoComplete="off"
        spellCheck={false}
      />
      <Button type="submit" loading={busy} disabled={draft.url.trim() === ''}>
        {t('store.addButton')}
      </Button>
    </div>
  );
}

type AddedSourceProps = Pick<PluginStoreSource, 'name' | 'error' | 'errorMessage'>;

function AddedSource({ name, error, errorMessage }: AddedSourceProps) {
  const { t } = useTranslation();
  if (error === undefined) {
    return (
      <Alert tone="good" role="status">
        <span className="untrusted">{t('store.added', { name })}</span>
      </Alert>
    );
  }
  return (
    <Alert tone="warn" role="alert" title={t('store.addedUnread', { name })}>
      <FailureText text={error} message={errorMessage} />
    </Alert>
  );
}

function bodyOf({ url, kind, ref }: Draft): NewSource {
  const parsed = SourceKind.safeParse(kind);
  return {
    url: url.trim(),
    ...(parsed.success ? { kind: parsed.data } : {}),
    ...(ref.trim() === '' ? {} : { ref: ref.trim() }),
  };
}

/**
 * Returns the host's messages about single fields; a conflict with an existing source is about the
 * address.
 */
function fieldErrorsOf(error: unknown): ReadonlyMap<string, string> {
  if (!(error instanceof ServiceError)) return new Map();
  const { code, detail, message, errors = [] } = error.problem;
  if (['source_exists', 'address_refused'].includes(code))
    return new Map([['url', hostMessage(message, detail)]]);
  return new Map(errors.map((one) => [one.path, fieldText(one)]));
}
