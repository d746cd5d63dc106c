import { readCatalog } from '../publish/catalog-file.ts';
import {
  type PublishedPackage,
  publishPackage,
  readPrivateKey,
} from '../publish/publish-package.ts';
import { type Command, UsageError } from './command.ts';
import { readOptions } from './read-options.ts';

export const publishCommand: Command = {
  usage: '<package…> --catalog=<file or directory> [--sign=<key>]',
  summary: 'Adds packages to a static catalog that hosts can subscribe to.',
  options: {
    catalog: 'Folder of the catalog, or its catalog.json. Created if it does not exist.',
    sign: 'File with an Ed25519 private key (PKCS #8, PEM) to sign the packages with.',
  },
  async run(args, { print, printStatus }) {
    const { options, positionals } = readOptions(args, { catalog: 'value', sign: 'value' });
    if (positionals.length === 0) throw new UsageError('Name a .plugin file.');
    if (options.catalog === undefined)
      throw new UsageError('Name the catalog, a folder or a .json file: --catalog=…');
    const catalog = await readCatalog(options.catalog);
    const key = options.sign === undefined ? null : await readPrivateKey(options.sign);
    let code = 0;
    for (const path of positionals) {
      try {
        for (const line of linesOf(await publishPackage(path, catalog, key))) print(line);
      } catch (error) {
        printStatus(`${path}: ${error instanceof Error ? error.message : String(error)}`);
        code = 1;
      }
    }
    return code;
  },
};

function linesOf({ id, version, before, added, removed, signed }: PublishedPackage): string[] {
  const from = before === null ? '' : ` in the place of ${before}`;
  const listed = (names: string[]): string => names.join(', ');
  return [
    `${id} ${version} is in the catalog${from}${signed ? ', signed' : ''}.`,
    ...(added.length > 0
      ? [`  It asks for more than before: ${listed(added)}. People are asked before they update.`]
      : []),
    ...(removed.length > 0 ? [`  It asks no more for: ${listed(removed)}.`] : []),
  ];
}
