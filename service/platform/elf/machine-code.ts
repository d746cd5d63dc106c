import { numberOf, type Processor, type SystemCall } from './system-calls.ts';

/** An address in the program that is known only after its layout. */
export interface Address {
  /** Name of a piece of data. */
  of: string;
}

/** An argument of the program by its index; 0 is the program name. */
export interface OwnArgument {
  own: number;
}

type Operand = number | Address | OwnArgument;

/** One system call. */
export interface CallStep {
  call: SystemCall;
  arguments: readonly Operand[];
  /** The first argument is the result of the previous call; it is omitted from `arguments`. */
  onResult?: boolean;
  /** Continues after an error; otherwise an error jumps to `onError`. */
  mayFail?: boolean;
}

/**
 * Executes the program named by the argument at that index, with the arguments after it and the
 * same environment.
 */
export interface ExecuteStep {
  execute: number;
}

export type Step = CallStep | ExecuteStep;

/** A piece of machine code whose address is not known yet. */
export interface Fragment {
  length: number;
  /** `errorDistance`: distance from the start of the fragment to the error handler. */
  bytes(addressOf: (name: string) => number, errorDistance: number): Buffer;
}

const numeric = (value: number | Address, addressOf: (name: string) => number): number =>
  typeof value === 'number' ? value >>> 0 : addressOf(value.of);

const isOwn = (value: Operand): value is OwnArgument => typeof value === 'object' && 'own' in value;

/** Stack offset of an argument of the program; the number of arguments is at 0. */
const stackOffset = (argument: number): number => 8 * (argument + 1);

/** Returns the instructions for a step, with the check of its result. */
export function fragmentOf(processor: Processor, step: Step): Fragment {
  return processor === 'x64' ? x64Fragment(step) : arm64Fragment(step);
}

/** `mov` of 32 bits to edi, esi, edx, r10d, r8d. */
const x64Registers = [[0xbf], [0xbe], [0xba], [0x41, 0xba], [0x41, 0xb8]];
/** `mov` of 64 bits from the stack to the same registers. */
const x64FromStack = [
  [0x48, 0x8b, 0xbc, 0x24],
  [0x48, 0x8b, 0xb4, 0x24],
  [0x48, 0x8b, 0x94, 0x24],
  [0x4c, 0x8b, 0x94, 0x24],
  [0x4c, 0x8b, 0x84, 0x24],
];
const x64Call = [0x0f, 0x05];

function x64Fragment(step: Step): Fragment {
  if ('execute' in step) {
    const offset = little(stackOffset(step.execute));
    const fromStack = [
      // rdi = argv[n]; rsi = &argv[n]
      ...[0x48, 0x8b, 0xbc, 0x24, ...offset, 0x48, 0x8d, 0xb4, 0x24, ...offset],
      // rcx = argc; rdx = &envp[0]
      ...[0x48, 0x8b, 0x0c, 0x24, 0x48, 0x8d, 0x54, 0xcc, 0x10],
    ];
    const code = [...fromStack, 0xb8, ...little(numberOf('execve', 'x64')), ...x64Call];
    return x64Checked(() => code, code.length);
  }
  const first = step.onResult === true ? 1 : 0;
  const make = (addressOf: (name: string) => number): number[] => [
    // mov edi, eax
    ...(first === 1 ? [0x89, 0xc7] : []),
    ...step.arguments.flatMap((value, index) =>
      isOwn(value)
        ? [...(x64FromStack[index + first] ?? []), ...little(stackOffset(value.own))]
        : [...(x64Registers[index + first] ?? []), ...little(numeric(value, addressOf))],
    ),
    ...[0xb8, ...little(numberOf(step.call, 'x64'))],
    ...x64Call,
  ];
  const { length } = make(() => 0);
  if (step.mayFail === true) return { length, bytes: (of) => Buffer.from(make(of)) };
  return x64Checked(make, length);
}

function x64Checked(make: (of: (name: string) => number) => number[], length: number): Fragment {
  const checked = length + 9;
  return {
    length: checked,
    bytes: (addressOf, errorDistance) =>
      // test rax, rax; js
      Buffer.from([
        ...make(addressOf),
        ...[0x48, 0x85, 0xc0, 0x0f, 0x88],
        ...little(errorDistance - checked),
      ]),
  };
}

const arm64Call = 0xd400_0001;

function arm64Fragment(step: Step): Fragment {
  if ('execute' in step) {
    const offset = stackOffset(step.execute);
    const fromStack = [
      // ldr x0, [sp, place]; add x1, sp, place
      arm64FromStack(0, step.execute),
      (0x9100_03e1 | (offset << 10)) >>> 0,
      // ldr x3, [sp]; add x2, sp, 16; add x2, x2, x3, lsl 3
      ...[0xf940_03e3, 0x9100_43e2, 0x8b03_0c42],
    ];
    const code = [...fromStack, ...arm64Set(8, numberOf('execve', 'arm64')), arm64Call];
    return arm64Checked(() => code, code.length);
  }
  const first = step.onResult === true ? 1 : 0;
  const make = (addressOf: (name: string) => number): number[] => [
    ...step.arguments.flatMap((value, index) =>
      isOwn(value)
        ? [arm64FromStack(index + first, value.own)]
        : arm64Set(index + first, numeric(value, addressOf)),
    ),
    ...arm64Set(8, numberOf(step.call, 'arm64')),
    arm64Call,
  ];
  const { length } = make(() => 0);
  if (step.mayFail === true) return { length: 4 * length, bytes: (of) => instructions(make(of)) };
  return arm64Checked(make, length);
}

function arm64Checked(make: (of: (name: string) => number) => number[], count: number): Fragment {
  return {
    length: 4 * (count + 1),
    bytes: (addressOf, errorDistance) => {
      const distance = errorDistance / 4 - count;
      // tbnz x0, 63
      return instructions([...make(addressOf), (0xb7f8_0000 | ((distance & 0x3fff) << 5)) >>> 0]);
    },
  };
}

/** ldr: an argument of the program into a register. */
const arm64FromStack = (register: number, argument: number): number =>
  (0xf940_03e0 | ((stackOffset(argument) / 8) << 10) | register) >>> 0;

/** movz and movk: 32 bits into a register. */
function arm64Set(register: number, value: number): number[] {
  const low = 0xd280_0000 | ((value & 0xffff) << 5) | register;
  const high = 0xf2a0_0000 | ((value >>> 16) << 5) | register;
  return [low >>> 0, high >>> 0];
}

function instructions(words: readonly number[]): Buffer {
  return Buffer.from(words.flatMap(little));
}

function little(value: number): number[] {
  return [value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, value >>> 24];
}
