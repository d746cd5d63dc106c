import type { Judgement } from './judged-call.ts';
import type { SessionRules } from './session-rules.ts';

/**
 * Implements `CallGate.granted`: calls `judge` again after every grant that could allow the call.
 */
export function whenGranted(
  asked: Judgement,
  { sessions, session, signal }: { sessions: SessionRules; session: string; signal: AbortSignal },
  judge: () => Promise<Judgement>,
): Promise<Judgement> {
  return new Promise((resolve) => {
    if (asked.hookAsks === true || asked.suggestedRules.length === 0) return;
    const judgeAgain = (): void => {
      const resolveIfAllowed = (now: Judgement): void => {
        if (now.verdict === 'allow') resolve(now);
      };
      // If the call cannot be judged now, it keeps waiting for the user.
      judge().then(resolveIfAllowed, () => undefined);
    };
    const stop = sessions.granted.subscribe((granted) => {
      if (granted === null || granted === session) judgeAgain();
    });
    signal.addEventListener('abort', stop, { once: true });
    if (sessions.grants !== asked.grantsBefore) judgeAgain();
  });
}
