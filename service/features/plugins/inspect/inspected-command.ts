import { readFile } from 'node:fs/promises';

/** A command line. */
export interface Command {
  program: string;
  args: string[];
}

/**
 * Returns the command line of a Node worker with the agent, passed as source text because packages
 * may be archives.
 */
export async function inspectedNode({ program, args }: Command): Promise<Command> {
  const code = await agent('node-agent');
  const url = `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`;
  return { program, args: ['--import', url, ...args] };
}

/**
 * Returns the command line of the agent that starts a Java worker; `node` is a path as the worker
 * sees it.
 */
export async function inspectedJava({ program, args }: Command, node: string): Promise<Command> {
  const code = await agent('java-agent');
  return {
    program: node,
    args: ['--input-type=module', '--eval', code, '--', program, ...args],
  };
}

/** The build places the agents beside its own programs. */
const agent = (name: string): Promise<string> =>
  readFile(new URL(`${name}.mjs`, import.meta.url), 'utf8');
