import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import type {
  NodeInput,
  NodeOption,
  OptionNeed,
  WorkflowNode,
} from '../../../service/contract/index.ts';
import { api, optionNeeds } from '../../../service/contract/index.ts';
import { useShell } from '../../state/shell.ts';

/** The options of an input. */
export interface NodeOptions {
  options: readonly NodeOption[];
  busy: boolean;
  error: unknown;
  /** Inputs that must be filled in before the options can be requested. */
  needs: readonly OptionNeed[];
  retry: () => void;
}

const typingMs = 400;
const limitMs = 15_000;

type Values = Readonly<Record<string, unknown>>;
type Read = Pick<NodeOptions, 'options' | 'busy' | 'error'>;

/**
 * Loads the options of an input; those of a plugin are requested again when the values they depend
 * on change.
 */
export function useNodeOptions(kind: WorkflowNode, input: NodeInput, values: Values): NodeOptions {
  const { client } = useShell();
  const isListed = input.source !== undefined || input.optionsFromContext !== undefined;
  const needs = optionNeeds(kind, input, values);
  const isAsked = isListed && needs.length === 0;
  const { [input.name]: _, ...others } = values;
  const [sent] = useDebouncedValue(JSON.stringify(isAsked ? others : {}), typingMs);
  const [attempts, setAttempts] = useState(0);
  const [read, setRead] = useState<Read>({ options: [], busy: isAsked, error: null });
  useEffect(() => {
    if (!isAsked) return;
    const controller = new AbortController();
    client
      .call(api.workflows.nodeOptions, {
        params: { type: kind.type },
        body: { input: input.name, values: JSON.parse(sent) as Record<string, unknown> },
        signal: AbortSignal.any([controller.signal, AbortSignal.timeout(limitMs)]),
      })
      .then((options) => setRead({ options, busy: false, error: null }))
      .catch((error: unknown) => {
        if (!controller.signal.aborted) setRead((before) => ({ ...before, busy: false, error }));
      });
    return () => controller.abort();
  }, [client, kind.type, input.name, isAsked, sent, attempts]);
  if (!isAsked) {
    const options = isListed ? [] : (input.options ?? []);
    return { options, busy: false, error: null, needs, retry: () => undefined };
  }
  return { ...read, needs, retry: () => setAttempts((count) => count + 1) };
}
