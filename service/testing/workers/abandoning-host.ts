import { findIsolation } from '../../platform/isolation/find-isolation.ts';
import { passthroughSandbox } from '../../platform/isolation/sandbox.ts';
import { createProcesses } from '../../platform/processes.ts';
import { leavingCommand, type WayToLeave } from './leaving.ts';

// A host that starts a command with a detached child; the test then kills the host.
const [posture, way, seconds] = process.argv.slice(2);
const processes = createProcesses(
  undefined,
  posture === 'ungrouped' ? { findGroups: () => Promise.resolve(null) } : {},
);
const sandbox =
  posture === 'sandboxed'
    ? (await findIsolation(processes, { hostRoot: '/no/host' })).sandbox
    : passthroughSandbox;
const command = leavingCommand(way as WayToLeave, seconds ?? '', 'stays');
const spec = { ...command, cwd: '/', env: {} };
await processes.spawn(sandbox.wrap(spec, { mounts: [], network: false }));
setInterval(() => undefined, 1_000);
