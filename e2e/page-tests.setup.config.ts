import { setup, teardown } from '../service/testing/database-servers/run-servers.ts';

/** Runs before the first test; the returned function runs after the last. */
export default async function startRun(): Promise<() => Promise<void>> {
  await setup();
  return teardown;
}
