import { z } from 'zod';
import { bytes, endpoint, multipart, multipartFiles, token } from './endpoint.ts';
import { PluginId } from './manifest.ts';

export const FileKind = z.enum(['file', 'directory']);
export const FileAccess = z.enum(['read', 'write', 'read-write']);

/**
 * A reference to a granted file, which pages receive instead of a path. In the params of a call,
 * the worker receives the path.
 */
export const FileRef = z.object({
  id: z.string(),
  name: z.string(),
  kind: FileKind,
  access: FileAccess,
  /** Bytes; for a folder, the sum of its files when it was granted. */
  size: z.int(),
});
export type FileRef = z.output<typeof FileRef>;

const ById = z.object({ id: PluginId });
const problems = ['unknown_plugin', 'missing_permission'] as const;

export const files = {
  list: endpoint({
    method: 'GET',
    path: '/api/plugin-runtime/{id}/files',
    access: token,
    summary: 'The files granted to the plugin, without their paths',
    params: ById,
    reply: z.array(FileRef),
    problems: ['unknown_plugin'],
  }),
  upload: endpoint({
    method: 'POST',
    path: '/api/plugin-runtime/{id}/files/upload',
    access: token,
    summary: 'Grant a copy of one file, to read',
    params: ById,
    body: multipart('file', z.object({})),
    reply: FileRef,
    problems,
  }),
  uploadDirectory: endpoint({
    method: 'POST',
    path: '/api/plugin-runtime/{id}/files/upload-directory',
    access: token,
    summary: 'Grant a copy of a directory; paths[] say where each of the files lies',
    params: ById,
    body: multipartFiles(
      'files',
      z.object({
        'paths[]': z.array(z.string()),
        access: z.enum(['read', 'read-write']).default('read'),
      }),
    ),
    reply: FileRef,
    problems: [...problems, 'invalid_paths'],
  }),
  native: endpoint({
    method: 'POST',
    path: '/api/plugin-runtime/{id}/files/native',
    access: token,
    summary: 'Grant a file or directory where it is; on the desktop only',
    params: ById,
    body: z.strictObject({ path: z.string().max(4_096), kind: FileKind, access: FileAccess }),
    reply: FileRef,
    problems: [...problems, 'desktop_only', 'not_chosen', 'unknown_path'],
  }),
  output: endpoint({
    method: 'POST',
    path: '/api/plugin-runtime/{id}/files/output',
    access: token,
    summary: 'Grant a new empty directory to write to',
    params: ById,
    body: z.strictObject({ name: z.string().min(1).max(200).optional() }).optional(),
    reply: FileRef,
    problems,
  }),
  exportOutput: endpoint({
    method: 'GET',
    path: '/api/plugin-runtime/{id}/files/export/{ref}',
    access: token,
    summary:
      'A granted file as it is; an output of one file as that file, any other directory as a zip. `X-Host-Left-Out` names what is not in it',
    params: z.object({ id: PluginId, ref: z.string().max(100) }),
    /** `zip`: an output of a single file is zipped, too. */
    query: z.object({ format: z.enum(['zip']).optional() }),
    reply: bytes('application/zip'),
    problems: [...problems, 'unknown_grant'],
  }),
} as const;
