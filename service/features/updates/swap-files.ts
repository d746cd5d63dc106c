import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hostVersion } from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import type { SwapOutcome } from '../../platform/swap-plan.ts';
import { type HostText, isMessage, msg, readStoredText } from '../../messages/index.ts';

/** Absolute paths of the files by which the host and the swap program communicate. */
export interface SwapFiles {
  plan: string;
  started: string;
  outcome: string;
}

/** Files by which the old program, the swap program and the new program communicate. */
export const swapFiles = (updates: string): SwapFiles => ({
  plan: join(updates, 'swap.json'),
  started: join(updates, 'started'),
  outcome: join(updates, 'taken-back.json'),
});

/** Signals a waiting swap program that the new version has started. */
export async function markStarted(updates: string, version: string): Promise<void> {
  const { plan, started } = swapFiles(updates);
  const isAwaited = await readFile(plan).then(
    () => true,
    () => false,
  );
  if (isAwaited) await writeFile(started, version, { mode: 0o600 });
}

/**
 * Returns once the reason why the previous version was restored; null if nothing was rolled back.
 */
export async function readRollback(updates: string): Promise<HostError | null> {
  const { outcome } = swapFiles(updates);
  const text = await readFile(outcome, 'utf8').catch(() => null);
  if (text === null) return null;
  const { version, why } = read(text);
  // A version that is just being rolled back must not report it.
  if (version === hostVersion) return null;
  await rm(outcome, { force: true });
  return new HostError(
    'conflict',
    'update_taken_back',
    msg('updates.takenBack', { version, reason: isMessage(why) ? why : why.replace(/\.$/, '') }),
  );
}

function read(text: string): Record<keyof SwapOutcome, HostText> {
  try {
    const { version, why } = JSON.parse(text) as Partial<Record<keyof SwapOutcome, unknown>>;
    const reason = typeof why === 'string' ? why : readStoredText(JSON.stringify(why));
    return { version: excerpt(version), why: isMessage(reason) ? reason : excerpt(reason) };
  } catch {
    return { version: msg('updates.newerVersion'), why: msg('updates.noReason') };
  }
}

const excerpt = (value: unknown): string => String(value).slice(0, 500);
