import type { Segment } from '../segment.ts';
import { choosesPrograms, isPlainVariable } from './program-variables.ts';
import { type Message, msg, textOf } from '../../../../messages/index.ts';

/** A text that is no bash, or bash that this reader does not know. */
export class Unreadable extends Error {
  readonly reason: Message;

  constructor(reason: Message) {
    super(textOf(reason));
    this.reason = reason;
  }
}

/** Variables that a command without a name for them, or the shell itself, fills with any text. */
const setByShell = /^(?:_|REPLY|MAPFILE|OPTARG|COPROC|PWD|OLDPWD|DIRSTACK|FUNCNAME)$/;

/** What the texts of one command line have in common, also those inside of others. */
export class BashReading {
  readonly segments: Segment[] = [];
  /** Why the line cannot be understood; null while it can. */
  opaque: Message | null = null;
  /** Literal words joined by `|`, `||`, `&&`, `;` and newlines, and nothing else so far. */
  plain = true;
  /** Texts that a shell evaluates later, such as the value of `PS4`. */
  readonly payloads: string[] = [];
  /** Variables whose value is evaluated as arithmetic, which runs substitutions in subscripts. */
  private readonly evaluated = new Set<string>();
  /** Variables that may hold anything but a number. */
  private readonly unchecked = new Set<string>();
  private readonly lists = new Set<string>();
  private readonly declared = new Set<string>();

  /** The first reason counts: it is the one nearest to what the person wrote. */
  fail(reason: Message): void {
    this.opaque ??= reason;
    this.plain = false;
  }

  evaluate(name: string): void {
    if (choosesPrograms(name)) this.fail(msg('command.setsProgramVariable'));
    this.evaluated.add(name);
    if (this.unchecked.has(name) || setByShell.test(name)) this.failEvaluation();
  }

  /** `isNumber`: the value is a number, whatever happens. */
  assign(name: string, isNumber = false): void {
    this.plain &&= isPlainVariable(name);
    if (choosesPrograms(name)) this.fail(msg('command.setsProgramVariable'));
    if (isNumber) return;
    this.unchecked.add(name);
    if (this.evaluated.has(name)) this.failEvaluation();
  }

  /** `name` holds a list: a text that `declare` gives to it is evaluated as one. */
  makeList(name: string): void {
    this.lists.add(name);
    if (this.declared.has(name)) this.failEvaluation();
  }

  /** `declare name=…` with a value that only the shell knows. */
  declareOpen(name: string): void {
    this.declared.add(name);
    if (this.lists.has(name)) this.failEvaluation();
  }

  private failEvaluation(): void {
    this.fail(msg('command.evaluatesVariable'));
  }
}
