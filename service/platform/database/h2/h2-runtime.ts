import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { type Message, msg } from '../../../messages/index.ts';
import { connectionFailed } from '../connection-failed.ts';
import { findJava, javaVersionOf } from '../../find-java.ts';
import { processEnvironment } from '../../process-environment.ts';
import type { ProcessSpec } from '../../processes.ts';

/** A newer engine cannot read the files of an older one, so a single version is supported. */
export const h2Version = '2.1.214';

const minJavaVersion = 17;

/** From the package libh2-java of Debian and Ubuntu. */
const systemJar = '/usr/share/java/h2.jar';
const bridgeClass = join('host', 'database', 'H2Bridge.class');

/** Where the H2 jar and the bridge are searched for. */
export interface H2Paths {
  /** Option `host.h2.jar`; if set, no other jar is used. */
  jarProperty: string | null;
  /**
   * Compiled classes of the bridge; an `h2.jar` next to them takes precedence over the system's.
   */
  bridgeDirectory: string | null;
}

/** Installed programs for H2; null if one is missing. */
export interface H2Runtime {
  java: string | null;
  /** Null if it is unknown. */
  javaVersion: number | null;
  jar: string | null;
  bridge: string | null;
}

/** Checks the machine at each call, since missing programs may be installed while the host runs. */
export async function findH2Runtime(paths: H2Paths): Promise<H2Runtime> {
  const { bridgeDirectory: folder, jarProperty } = paths;
  const jars =
    jarProperty === null
      ? [folder === null ? null : join(folder, 'h2.jar'), systemJar]
      : [jarProperty];
  const java = await findJava();
  return {
    java,
    javaVersion: java === null ? null : await javaVersionOf(java),
    jar: await firstExisting(jars),
    bridge: folder !== null && (await exists(join(folder, bridgeClass))) ? folder : null,
  };
}

/** Returns a sentence for a person about missing programs; null if none is missing. */
export function missingForH2(runtime: H2Runtime, { jarProperty }: H2Paths): Message | null {
  if (runtime.java === null || (runtime.javaVersion ?? minJavaVersion) < minJavaVersion)
    return msg('h2.javaMissing', { version: minJavaVersion });
  if (runtime.jar === null && jarProperty !== null) return msg('h2.jarNotThere');
  if (runtime.jar === null) return msg('h2.libraryMissing', { version: h2Version });
  if (runtime.bridge === null) return msg('h2.bridgeMissing');
  return null;
}

/** @throws HostError `connection_failed` for a version other than `h2Version` */
export function refuseOtherVersion(version: string): void {
  if (version === h2Version) return;
  throw connectionFailed(
    version === ''
      ? msg('h2.noLibrary', { needed: h2Version })
      : msg('h2.otherLibrary', { needed: h2Version, found: version }),
  );
}

/**
 * A short start-up instead of peak speed, and a bounded heap; the process exits when it runs out of
 * memory, and is restarted.
 */
const javaOptions = [
  '-Xmx256m',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-XX:+ExitOnOutOfMemoryError',
  '-XX:-UsePerfData',
  // Log output of Java would be mistaken for a response.
  '-Xlog:disable',
  '-Xlog:all=warning:stderr',
  '-Dfile.encoding=UTF-8',
  '-Duser.language=en',
];

export function bridgeCommand(java: string, jar: string, bridge: string): ProcessSpec {
  const separator = process.platform === 'win32' ? ';' : ':';
  // Without a UTF-8 locale, Java cannot open files whose names are not ASCII.
  const locale: Record<string, string> = process.platform === 'linux' ? { LC_ALL: 'C.UTF-8' } : {};
  return {
    program: java,
    args: [...javaOptions, '-cp', [jar, bridge].join(separator), 'host.database.H2Bridge'],
    cwd: bridge,
    env: { ...processEnvironment(), ...locale },
  };
}

async function firstExisting(paths: readonly (string | null)[]): Promise<string | null> {
  for (const path of paths) if (path !== null && (await exists(path))) return path;
  return null;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
