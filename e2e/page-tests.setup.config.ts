import { setup, teardown } from '../service/testing/database-servers/run-servers.ts';

/** Before the first test of a run; what it gives back is called after the last. */
export default async function startRun(): Promise<() => Promise<void>> {
  await setup();
  return teardown;
}
