import { from } from './requirement.ts';

export const grant = [
  ...from('FileRef', {
    'GRANT-01': 'A FileRef is `{id, name, kind, access, size}`; `size` is a number.',
    'GRANT-02':
      'A FileRef id is `ref_<uuid>` and the only value a UI sees: no answer carries the path.',
    'GRANT-03': '`kind` of a FileRef is `file` or `directory`.',
    'GRANT-04': '`access` of a FileRef is `read`, `write` or `read-write`.',
    'GRANT-05': 'Grants do not survive a host restart.',
    'GRANT-06': 'A grant is scoped to the plugin id it was made for.',
    'GRANT-07':
      'A grant object `{id, kind, access}` anywhere inside RPC `params` is rewritten to an absolute path before the worker receives it.',
    'GRANT-08': 'Only whole FileRef objects are rewritten: an extracted id stays text.',
    'GRANT-09': 'A worker never receives raw upload bytes.',
    'GRANT-10': "A worker never receives the path of another plugin's ref.",
  }),
  ...from('Plugin file grants (base /api/plugin-runtime/{id}/files)', {
    'GRANT-11':
      '`POST /api/plugin-runtime/{id}/files/upload` (multipart `file`, permission `files.read`) answers a FileRef to the file snapshotted to temp.',
    'GRANT-12':
      '`POST .../files/upload-directory` (multipart `files` plus `paths[]`, permission `files.read`) answers a FileRef to the directory rebuilt in temp.',
    'GRANT-13':
      '`upload-directory` takes an optional `access=read-write`, which needs `files.write` as well.',
    'GRANT-14':
      '`POST .../files/native` `{path, kind, access}` (`files.read` and/or `files.write`) answers a FileRef to that path.',
    'GRANT-15': '`POST .../files/native` works in the desktop shell only.',
    'GRANT-16':
      '`POST .../files/output` (permission `files.write`, no body) answers a FileRef to a fresh writable output directory.',
    'GRANT-17':
      '`GET .../files/export/{ref}` (permission `files.write`) streams a zip of the granted directory.',
  }),
  ...from('Plugin file grants (base /api/plugin-runtime/{id}/files); Errors; Authentication', {
    'GRANT-18':
      "The requested access must match a permission that the plugin's manifest declares (`files.read`, `files.write`); else the endpoint answers 403.",
  }),
  ...from('Plugin file grants (base /api/plugin-runtime/{id}/files)', {
    'GRANT-19':
      'Uploaded trees are snapshotted into a fresh tree `<tmp>/<host>/runtime-files/<pluginId>/<uuid>/in/`.',
    'GRANT-20': 'Outputs go to `<tmp>/<host>/runtime-files/<pluginId>/<uuid>/out/`.',
  }),
  ...from('Plugin file grants (base /api/plugin-runtime/{id}/files); Errors', {
    'GRANT-21': 'An uploaded tree that contains symlinks is rejected.',
    'GRANT-22': 'Paths that leave the snapshot root are blocked.',
  }),
  ...from('Plugin file grants (base /api/plugin-runtime/{id}/files)', {
    'GRANT-23':
      'A file or directory chosen in chat becomes a separate plugin-scoped grant for every enabled compatible backend plugin.',
    'GRANT-24':
      'An existing absolute path typed in the latest user message becomes such a grant too.',
    'GRANT-25': 'Files granted from chat are read-only.',
    'GRANT-26':
      'A directory picked in chat is `read-write` only for plugins that declare both `files.read` and `files.write`.',
    'GRANT-27':
      'A plugin that may only read gets an isolated snapshot of a directory picked in chat.',
    'GRANT-28': 'Typed paths are always granted read-only.',
    'GRANT-29': 'Grants made in chat live for the chat session.',
  }),
];
