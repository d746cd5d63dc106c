import { findIsolation } from '../../platform/isolation/find-isolation.ts';
import { noBoxing } from '../../platform/isolation/box.ts';
import { createProcesses } from '../../platform/processes.ts';
import { leavingCommand, type WayToLeave } from './leaving.ts';

// A host that starts a command which leaves something behind; the test then kills the host.
const [posture, way, seconds] = process.argv.slice(2);
const processes = createProcesses(
  undefined,
  posture === 'ungrouped' ? { findGroups: () => Promise.resolve(null) } : {},
);
const boxing =
  posture === 'sandboxed'
    ? (await findIsolation(processes, { hostRoot: '/no/host' })).boxing
    : noBoxing;
const command = leavingCommand(way as WayToLeave, seconds ?? '', 'stays');
const spec = { ...command, cwd: '/', env: {} };
await processes.spawn(boxing.wrap(spec, { mounts: [], network: false }));
setInterval(() => undefined, 1_000);
