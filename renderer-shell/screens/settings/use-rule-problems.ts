import { useEffect, useState } from 'react';
import type { Received, WritableSettings } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { useShell } from '../../state/shell.ts';

export type RuleProblem = Received<typeof api.permissions.explain>['problems'][number];

/** Whoever types is let finish. */
const typingMs = 300;

/** The lines that are no rules, as the service reads them; nothing of it is stored. */
export function useRuleProblems(rules: WritableSettings['permissionRules']): RuleProblem[] {
  const { client } = useShell();
  const [problems, setProblems] = useState<RuleProblem[]>([]);
  useEffect(() => {
    const over = new AbortController();
    const check = async () => {
      const body = { tool: 'execute_command', arguments: { command: 'true' }, rules };
      const call = client.call(api.permissions.explain, { body, signal: over.signal });
      const answer = await call.catch(() => null);
      if (answer && !over.signal.aborted) setProblems(answer.problems);
    };
    const timer = setTimeout(() => void check(), typingMs);
    return () => {
      clearTimeout(timer);
      over.abort();
    };
  }, [client, rules]);
  return problems;
}
