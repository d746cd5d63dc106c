import { from } from './requirement.ts';

export const aiConfig = [
  ...from('AI config; AI chat and config', {
    'AICONFIG-01':
      '`GET /api/ai/config` answers a masked snapshot: `activeMode`, `ready`, `contextWindowTokens` and one object per backend mode.',
  }),
  ...from('AI config', {
    'AICONFIG-02': '`contextWindowTokens` is an integer.',
    'AICONFIG-03': 'The object of a mode holds `apiKey`, `model` and `baseUrl`.',
    'AICONFIG-04': '`apiKey` is masked with `***`; its first and last few characters stay visible.',
    'AICONFIG-05':
      'Mode `local` uses an external local model server over its HTTP API; no model is loaded in the process.',
    'AICONFIG-06': 'Mode `cloud_a` uses the standard hosted API.',
    'AICONFIG-07': 'Mode `cloud_b` uses the hosted messages API.',
    'AICONFIG-08':
      'Mode `cloud_c` uses an OpenAI-compatible server through the OpenAI-style adapter.',
  }),
  ...from('AI chat and config', {
    'AICONFIG-09':
      '`PUT /api/ai/config` takes a partial body such as `{activeMode, <mode>: {apiKey, model}}` and hot-swaps the active backend.',
    'AICONFIG-10':
      '`POST /api/ai/config/test` `{mode, endpoint, apiKey, model, baseUrl}` answers `{success, ...}`.',
    'AICONFIG-11': '`POST /api/ai/config/test` saves nothing.',
  }),
  ...from('Authentication', {
    'AICONFIG-12':
      'An API key that contains `***` in a PUT of the AI config is treated as unchanged.',
  }),
];
