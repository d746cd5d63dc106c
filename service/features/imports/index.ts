/** Imports the configuration of other programs: MCP servers, model providers and prompts. */
import { api } from '../../contract/index.ts';
import { type Route, route } from '../../http/route.ts';
import type { UploadedFile } from '../../http/uploads.ts';
import { importParts, type ImportTargets } from './import-parts.ts';
import { partsOf } from './parts-of.ts';
import { checkPath, readConfiguration } from './read-configuration.ts';

/** The imports feature with its routes. */
export interface ImportsFeature {
  routes: Route[];
}

export const createImports = (targets: ImportTargets): ImportsFeature => ({
  routes: [
    route(api.imports.run, async ({ params, query, body, file }) => {
      const document = await readConfiguration(pathOf(file, body.path));
      return importParts(partsOf[params.program](document), targets, {
        isDryRun: query.dryRun === 'true',
        withKeys: query.keys === 'true',
      });
    }),
  ],
});

/** A request has either a file or a path. */
const pathOf = (file: UploadedFile | undefined, path: string | undefined): string =>
  file === undefined ? checkPath(path) : file.path;
