import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Client } from '../../../service/client/index.ts';
import type {
  ConnectionTest,
  DatabaseChoice,
  DatabaseForm,
  DatabaseType,
} from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import type { AppearanceStore } from '../../core/theme/appearance-store.ts';
import type { Appearance } from '../../core/theme/appearance.ts';
import type { Session } from '../../core/session/session.ts';
import { localizeForms } from './localize-forms.ts';
import type { InvalidField } from './invalid-fields.ts';
import { invalidFieldsOf } from './invalid-fields.ts';

export type FieldValue = string | number | boolean;
export type FieldValues = Record<string, FieldValue>;
export type SetupWork = 'testing' | 'initializing' | 'continuing' | null;

/** The state and actions of the wizard. */
export interface Setup {
  forms: DatabaseForm[] | null;
  form: DatabaseForm | undefined;
  values: FieldValues;
  work: SetupWork;
  error: unknown;
  /** Why the previous configuration cannot be restored. */
  backError: unknown;
  wrong: InvalidField[];
  tested: ConnectionTest | null;
  choose: (type: DatabaseType) => void;
  setValue: (name: string, value: FieldValue) => void;
  load: () => void;
  test: () => void;
  initialize: () => void;
  goBack: () => void;
}

interface Progress {
  work: SetupWork;
  error: unknown;
  backError: unknown;
  tested: ConnectionTest | null;
}

const idle: Progress = { work: null, error: null, backError: null, tested: null };

export function useSetup(session: Session, appearance: AppearanceStore): Setup {
  const { client } = session;
  const { t } = useTranslation();
  const { forms: loadedForms, failure, load } = useForms(client);
  const forms = useMemo(() => loadedForms && localizeForms(loadedForms, t), [loadedForms, t]);
  const [type, setType] = useState<DatabaseType>('SQLITE');
  const [typed, setTyped] = useState<Partial<Record<DatabaseType, FieldValues>>>({});
  const [progress, setProgress] = useState(idle);

  const form = forms?.find((each) => each.type === type);
  const values = { ...defaultsOf(form), ...typed[type] };
  const choice: DatabaseChoice = { type, params: paramsOf(values) };

  const during = (work: SetupWork, run: () => Promise<ConnectionTest | null>) => {
    setProgress({ ...idle, work });
    run().then(
      (tested) => setProgress({ ...idle, tested }),
      (error: unknown) =>
        setProgress({ ...idle, [work === 'continuing' ? 'backError' : 'error']: error }),
    );
  };
  const leave = async (first: Appearance | null) => {
    await session.leaveSetup(first);
    return null;
  };

  return {
    forms,
    form,
    values,
    work: progress.work,
    error: progress.error ?? failure,
    backError: progress.backError,
    wrong: invalidFieldsOf(progress.error, form?.fields ?? []),
    tested: progress.tested,
    choose: (next) => {
      setType(next);
      setProgress(idle);
    },
    setValue: (name, value) => {
      setTyped({ ...typed, [type]: { ...typed[type], [name]: value } });
      setProgress(idle);
    },
    load,
    test: () => during('testing', () => client.call(api.setup.testConnection, { body: choice })),
    initialize: () =>
      during('initializing', () =>
        client.call(api.setup.initialize, { body: choice }).then(() => leave(appearance.get())),
      ),
    goBack: () =>
      during('continuing', () => client.call(api.setup.continue).then(() => leave(null))),
  };
}

function useForms(client: Client) {
  const [forms, setForms] = useState<DatabaseForm[] | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let current = true;
    client.call(api.setup.types).then(
      (answer) => {
        if (!current) return;
        setForms(answer);
        setFailure(null);
      },
      (error: unknown) => {
        if (current) setFailure(error);
      },
    );
    return () => {
      current = false;
    };
  }, [client, turn]);
  return { forms, failure, load: () => setTurn(turn + 1) };
}

function defaultsOf(form: DatabaseForm | undefined): FieldValues {
  const defaults = (form?.fields ?? []).flatMap((field) =>
    field.default === undefined ? [] : [[field.name, field.default] as const],
  );
  return Object.fromEntries(defaults);
}

/** Omits empty fields. */
const paramsOf = (values: FieldValues): FieldValues =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
