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
  /** Version of the running program. */
  version: z.string(),
  /** `intranet` if `updateApiBase` is set. */
  channel: z.enum(['public', 'intranet']),
  /** `ready`: downloaded, verified and waiting for a restart. */
  state: UpdateState,
  /** A newer version; older ones are never offered. */
  available: z.object({ version: z.string(), sizeBytes: z.number().optional() }).optional(),
  /** Progress of the download, 0 to 100. */
  percent: z.number().int().optional(),
  /** Most recent error. */
  error: UpdateError.optional(),
  /**
   * Reason why this build cannot be updated from this channel; checks and installations are
   * refused.
   */
  unsupported: UpdateError.optional(),
  /** Command that an administrator can run instead of the restart. */
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
