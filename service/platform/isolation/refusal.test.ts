import { expect, it } from 'vitest';
import { backendReports, reportIsolation } from './isolation-report.ts';
import { refusalOf } from './refusal.ts';
import { englishText } from '../../testing/english-text.ts';

it.each([
  [
    'bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces.',
    /does not let programs create user namespaces/,
    /unprivileged_userns_clone=1/,
  ],
  [
    'bwrap: setting up uid map: Permission denied',
    /does not let programs create user namespaces/,
    /apparmor_restrict_unprivileged_userns=0/,
  ],
  [
    'bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)',
    /does not allow more user namespaces/,
    /max_user_namespaces/,
  ],
  [
    'bwrap: Unknown option --disable-userns',
    /Unknown option --disable-userns/,
    /Update bubblewrap/,
  ],
  ['', /^The test of the sandbox failed\.$/, /Update bubblewrap/],
])('what bubblewrap says becomes a reason and a remedy: %s', (output, reason, advice) => {
  expect(refusalOf(output)).toEqual({
    reason: englishText(reason),
    advice: englishText(advice),
  });
});

it('a reduced sandbox is not reported as a sandbox [ISOLATION-13]', () => {
  expect(reportIsolation(backendReports.sandboxExec, false)).toMatchObject({
    backend: 'sandbox-exec',
    sandboxed: false,
    reduced: true,
    compatibilityMode: false,
    lifecycleIsolation: 'tree-kill',
    filesystem: 'advisory',
  });
});
