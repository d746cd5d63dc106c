import { from } from './requirement.ts';

export const version = [
  ...from('Versioning', {
    'VERSION-01': 'The service release line is `4.0.0-beta.4`.',
    'VERSION-02': 'Plugin versions are ordered by the semantic version rules.',
    'VERSION-03': 'Endpoints carry no version segment in their paths.',
  }),
];
