import { startTestHost } from './test-host.ts';

/**
 * A separate process that tests and uses databases with a host that runs as an unprivileged user.
 * Arguments: the working directory, then the choices as JSON. Prints the answers as JSON.
 */
const [workDirectory = '', choices = '[]'] = process.argv.slice(2);
const nobody = 65_534;
// Root can write everywhere.
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
