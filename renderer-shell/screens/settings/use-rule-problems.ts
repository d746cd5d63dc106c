import { useEffect, useState } from 'react';
import type { Received, WritableSettings } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { useShell } from '../../state/shell.ts';

export type RuleProblem = Received<typeof api.permissions.explain>['problems'][number];

/** Delay after typing before the rules are checked, in milliseconds. */
const typingMs = 300;

/** Returns the invalid rules, as parsed by the service; nothing is stored. */
export function useRuleProblems(rules: WritableSettings['permissionRules']): RuleProblem[] {
  const { client } = useShell();
  const [problems, setProblems] = useState<RuleProblem[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    const check = async () => {
      const body = { tool: 'execute_command', arguments: { command: 'true' }, rules };
      const call = client.call(api.permissions.explain, { body, signal: controller.signal });
      const answer = await call.catch(() => null);
      if (answer && !controller.signal.aborted) setProblems(answer.problems);
    };
    const timer = setTimeout(() => void check(), typingMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [client, rules]);
  return problems;
}
