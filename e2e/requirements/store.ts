import { from } from './requirement.ts';

export const store = [
  ...from('What the service does', {
    'STORE-01': 'The plugin store can subscribe to third-party catalog sources.',
    'STORE-02': 'One source kind reads `.claude-plugin/marketplace.json`.',
    'STORE-03': 'One source kind reads `.agents/plugins/marketplace.json`.',
    'STORE-04': "The plugin vendor's own source is seeded by default.",
    'STORE-05': 'The plugins of all sources are merged into one grid.',
    'STORE-06': 'A catalog plugin of a third-party source is installed by cloning its git source.',
  }),
  ...from('Marketplace (base /api/plugin-market)', {
    'STORE-07': 'A source can be added under `/api/plugin-store/sources`.',
    'STORE-08': 'A source can be removed under `/api/plugin-store/sources`.',
    'STORE-09': 'A source can be refreshed under `/api/plugin-store/sources`.',
  }),
  ...from('Limits', {
    'STORE-10':
      'A catalog name is slugified to one safe path segment before it reaches the file system.',
    'STORE-11': 'Skill extraction skips symlinks.',
  }),
  ...from('Authentication', {
    'STORE-12': 'Marketplace content from third parties is treated as untrusted.',
  }),
  ...from('Versioning', {
    'STORE-13': 'The unified plugin store (since `4.0.0-alpha.7`) is part of this release.',
  }),
];
