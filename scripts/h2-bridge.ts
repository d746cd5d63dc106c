import { globSync, rmSync } from 'node:fs';
import { compileJava, findJavac, MissingJavac } from '../plugin-kit/javac.ts';
import { unlessFresh } from './stale.ts';

const folder = 'dist/h2-bridge';
const sources = ['service/platform/database/h2/*.java', 'plugin-kit/java/host/worker/Json*.java'];

/**
 * Compiles the Java side of the H2 database. Without a compiler the build continues with a warning.
 */
export async function buildH2Bridge(): Promise<void> {
  const output = `${folder}/host/database/H2Bridge.class`;
  await unlessFresh('h2-bridge', output, sources, async () => {
    rmSync(folder, { recursive: true, force: true });
    try {
      const files = sources.flatMap((pattern) => globSync(pattern));
      const environment = process.env;
      await compileJava(await findJavac(environment), {
        sources: files,
        classes: folder,
        environment,
      });
    } catch (error) {
      if (!(error instanceof MissingJavac)) throw error;
      process.stderr.write(`left out the H2 database: ${error.message}\n`);
    }
  });
}
