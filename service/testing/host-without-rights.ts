import { startTestHost } from './test-host.ts';

/**
 * A process of its own: asks a host that runs as a user without rights to test and to use databases.
 * Arguments: the working directory, then the choices as JSON. Writes what it was answered as JSON.
 */
const [workDirectory = '', choices = '[]'] = process.argv.slice(2);
const nobody = 65_534;
// Whoever is root may write everywhere.
if (process.getuid?.() === 0) {
  process.setgroups?.([]);
  process.setgid?.(nobody);
  process.setuid?.(nobody);
}
process.umask(0o077);
const host = await startTestHost({ workDirectory, setup: null });
const ask = async (path: string, choice: unknown): Promise<unknown> => {
  const answer = await host.ask(`/api/setup/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Host-Token': '' },
    body: JSON.stringify(choice),
  });
  return answer.json();
};
const answers = [];
for (const choice of JSON.parse(choices) as unknown[]) {
  const tested = await ask('test-connection', choice);
  answers.push({ tested, initialized: await ask('initialize', choice) });
}
process.stdout.write(JSON.stringify(answers));
await host.stop();
