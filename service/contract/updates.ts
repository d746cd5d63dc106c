import { z } from 'zod';
import { BuildKind } from './builds.ts';
import { endpoint, token } from './endpoint.ts';
import { HostMessage } from './host-message.ts';

const UpdateError = z.object({
  code: z.string(),
  message: z.string(),
  text: HostMessage.optional(),
});

export const UpdateState = z.enum([
  'idle',
  'checking',
  'current',
  'available',
  'downloading',
  'ready',
  'installing',
]);

export const Updates = z.object({
  build: BuildKind,
  /** Of the program that runs. */
  version: z.string(),
  /** `intranet` where `updateApiBase` is set. */
  channel: z.enum(['public', 'intranet']),
  /** `ready`: downloaded, verified, and waiting for the restart. */
  state: UpdateState,
  /** A newer version; what is not newer is never offered. */
  available: z.object({ version: z.string(), sizeBytes: z.number().optional() }).optional(),
  /** Of the download, 0 to 100. */
  percent: z.number().int().optional(),
  /** What went wrong last. */
  error: UpdateError.optional(),
  /** Why this build cannot be updated from this channel; then check and install are refused. */
  unsupported: UpdateError.optional(),
  /** What an administrator can run in place of the restart. */
  command: z.string().optional(),
});
export type Updates = z.output<typeof Updates>;

const reply = Updates;

export const updates = {
  get: endpoint({
    method: 'GET',
    path: '/api/updates',
    access: token,
    summary: 'Which build this is, and how far an update of it has come',
    reply,
    problems: ['setup_required'],
  }),
  check: endpoint({
    method: 'POST',
    path: '/api/updates/check',
    access: token,
    summary: 'Ask the channel for a newer version',
    reply,
    problems: ['unsupported_build', 'update_running', 'invalid_release', 'unreachable'],
  }),
  install: endpoint({
    method: 'POST',
    path: '/api/updates/install',
    access: token,
    summary: 'Begin to download and verify what the last check found; the state tells of its end',
    reply,
    problems: ['unsupported_build', 'update_running', 'no_update'],
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/updates/cancel',
    access: token,
    summary: 'End a check or a download; nothing is left of it',
    reply,
  }),
  restart: endpoint({
    method: 'POST',
    path: '/api/updates/restart',
    access: token,
    summary: 'Put the verified update in place and start the host again',
    reply,
    problems: ['update_not_ready', 'needs_administrator', 'update_damaged'],
  }),
} as const;
