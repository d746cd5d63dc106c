import { from } from './requirement.ts';

export const market = [
  ...from('Marketplace (base /api/plugin-market); MarketplacePlugin', {
    'MARKET-01':
      '`GET /api/plugin-market` lists every installed plugin with its manifest, `source` (`OFFICIAL` or `THIRD_PARTY`), `enabled` flag and `supportsAi` badge.',
    'MARKET-02':
      '`GET /api/plugin-market` lists the plugins of the catalogs too, also those that are not installed.',
  }),
  ...from('Marketplace (base /api/plugin-market); PackageInspection', {
    'MARKET-03':
      '`POST /api/plugin-market/inspect` (multipart `file`) answers `{id, name, version, installed, installedVersion, comparison}`.',
    'MARKET-04': 'Inspecting a package installs nothing.',
  }),
  ...from('PackageInspection; Versioning', {
    'MARKET-05':
      '`comparison` is `upgrade`, `downgrade` or `same`, by semantic version order against the installed version.',
  }),
  ...from('PackageInspection', {
    'MARKET-06': '`comparison` is null when the id is not installed.',
  }),
  ...from('PackageInspection; Versioning', {
    'MARKET-07': 'The update badge of the catalog uses the same version order as inspect.',
  }),
  ...from('Marketplace (base /api/plugin-market)', {
    'MARKET-08':
      '`POST /api/plugin-market/upload` (multipart `file`) installs the package and answers the installed plugin.',
    'MARKET-09':
      'Uploading a package with an installed id updates it: the way for plugins of no catalog, after inspect.',
    'MARKET-10':
      '`POST /api/plugin-market/upload-native` `{path}` installs the package at that path.',
    'MARKET-11':
      '`POST /api/plugin-market/inspect-native` `{path}` answers the PackageInspection of the package at that path, installing nothing.',
    'MARKET-12': 'The `-native` endpoints work in the desktop only.',
    'MARKET-13':
      '`POST /api/plugin-market/{id}/install` installs a plugin that is listed in the catalog but not installed.',
    'MARKET-14':
      '`POST /api/plugin-market/{id}/update` resolves the latest version from the catalog and replaces the installed copy.',
    'MARKET-15':
      '`PATCH /api/plugin-market/{id}/enabled` `{enabled: boolean}` enables or disables the plugin.',
    'MARKET-16':
      '`DELETE /api/plugin-market/{id}` needs the query `deleteData` (true or false); without it nothing is uninstalled.',
    'MARKET-17': 'The property `host.marketplace.catalog-url` sets the catalog address.',
    'MARKET-18': 'A catalog update of a plugin that is in no configured catalog is refused.',
  }),
  ...from('Behaviours tied to endpoints', {
    'MARKET-19':
      'Upload parses the package, extracts `manifest.json` and validates the structure; an invalid package is rejected and nothing is registered.',
    'MARKET-20': 'A plugin registered by upload has the source `THIRD_PARTY`.',
  }),
  ...from('Behaviours tied to endpoints; Errors', {
    'MARKET-21': 'An upload that declares an id of the reserved official namespace is rejected.',
    'MARKET-22': 'An upload that declares `official: true` is rejected.',
  }),
  ...from('Behaviours tied to endpoints', {
    'MARKET-23':
      'A marketplace package that declares the reserved namespace or `official: true` is rejected.',
    'MARKET-24':
      'Official plugins are seeded by a trusted path that verifies their SHA-256 sidecar; a package that does not match is not installed.',
  }),
  ...from('Authentication', {
    'MARKET-25':
      'The official id namespace and `official: true` can be set by the trusted seeder path only; what it installs has the source `OFFICIAL`.',
  }),
  ...from('Behaviours tied to endpoints', {
    'MARKET-26': 'With the checksum requirement on, install demands a `.sha256` sidecar.',
  }),
  ...from('Behaviours tied to endpoints; Errors', {
    'MARKET-27':
      'With the checksum requirement on, a package that does not match its sidecar is rejected.',
  }),
  ...from('Behaviours tied to endpoints', {
    'MARKET-28':
      'A local package pick in the shell goes through inspect first, and the shell warns on `downgrade` and `same`.',
  }),
];
