import { from } from './requirement.ts';

export const error = [
  ...from('Errors', {
    'ERROR-01': 'Errors use standard HTTP status codes.',
    'ERROR-02': 'Validation messages of the host are localized in the UI.',
  }),
];
