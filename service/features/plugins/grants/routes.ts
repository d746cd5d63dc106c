import { api, type PluginManifest } from '../../../contract/index.ts';
import { requireChosen, type WasChosen } from '../../../core/chosen-path.ts';
import { StreamReply } from '../../../http/reply.ts';
import { type Route, route } from '../../../http/route.ts';
import type { PluginFiles } from './plugin-files.ts';

/** Dependencies of the routes for files that plugins may use. */
export interface GrantRouteOptions {
  files: PluginFiles;
  /** Returns the manifest of a plugin. @throws HostError 404 `unknown_plugin` */
  manifestOf: (pluginId: string) => PluginManifest;
  /** Returns true if the user chose this path of their own files. */
  wasChosen: WasChosen;
  /** Called when a native file was granted, so that the worker gets access to it. */
  onNative: (pluginId: string) => Promise<void>;
}

export function grantRoutes({
  files,
  manifestOf,
  wasChosen,
  onNative,
}: GrantRouteOptions): Route[] {
  const received = { uploadDirectory: () => files.incoming() };
  return [
    route(api.files.list, ({ params }) => files.list(manifestOf(params.id).id)),
    route(
      api.files.upload,
      ({ params, file }) => files.upload(manifestOf(params.id), file),
      received,
    ),
    route(
      api.files.uploadDirectory,
      ({ params, body, files: uploaded }) =>
        files.uploadDirectory(manifestOf(params.id), uploaded, {
          paths: body['paths[]'],
          access: body.access,
        }),
      received,
    ),
    route(api.files.native, async ({ params, body }) => {
      const manifest = manifestOf(params.id);
      requireChosen(wasChosen, body.path);
      const ref = await files.native(manifest, body);
      await onNative(params.id);
      return ref;
    }),
    route(api.files.output, ({ params, body }) => files.output(manifestOf(params.id), body?.name)),
    route(api.files.exportOutput, async ({ params, query }) => {
      const { body, fileName, contentType, skipped } = await files.export(
        manifestOf(params.id),
        params.ref,
        query.format,
      );
      const disposition = `attachment; filename*=UTF-8\'\'${encodeURIComponent(fileName)}`;
      return new StreamReply(body, {
        'Content-Type': contentType,
        'Content-Disposition': disposition,
        ...(skipped.length === 0 ? {} : { 'X-Host-Left-Out': skippedHeader(skipped) }),
      });
    }),
  ];
}

/** Encodes names as JSON, with characters that a header cannot contain percent-encoded. */
const skippedHeader = (names: readonly string[]): string =>
  encodeURIComponent(JSON.stringify(names));
