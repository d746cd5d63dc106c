import { useCallback } from 'react';
import type { NodeOption } from '../../../service/contract/index.ts';
import { api, HostEnum } from '../../../service/contract/index.ts';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { useShell } from '../../state/shell.ts';

/** Loads the options of an input with `x-host-enum`. */
export function useInputOptions(listed: unknown): {
  options: readonly NodeOption[];
  error: unknown;
  retry: () => void;
} {
  const { client } = useShell();
  const asked = JSON.stringify(listed);
  const load = useCallback(() => {
    const body = HostEnum.parse(JSON.parse(asked));
    return client.call(api.workflows.inputOptions, { body });
  }, [client, asked]);
  const { state, refresh } = useLoaded(load);
  const options = state.kind === 'ready' ? distinct(state.value) : [];
  return { options, error: state.kind === 'failed' ? state.error : null, retry: refresh };
}

const distinct = (options: readonly NodeOption[]): NodeOption[] => [
  ...new Map(options.map((option) => [String(option.value), option])).values(),
];
