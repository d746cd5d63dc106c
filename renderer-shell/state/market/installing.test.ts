import { describe, expect, it } from 'vitest';
import type { PluginOperation } from '../../../service/contract/index.ts';
import {
  afterOperation,
  isRunning,
  overallPercent,
  queued,
  resultOf,
  tally,
} from './installing.ts';

const operation: PluginOperation = {
  id: 'o1',
  pluginId: 'acme.words',
  kind: 'update',
  state: 'running',
  phase: 'receiving',
};

describe('an installation', () => {
  it('has the last state from the host', () => {
    const before = { ...queued('update'), error: new Error('away') };
    expect(isRunning(before)).toBe(true);
    expect(afterOperation(before, { ...operation, percent: 40 })).toMatchObject({
      operationId: 'o1',
      state: 'running',
      phase: 'receiving',
      percent: 40,
      error: null,
    });
    const failed = afterOperation(before, {
      ...operation,
      state: 'failed',
      message: 'No such branch.',
    });
    expect(failed).toMatchObject({ state: 'failed', message: 'No such branch.', percent: null });
    expect(isRunning(failed)).toBe(false);
  });

  it('progresses through all its phases', () => {
    const steps = [
      ...[overallPercent({ phase: 'waiting', percent: null })],
      ...[overallPercent({ phase: 'resolving', percent: null })],
      ...[0, 50, 100].map((percent) => overallPercent({ phase: 'receiving', percent })),
      ...[0, 100].map((percent) => overallPercent({ phase: 'writing', percent })),
      ...[overallPercent({ phase: 'done', percent: null })],
    ];
    expect(steps).toEqual([0, 0, 10, 43, 75, 75, 95, 100]);
  });

  it('has no percentage in an unknown phase', () => {
    expect(overallPercent({ phase: 'polishing', percent: 50 })).toBeNull();
  });
});

describe('the results of updating all', () => {
  const round = { asks: new Set(['b']), errors: new Map([['c', new Error('gone')]]) };

  it('have the outcome of each plugin, or why it was skipped', () => {
    expect(resultOf(round, 'a', undefined)).toBe('waiting');
    expect(resultOf(round, 'a', queued('update'))).toBe('running');
    expect(resultOf(round, 'a', { ...queued('update'), state: 'completed' })).toBe('completed');
    expect(resultOf(round, 'b', undefined)).toBe('asks');
    expect(resultOf(round, 'b', { ...queued('update'), state: 'failed' })).toBe('failed');
    expect(resultOf(round, 'c', undefined)).toBe('failed');
  });

  it('are counted', () => {
    expect(tally(['completed', 'asks', 'completed'])).toEqual({
      waiting: 0,
      running: 0,
      completed: 2,
      failed: 0,
      cancelled: 0,
      asks: 1,
    });
  });
});
