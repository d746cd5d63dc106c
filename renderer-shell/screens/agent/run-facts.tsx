import { Age } from '../../ui/frame/age.tsx';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { runsOf } from '../../state/agent/runs.ts';
import type { Client } from '../../../service/client/index.ts';
import type { RunDetails, RunSummary } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { useNow } from '../../ui/frame/use-now.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { isOver } from '../../state/agent/run-state.ts';
import { durationText } from '../../core/messages/duration.ts';

const minuteMs = 60_000;

/** Shows when and with which options a run was created, and the related runs. */
export function RunFacts({ details }: { details: RunDetails }) {
  const { t, language } = useTranslation();
  const { createdAt, finishedAt, posture, capabilityMode, config, host } = details;
  const nowMs = useNow(minuteMs);
  const tookMs = finishedAt === undefined ? null : Date.parse(finishedAt) - Date.parse(createdAt);
  return (
    <ul className="run-facts">
      <li>
        <Age at={createdAt} nowMs={nowMs} />
      </li>
      {tookMs !== null && isOver(details) && (
        <li>{t('agent.took', { time: durationText(tookMs, language) })}</li>
      )}
      {config.permissionMode && <li>{t(`mode.${config.permissionMode}.name`)}</li>}
      {config.model !== undefined && <li className="untrusted">{config.model}</li>}
      {host && <li className="untrusted">{t('agent.onHost', { host: host.name })}</li>}
      <li title={t(`agent.posture.${posture}Text`)}>{t(`agent.posture.${posture}`)}</li>
      {capabilityMode === 'read-only' && <li>{t('agent.option.readOnly')}</li>}
      <RelatedRuns details={details} />
    </ul>
  );
}

function RelatedRuns({ details: { runId, parentRunId, batchId } }: { details: RunDetails }) {
  const { t } = useTranslation();
  const shell = useShell();
  const open = useCallback((id: string) => shell.route.go({ area: 'agent', id }), [shell]);
  const { siblings, next } = useRelatedRuns(runId, batchId);
  return (
    <>
      {parentRunId !== undefined && (
        <li>
          <button type="button" className="link" onClick={() => open(parentRunId)}>
            {t('agent.parent')}
          </button>
        </li>
      )}
      {next.map((run) => (
        <li key={run.runId}>
          <button type="button" className="link" onClick={() => open(run.runId)}>
            {t('agent.next', { status: t(`agent.status.${run.status}`) })}
          </button>
        </li>
      ))}
      {siblings.length > 0 && (
        <li className="run-siblings">
          {t('agent.siblings')}{' '}
          {siblings.map((run) => (
            <button
              key={run.runId}
              type="button"
              className="link untrusted"
              title={t(`agent.status.${run.status}`)}
              onClick={() => open(run.runId)}
            >
              {run.goal.slice(0, 60)}
            </button>
          ))}
        </li>
      )}
    </>
  );
}

/**
 * Reads the runs of the same batch and those that continue this one, which the loaded part of the
 * list may not contain; repeats it when the list changes.
 */
function useRelatedRuns(runId: string, batchId: string | undefined) {
  const shell = useShell();
  const { items } = useStore(runsOf(shell).list.state);
  const statuses = items.map(({ runId: id, status }) => `${id} ${status}`).join();
  const [found, setFound] = useState<{ siblings: RunSummary[]; next: RunSummary[] }>(nothing);
  useEffect(() => {
    const reading = new AbortController();
    readRelated(shell.client, { runId, batchId, signal: reading.signal }).then(setFound, () => {
      // On failure the last ones stay; they are read again with the list.
    });
    return () => reading.abort();
  }, [shell.client, runId, batchId, statuses]);
  return found;
}

const nothing = { siblings: [], next: [] };

interface Related {
  runId: string;
  batchId: string | undefined;
  signal: AbortSignal;
}

async function readRelated(client: Client, { runId, batchId, signal }: Related) {
  const read = (query: { batchId: string } | { parentRunId: string }) =>
    client.call(api.agent.runs, { query, signal });
  const [batch, next] = await Promise.all([
    batchId === undefined ? [] : read({ batchId }),
    read({ parentRunId: runId }),
  ]);
  return { siblings: batch.filter((run) => run.runId !== runId), next };
}
