import type { Segment } from '../segment.ts';
import { choosesPrograms, isPlainVariable } from './program-variables.ts';
import { type Message, msg, textOf } from '../../../../messages/index.ts';

/** Thrown for text that is not bash, or bash that the reader does not understand. */
export class Unreadable extends Error {
  readonly reason: Message;

  constructor(reason: Message) {
    super(textOf(reason));
    this.reason = reason;
  }
}

/**
 * Variables that a command without a variable name, or the shell itself, sets to arbitrary text.
 */
const setByShell = /^(?:_|REPLY|MAPFILE|OPTARG|COPROC|PWD|OLDPWD|DIRSTACK|FUNCNAME)$/;

/** The shared state of reading one command line, including its nested texts. */
export class BashReading {
  readonly segments: Segment[] = [];
  /** Reason why the line cannot be understood, null while it can. */
  opaque: Message | null = null;
  /** True while the line has only literal words joined by `|`, `||`, `&&`, `;` and newlines. */
  plain = true;
  /** Texts that a shell evaluates later, such as the value of `PS4`. */
  readonly payloads: string[] = [];
  /** Variables whose value is evaluated as arithmetic, which runs substitutions in subscripts. */
  private readonly evaluated = new Set<string>();
  /** Variables that may hold something other than a number. */
  private readonly unchecked = new Set<string>();
  private readonly lists = new Set<string>();
  private readonly declared = new Set<string>();

  /** Records a reason. The first one wins, because it is nearest to what the person wrote. */
  fail(reason: Message): void {
    this.opaque ??= reason;
    this.plain = false;
  }

  evaluate(name: string): void {
    if (choosesPrograms(name)) this.fail(msg('command.setsProgramVariable'));
    this.evaluated.add(name);
    if (this.unchecked.has(name) || setByShell.test(name)) this.failEvaluation();
  }

  /** Records an assignment. `isNumber`: the value is always a number. */
  assign(name: string, isNumber = false): void {
    this.plain &&= isPlainVariable(name);
    if (choosesPrograms(name)) this.fail(msg('command.setsProgramVariable'));
    if (isNumber) return;
    this.unchecked.add(name);
    if (this.evaluated.has(name)) this.failEvaluation();
  }

  /** Records that `name` is an array: `declare` evaluates text that it assigns to it as a list. */
  makeList(name: string): void {
    this.lists.add(name);
    if (this.declared.has(name)) this.failEvaluation();
  }

  /** Records `declare name=…` with a value that only the shell knows. */
  declareOpen(name: string): void {
    this.declared.add(name);
    if (this.lists.has(name)) this.failEvaluation();
  }

  private failEvaluation(): void {
    this.fail(msg('command.evaluatesVariable'));
  }
}
