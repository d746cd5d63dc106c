import { createHash } from 'node:crypto';
import type { Component } from './components.ts';

/** Program that a bill of materials describes. */
export interface Product {
  name: string;
  version: string;
  /** Runtimes that are included and not npm packages: Node, Electron. */
  runtimes: { name: string; version: string; license: string }[];
}

/** Returns a bill of materials in CycloneDX 1.6. The same input gives the same text. */
export function bomOf(product: Product, components: Component[]): string {
  const self = `${product.name}@${product.version}`;
  const byFolder = new Map(components.map((one) => [one.folder, refOf(one)]));
  const runtimes = product.runtimes.map(({ name, version, license }) => ({
    type: 'platform',
    'bom-ref': `${name}@${version}`,
    name,
    version,
    licenses: [{ license: { name: license } }],
    purl: `pkg:generic/${name}@${version}`,
  }));
  const all = [...runtimes, ...components.map(entryOf)];
  const unique = [...new Map(all.map((one) => [one['bom-ref'], one])).values()];
  const uses = new Map(components.map((one) => [refOf(one), one.uses]));
  const body = {
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': self, ...nameOf(product) } },
    components: unique,
    dependencies: [
      { ref: self, dependsOn: unique.map((one) => one['bom-ref']) },
      ...unique.map((one) => ({
        ref: one['bom-ref'],
        dependsOn: (uses.get(one['bom-ref']) ?? [])
          .map((folder) => byFolder.get(folder))
          .filter((ref) => ref !== undefined)
          .sort(),
      })),
    ],
  };
  const head = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(body))}`,
  };
  return `${JSON.stringify({ ...head, ...body }, null, 2)}\n`;
}

const nameOf = ({ name, version }: Product): { name: string; version: string } => ({
  name,
  version,
});

const refOf = ({ name, version }: Component): string => `${name}@${version}`;

function entryOf(component: Component) {
  const { name, version, license, sha512 } = component;
  const scope = name.startsWith('@') ? name.slice(0, name.indexOf('/')) : null;
  return {
    type: 'library',
    'bom-ref': refOf(component),
    ...(scope === null ? {} : { group: scope }),
    name: scope === null ? name : name.slice(scope.length + 1),
    version,
    ...(sha512 === null ? {} : { hashes: [{ alg: 'SHA-512', content: sha512 }] }),
    licenses: [/ (OR|AND|WITH) /.test(license) ? { expression: license } : named(license)],
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  };
}

/** Uses `name` because there is no list of SPDX identifiers to check an `id` against. */
const named = (license: string) => ({ license: { name: license } });

/** A version 8 UUID derived from the content: the same content gives the same number. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((parseInt(hex[16] ?? '0', 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-');
}
