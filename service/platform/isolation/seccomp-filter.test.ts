import { describe, expect, it } from 'vitest';
import { seccompFilter } from './seccomp-filter.ts';
import { absentCalls, argumentRules, namespaceFlags, refusedCalls } from './seccomp-rules.ts';
import { lastJudgedCall, numberOf, type Processor, type SystemCall } from '../elf/system-calls.ts';

const processors: Processor[] = ['x64', 'arm64'];
const auditNames = { x64: 0xc000003e, arm64: 0xc00000b7 };
const otherNames = { x86: 0x40000003, arm: 0x40000028, riscv64: 0xc00000f3 };
const allowed = 'allowed';
const eperm = 'error 1';
const enosys = 'error 38';
const noFamily = 'error 97';

/** Interprets a program as the kernel's documentation of classic BPF and seccomp defines it. */
function answerOf(program: Uint8Array, processor: number, call: number, args: number[] = []) {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call >>> 0, 0);
  data.writeUInt32LE(processor >>> 0, 4);
  args.forEach((value, index) =>
    data.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)), 16 + 8 * index),
  );
  const view = Buffer.from(program);
  let accumulator = 0;
  for (let at = 0; at < view.length;) {
    const [code, onTrue, onFalse] = [view.readUInt16LE(at), view[at + 2]!, view[at + 3]!];
    const value = view.readUInt32LE(at + 4);
    at += 8;
    const jump = (holds: boolean): void => void (at += 8 * (holds ? onTrue : onFalse));
    if (code === 0x20) accumulator = data.readUInt32LE(value);
    else if (code === 0x15) jump(accumulator === value);
    else if (code === 0x35) jump(accumulator >= value);
    else if (code === 0x45) jump((accumulator & value) !== 0);
    else if (code === 0x06) return wordOf(value);
    else throw new Error(`The kernel would not take instruction ${code}.`);
  }
  throw new Error('The program runs out of its end.');
}

function wordOf(answer: number): string {
  if (answer === 0x7fff0000) return allowed;
  if (answer === 0x80000000) return 'killed';
  return answer >>> 16 === 5 ? `error ${answer & 0xffff}` : `unknown ${answer}`;
}

describe.each(processors)('the filter of system calls for %s', (processor) => {
  const program = seccompFilter(processor);
  const ask = (call: number, ...args: number[]): string =>
    answerOf(program, auditNames[processor], call, args);
  const byName = (name: SystemCall, ...args: number[]): string =>
    ask(numberOf(name, processor), ...args);

  it('decides every call without arguments as in its table', () => {
    const refused = new Set<number>(refusedCalls.map((name) => numberOf(name, processor)));
    const absent = new Set<number>(absentCalls.map((name) => numberOf(name, processor)));
    const needsFamily = new Set(
      (['socket', 'socketpair'] as const).map((name) => numberOf(name, processor)),
    );
    for (let call = 0; call < 4096; call += 1) {
      const isAbsent = absent.has(call) || call > lastJudgedCall;
      const expected = isAbsent
        ? enosys
        : refused.has(call)
          ? eperm
          : needsFamily.has(call)
            ? noFamily
            : allowed;
      expect(ask(call), `call ${call}`).toBe(expected);
    }
  });

  it('names each call once, with a number that the processor has', () => {
    const names = [...refusedCalls, ...absentCalls, ...argumentRules.map(({ call }) => call)];
    expect(new Set(names).size).toBe(names.length);
    const numbers = names.map((name) => numberOf(name, processor)).filter((n) => n >= 0);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(Math.max(...numbers)).toBeLessThanOrEqual(lastJudgedCall);
  });

  it.each(Object.entries(otherNames))('ends a program that calls as %s does', (_, name) => {
    for (const call of [0, 1, 60, 500]) expect(answerOf(program, name, call)).toBe('killed');
  });

  it('allows processes and threads, but no namespaces', () => {
    const thread = 0x3d0f00;
    const fork = 0x1200011;
    for (const flags of [0, 17, thread, fork]) expect(byName('clone', flags)).toBe(allowed);
    for (let bit = 0; bit < 32; bit += 1) {
      const flag = (1 << bit) >>> 0;
      const isNamespace = (flag & namespaceFlags) !== 0;
      expect(byName('clone', flag | 17), `clone ${bit}`).toBe(isNamespace ? eperm : allowed);
      const refused = isNamespace || flag === 0x80;
      expect(byName('unshare', flag), `unshare ${bit}`).toBe(refused ? eperm : allowed);
    }
  });

  it('allows sockets for local programs and the internet only', () => {
    const [local, route] = [[1, 2, 10], 16];
    for (let family = 0; family < 64; family += 1) {
      const socket = local.includes(family) || family === route ? allowed : noFamily;
      expect(byName('socket', family, 1, 0), `family ${family}`).toBe(socket);
      expect(byName('socketpair', family, 1, 0)).toBe(family === 1 ? allowed : noFamily);
    }
    for (const protocol of [1, 4, 9, 12, 16, 21])
      expect(byName('socket', route, 3, protocol), `netlink ${protocol}`).toBe(noFamily);
    expect(byName('socket', 0x1_0000_0000 + 40, 1, 0)).toBe(noFamily);
  });

  it('refuses to type into the terminal, whatever the upper half of the number contains', () => {
    for (const high of [0, 0x1_0000_0000, 0xf_ffff_0000_0000]) {
      expect(byName('ioctl', 0, high + 0x5412)).toBe(eperm);
      expect(byName('ioctl', 0, high + 0x541c)).toBe(eperm);
    }
    for (const request of [0x5401, 0x5413, 0x541b])
      expect(byName('ioctl', 0, request)).toBe(allowed);
  });

  it('allows reading the execution domain, but not changing it', () => {
    for (const ask of [0, 0xffffffff, -1]) expect(byName('personality', ask)).toBe(allowed);
    for (const way of [8, 0x40000, 0x400000]) expect(byName('personality', way)).toBe(eperm);
  });
});

it('the filter for x64 ends a program that makes calls of x32', () => {
  const program = seccompFilter('x64');
  for (const call of [0, 165, 520, 547])
    expect(answerOf(program, auditNames.x64, 0x40000000 + call)).toBe('killed');
});
