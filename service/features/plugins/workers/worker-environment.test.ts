import { expect, it } from 'vitest';
import { workerVariables } from './worker-environment.ts';

it('lets only listed variables through, and adds what the worker needs to know', () => {
  const own = {
    PATH: '/usr/bin',
    HOME: '/home/u',
    LANG: 'C.UTF-8',
    LC_CTYPE: 'C.UTF-8',
    TMPDIR: '/tmp',
    HOST_AUTH_TOKEN: 'secret',
    HOST_MACHINE_KEY: 'secret',
    OPENAI_API_KEY: 'secret',
    AWS_SECRET_ACCESS_KEY: 'secret',
    NODE_OPTIONS: '--require /evil.js',
    JAVA_TOOL_OPTIONS: '-javaagent:/evil.jar',
    ELECTRON_RUN_AS_NODE: '1',
    LD_PRELOAD: '/evil.so',
    DYLD_INSERT_LIBRARIES: '/evil.dylib',
    HTTPS_PROXY: 'http://user:secret@proxy',
    LC_: 'odd',
    UNSET: undefined,
  };
  expect(workerVariables('a.b', '/data/a.b', 'WARN', own)).toEqual({
    PATH: '/usr/bin',
    HOME: '/home/u',
    LANG: 'C.UTF-8',
    LC_CTYPE: 'C.UTF-8',
    TMPDIR: '/tmp',
    HOST_LOG_LEVEL: 'WARN',
    HOST_PLUGIN_ID: 'a.b',
    HOST_PLUGIN_DATA: '/data/a.b',
  });
});
