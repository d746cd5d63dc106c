import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Environment variables, as in `process.env`. */
export type Environment = Record<string, string | undefined>;

const leastVersion = 17;
const probeTimeoutMs = 20_000;
const compileTimeoutMs = 300_000;
const maxOutputBytes = 1024 * 1024;

const advice = `Install a JDK ${String(leastVersion)} or newer, or set JAVA_HOME to one, and build again.`;

/** No suitable Java compiler was found. */
export class MissingJavac extends Error {
  override name = 'MissingJavac';
}

/**
 * Returns the Java compiler of `JAVA_HOME`, or else of `PATH`.
 * @throws MissingJavac if there is none, or only one that is too old
 */
export async function findJavac(environment: Environment): Promise<string> {
  const command = await javacCommand(environment);
  // A stub that only offers to install a JDK exits with an error.
  const answer = await run(command, ['-version'], environment, probeTimeoutMs);
  if (!answer.ok) throw new MissingJavac(`javac was not found. ${advice}`);
  const version = /javac (?:1\.)?(\d+)/.exec(answer.output)?.[1];
  if (version !== undefined && Number(version) < leastVersion) {
    throw new MissingJavac(`javac ${version} is too old. ${advice}`);
  }
  return command;
}

/** Input of the Java compiler. */
export interface JavaInput {
  sources: readonly string[];
  /** Libraries that the sources use. */
  jars?: readonly string[];
  /** Directory for the compiled classes. */
  classes: string;
  environment: Environment;
}

/**
 * Compiles Java sources for Java 17.
 * @throws JavaError with the output of the compiler
 */
export async function compileJava(javac: string, input: JavaInput): Promise<void> {
  const { sources, jars = [], classes, environment } = input;
  // `-g`: debuggers can show local variables.
  const options = [
    '-g',
    '--release',
    '17',
    '-encoding',
    'UTF-8',
    '-Xlint:all,-path',
    '-d',
    classes,
  ];
  if (jars.length > 0) options.push('-classpath', jars.join(delimiter));
  const answer = await run(javac, [...options, ...sources], environment, compileTimeoutMs);
  if (!answer.ok) throw new JavaError(answer.output);
}

/** The sources do not compile; `output` is the compiler's output. */
export class JavaError extends Error {
  readonly output: string;

  constructor(output: string) {
    super(`The Java sources do not compile.\n${output}`);
    this.output = output;
  }
}

async function javacCommand(environment: Environment): Promise<string> {
  const name = process.platform === 'win32' ? 'javac.exe' : 'javac';
  const home = environment['JAVA_HOME'];
  if (home === undefined || home === '') return name;
  const command = join(home, 'bin', name);
  return access(command).then(
    () => command,
    () => name,
  );
}

async function run(
  command: string,
  args: readonly string[],
  env: Environment,
  timeout: number,
): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    const options = { env, timeout, maxBuffer: maxOutputBytes, windowsHide: true };
    execFile(command, args, options, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`.trim();
      resolve({ ok: error === null, output: output === '' ? String(error?.message) : output });
    });
  });
}
