import { expect, it } from 'vitest';
import { HostError } from '../core/host-error.ts';
import { problemOf, statusOf } from './problems.ts';

it('every kind of error has its status [ERROR-01]', () => {
  expect(statusOf).toEqual({
    invalid: 400,
    unauthorized: 401,
    forbidden: 403,
    missing: 404,
    'method-not-allowed': 405,
    timeout: 408,
    conflict: 409,
    gone: 410,
    'too-large': 413,
    'wrong-content-type': 415,
    unprocessable: 422,
    'headers-too-large': 431,
    'desktop-only': 501,
    'upstream-failed': 502,
    unavailable: 503,
    'upstream-timeout': 504,
    'disk-full': 507,
  });
});

it('the text of an unknown error is not revealed', () => {
  const problem = problemOf(new Error('password=hunter2 at /home/someone'));
  expect(problem).toMatchObject({ status: 500, code: 'internal_error' });
  expect(JSON.stringify(problem)).not.toMatch(/hunter2|home/);
});

it('a full disk is reported as such wherever it occurs', () => {
  const fromFiles = Object.assign(new Error('write'), { code: 'ENOSPC' });
  const fromQuota = Object.assign(new Error('write'), { code: 'EDQUOT' });
  for (const error of [fromFiles, fromQuota])
    expect(problemOf(error)).toMatchObject({ status: 507, code: 'disk_full' });
});

it('details of an expected error are part of the problem', () => {
  const errors = [{ path: 'a.b', message: 'is missing' }];
  const error = new HostError('upstream-failed', 'worker_crashed', 'The worker ended.', {
    errors,
    rpcCode: -32001,
  });
  expect(problemOf(error)).toEqual({
    type: 'about:blank',
    title: 'Bad Gateway',
    status: 502,
    detail: 'The worker ended.',
    code: 'worker_crashed',
    errors,
    rpcCode: -32001,
  });
});
