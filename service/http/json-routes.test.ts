import { afterAll, beforeAll, expect, it } from 'vitest';
import { api, type Endpoint } from '../contract/index.ts';
import { startTestHost, type TestHost } from '../testing/test-host.ts';

let app: TestHost;
let setup: TestHost;
beforeAll(async () => {
  [app, setup] = await Promise.all([
    startTestHost({ resources: { shell: import.meta.dirname } }),
    startTestHost({ setup: null }),
  ]);
});
afterAll(() => Promise.all([app.close(), setup.close()]));

const jsonRoutes = Object.values(api)
  .flatMap((group) => Object.values(group as Record<string, Endpoint>))
  .filter(({ body }) => body !== undefined && !('kind' in body))
  .map(({ method, path, params }) => ({ method, path: withParams(path, params) }));

/** Fills in the parameters: an id, or one of the allowed values. */
function withParams(path: string, params: Endpoint['params']): string {
  const candidates = ['x', '00000000-0000-4000-8000-000000000000', '1', 'claude-code'];
  const filled = candidates.map((value) => ({
    value,
    pathParams: Object.fromEntries(
      [...path.matchAll(/\{\*?(\w+)\}/g)].map(([, name]) => [name, value]),
    ),
  }));
  const fitting = filled.find(({ pathParams }) => !params || params.safeParse(pathParams).success);
  return path.replaceAll(/\{\*?\w+\}/g, fitting?.value ?? 'x');
}

it('there are routes with a JSON body', () => {
  expect(jsonRoutes.length).toBeGreaterThan(40);
});

it.each(jsonRoutes)(
  '$method $path reports the position at which a body stops being JSON',
  async ({ method, path }) => {
    const host = path.startsWith('/api/setup/') ? setup : app;
    const headers = { 'Content-Type': 'application/json' };
    const answer = await host.ask(path, { method, headers, body: '{\n  "a": nope\n}' });
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({
      code: 'invalid_json',
      errors: [{ path: '', message: 'a value is expected (line 2, column 8)', line: 2, column: 8 }],
    });
    const bytes = Buffer.concat([Buffer.from('{"a":\n"x'), Buffer.from([0xff]), Buffer.from('"}')]);
    const broken = await host.ask(path, { method, headers, body: bytes });
    expect(broken.json()).toMatchObject({
      code: 'invalid_json',
      errors: [{ line: 2, column: 3 }],
    });
  },
);
