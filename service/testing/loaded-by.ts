import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/**
 * Returns the modules that a host with these properties loads until its end, filtered by the start
 * of their names. Default: modules of OpenTelemetry.
 */
export async function loadedBy(
  properties: Record<string, unknown>,
  prefix = '@opentelemetry/',
): Promise<string[]> {
  const host = pathToFileURL(join(import.meta.dirname, 'test-host.ts')).href;
  const program = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({
      resolve(name, context, next) {
        if (name.startsWith(${JSON.stringify(prefix)})) loaded.push(name);
        return next(name, context);
      },
    });
    const { startTestHost } = await import(${JSON.stringify(host)});
    const host = await startTestHost({ properties: ${JSON.stringify(properties)} });
    await host.close();
    process.stdout.write(JSON.stringify(loaded));
    process.exit(0);
  `;
  const nodeArgs = ['--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, nodeArgs, { timeout: 60_000 });
  return JSON.parse(stdout) as string[];
}
