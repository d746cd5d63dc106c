import { from } from './requirement.ts';

export const http = [
  ...from('What the service does; Endpoints', {
    'HTTP-01': 'REST bodies and answers are JSON: `application/json`.',
    'HTTP-02': 'Files are uploaded as `multipart/form-data`.',
    'HTTP-03': 'Live streams are server-sent events.',
  }),
  ...from('Health and categories', {
    'HTTP-04': '`GET /api/health` answers `{status: "ok"}`.',
  }),
];
