import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command, Message, Order } from './keeper.ts';

const keeperStartLimitMs = 30_000;
const removeLimitMs = 30_000;
const logTail = 2_000;

/** A temporary directory and the processes in it; both end with this process. */
export interface ServerWorkspace {
  readonly directory: string;
  /** Process id of the server; 0 if none is running. */
  readonly pid: number;
  /** Writes a file that only the account of the servers can read. */
  write(name: string, content: string | Buffer): Promise<string>;
  run(command: Command): Promise<void>;
  serve(command: Command, end: NodeJS.Signals): Promise<void>;
  order(order: Exclude<Order, { command: Command }>): Promise<void>;
  /** Returns the end of the server's output. */
  log(): Promise<string>;
  remove(): Promise<void>;
}

/** Database servers refuse to run as root, so root runs them as `nobody`. */
async function serverAccount(): Promise<[uid: number, gid: number] | []> {
  if (process.getuid?.() !== 0) return [];
  const nobody = /^nobody:[^:]*:(\d+):(\d+):/m.exec(await readFile('/etc/passwd', 'utf8'));
  if (nobody === null) throw new Error('There is no account nobody to run database servers with.');
  return [Number(nobody[1]), Number(nobody[2])];
}

export async function createServerWorkspace(): Promise<ServerWorkspace> {
  const account = await serverAccount();
  const keeper = fork(join(import.meta.dirname, 'keeper.ts'), account.map(String), {
    cwd: '/',
    execArgv: [],
    env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'] },
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  keeper.on('error', () => undefined);
  const exited = once(keeper, 'exit').catch(() => undefined);
  const orders = listen(keeper);
  const directory = await orders.directory;
  keeper.unref();
  keeper.channel?.unref();
  return {
    directory,
    get pid() {
      return orders.pid();
    },
    async write(name, content) {
      const file = join(directory, name);
      await writeFile(file, content);
      await chmod(file, 0o600);
      const [uid, gid] = account;
      if (uid !== undefined && gid !== undefined) await chown(file, uid, gid);
      return file;
    },
    run: (command) => orders.give({ do: 'run', command }),
    serve: (command, end) => orders.give({ do: 'serve', command, end }),
    order: orders.give,
    async log() {
      const text = await readFile(join(directory, 'server.log'), 'utf8').catch(() => '');
      return text.slice(-logTail);
    },
    async remove() {
      if (keeper.connected) keeper.disconnect();
      keeper.ref();
      const limit = setTimeout(() => keeper.kill('SIGKILL'), removeLimitMs);
      await exited;
      clearTimeout(limit);
    },
  };
}

/** Sends commands to the keeper; answers may come in any order. */
function listen(keeper: ChildProcess) {
  const pending = new Map<number, { resolve: () => void; reject: (error: Error) => void }>();
  const directory = Promise.withResolvers<string>();
  let next = 1;
  let pid = 0;
  const limit = setTimeout(
    () => lose('The keeper of a database server did not start.'),
    keeperStartLimitMs,
  );
  const lose = (why: string): void => {
    clearTimeout(limit);
    pid = 0;
    directory.reject(new Error(why));
    for (const { reject } of pending.values()) reject(new Error(why));
    pending.clear();
  };
  directory.promise.catch(() => undefined);
  for (const end of ['disconnect', 'exit']) {
    keeper.on(end, () => lose('The keeper of a database server has ended.'));
  }
  keeper.on('message', (message: Message) => {
    if ('directory' in message) {
      clearTimeout(limit);
      directory.resolve(message.directory);
    } else if ('exited' in message) {
      pid = 0;
    } else {
      const asked = pending.get(message.id);
      pending.delete(message.id);
      if (pending.size === 0) keeper.channel?.unref();
      if ('error' in message) return asked?.reject(new Error(message.error));
      pid = message.pid;
      asked?.resolve();
    }
  });
  return {
    directory: directory.promise,
    pid: () => pid,
    give: (order: Order) =>
      new Promise<void>((resolve, reject) => {
        const id = next++;
        if (!keeper.connected) return reject(new Error('The database server was removed.'));
        pending.set(id, { resolve, reject });
        keeper.channel?.ref();
        keeper.send({ id, order });
      }),
  };
}
