import {
  absentCalls,
  type ArgumentRule,
  argumentRules,
  errors,
  type RefusalError,
  refusedCalls,
} from './seccomp-rules.ts';
import { lastJudgedCall, numberOf, type Processor } from '../elf/system-calls.ts';

/** One instruction of the kernel's classic BPF, a `struct sock_filter`. */
interface Instruction {
  code: number;
  /** Number of instructions to skip if the test succeeds or fails. */
  onTrue: number;
  onFalse: number;
  value: number;
}

export const instructionBytes = 8;

const code = { load: 0x20, equal: 0x15, atLeast: 0x35, anyBit: 0x45, answer: 0x06 } as const;
const offset = { call: 0, processor: 4, argument: (n: number): number => 16 + 8 * n } as const;
const answer = { allow: 0x7fff_0000, error: 0x0005_0000, kill: 0x8000_0000 } as const;
/** `AUDIT_ARCH_X86_64`, `AUDIT_ARCH_AARCH64`. */
const auditName = { x64: 0xc000_003e, arm64: 0xc000_00b7 } as const;
/** Calls of x32, which have their own numbers in the architecture x64. */
const x32Calls = 0x4000_0000;

const load = (value: number): Instruction => ({ code: code.load, onTrue: 0, onFalse: 0, value });
const give = (value: number): Instruction => ({ code: code.answer, onTrue: 0, onFalse: 0, value });
const refuse = (error: RefusalError): Instruction => give(answer.error | errors[error]);
/** Executes the instructions if the test succeeds; otherwise skips them. */
const when = (test: number, value: number, then: readonly Instruction[]): Instruction[] => [
  { code: test, onTrue: 0, onFalse: then.length, value },
  ...then,
];
const unless = (test: number, value: number, then: readonly Instruction[]): Instruction[] => [
  { code: test, onTrue: then.length, onFalse: 0, value },
  ...then,
];

/**
 * Returns the system call filter of a processor, in the kernel's format. Calls of another processor
 * end the program; refused ones return an error.
 */
export function seccompFilter(processor: Processor): Uint8Array {
  const calls = (names: readonly Parameters<typeof numberOf>[0][]): number[] =>
    names.map((name) => numberOf(name, processor)).filter((number) => number >= 0);
  const program = [
    load(offset.processor),
    ...unless(code.equal, auditName[processor], [give(answer.kill)]),
    load(offset.call),
    ...(processor === 'x64' ? when(code.atLeast, x32Calls, [give(answer.kill)]) : []),
    ...when(code.atLeast, lastJudgedCall + 1, [refuse('ENOSYS')]),
    ...calls(absentCalls).flatMap((call) => when(code.equal, call, [refuse('ENOSYS')])),
    ...calls(refusedCalls).flatMap((call) => when(code.equal, call, [refuse('EPERM')])),
    ...argumentRules.flatMap((rule) =>
      when(code.equal, numberOf(rule.call, processor), judge(rule)),
    ),
    give(answer.allow),
  ];
  return encode(program);
}

function judge(rule: ArgumentRule): Instruction[] {
  const { refusedBits, refused = [], allowed, allowedWith } = rule;
  const no = refuse(rule.error);
  const yes = give(answer.allow);
  const special = allowedWith && [
    load(offset.argument(allowedWith.argument)),
    ...when(code.equal, allowedWith.is, [yes]),
    no,
  ];
  return [
    load(offset.argument(rule.argument)),
    ...(refusedBits === undefined ? [] : when(code.anyBit, refusedBits, [no])),
    ...refused.flatMap((value) => when(code.equal, value, [no])),
    ...(allowed ?? []).flatMap((value) => when(code.equal, value, [yes])),
    ...(special ? when(code.equal, allowedWith.value, special) : []),
    allowed === undefined ? yes : no,
  ];
}

/** Both processors are little-endian. */
function encode(program: readonly Instruction[]): Uint8Array {
  const bytes = Buffer.alloc(program.length * instructionBytes);
  program.forEach(({ code: operation, onTrue, onFalse, value }, index) => {
    const at = index * instructionBytes;
    bytes.writeUInt16LE(operation, at);
    bytes.writeUInt8(onTrue, at + 2);
    bytes.writeUInt8(onFalse, at + 3);
    bytes.writeUInt32LE(value, at + 4);
  });
  return bytes;
}
