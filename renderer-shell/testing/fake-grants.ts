import { randomUUID } from 'node:crypto';
import type { Endpoint, FileRef } from '../../service/contract/index.ts';
import { api } from '../../service/contract/index.ts';
import type { FakeHost, FakeProblem, FakeUpload } from './fake-host.ts';
import type { FakeAnswer, FakeRequest } from './fake-request.ts';

const refused: FakeProblem = {
  status: 403,
  code: 'missing_permission',
  detail: 'The plugin does not have the permission.',
};

/** Returns the responses of the operations on granted files. */
export function grantAnswers(host: FakeHost): [Endpoint, FakeAnswer][] {
  const grant = (id: string | undefined, ref: Omit<FileRef, 'id'>): FileRef => {
    const granted = { id: `ref_${randomUUID()}`, ...ref };
    host.grants.set(id ?? '', [...(host.grants.get(id ?? '') ?? []), granted]);
    return granted;
  };
  const holds = (id: string | undefined, permission: string) =>
    host.plugins.get(id ?? '')?.permissions.includes(permission) === true;

  const upload = async (request: FakeRequest, kind: FileRef['kind']) => {
    await host.holdUploads;
    const { params, files, fields } = request;
    const problem = holds(params['id'], 'files.read') ? host.uploadProblem : refused;
    if (problem) return problem;
    const paths = [fields['paths[]'] ?? []].flat();
    const uploaded: FakeUpload = {};
    for (const [index, file] of files.entries())
      uploaded[paths[index] ?? file.name] = await file.text();
    host.uploads.push(uploaded);
    const size = files.reduce((sum, file) => sum + file.size, 0);
    const name = paths[0]?.split('/')[0] ?? files[0]?.name ?? 'file';
    const access = fields['access'] === 'read-write' ? 'read-write' : 'read';
    return grant(params['id'], { name, kind, access, size });
  };

  return [
    [api.files.list, ({ params }) => host.grants.get(params['id'] ?? '') ?? []],
    [api.files.upload, (request) => upload(request, 'file')],
    [api.files.uploadDirectory, (request) => upload(request, 'directory')],
    [
      api.files.native,
      ({ params, body }) => {
        const { path, kind, access } = body as Pick<FileRef, 'kind' | 'access'> & { path: string };
        return grant(params['id'], { name: path.split('/').at(-1) ?? '', kind, access, size: 1 });
      },
    ],
    [
      api.files.output,
      ({ params, body }) => {
        if (!holds(params['id'], 'files.write')) return refused;
        const { name = 'output' } = (body ?? {}) as { name?: string };
        return grant(params['id'], { name, kind: 'directory', access: 'write', size: 0 });
      },
    ],
    [api.files.exportOutput, () => Buffer.from(host.exported)],
  ];
}
