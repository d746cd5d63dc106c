import { takesData } from './known-programs.ts';
import { programName } from './program-name.ts';
import type { Word } from './segment.ts';
import { type Message, msg } from '../../../messages/index.ts';

/** Options and settings of any program whose value is run. */
const runsItsValue =
  'exec|execute|command|cmd|eval|evaluate|pager|editor|viewer|program|rsh|shell|hooks?|launcher|wrapper|preprocessor|interpreter|plugins?|renderer|modprobe|debugger|spawn|system|linker|compiler|runner|runtool|builder|extract|script|macro|under|jvm|executable|toolexec|vettool|chooser|tfpath|processor|entrypoint|rsync-path';
const option = new RegExp(`^--?(?:\\w+[-_.])*(?:${runsItsValue})(?:[-_.]\\w+)*(?:=|$)`, 'i');
const setting = new RegExp(
  `^(?:-{1,2}[A-Za-z][\\w-]*=?|-)?(?:[\\w:]+[-_.])*(?:${runsItsValue})(?:[-_.]\\w+)*\\s*[:+?]?=`,
  'i',
);
const negated = /^--(?:no|ignore|skip|disable|without|list|show)[-_]/;
/** Shell escapes, pipes and calls in the program's own language. */
const escape =
  /^\s*[|!]\s*[\w./~-]*[a-zA-Z]|^@?[!|]|%pipe%|\$\(shell|^\s*[.:!\\](?:sh|shell|system|sys|!)\b|\\!|\bsystem\s*[(*]|(?:^|[\s,])(?:exec|system|shell|cmd|sh-c|run)[:!]/i;
/** Options of the Java virtual machine and similar ones that name a program. */
const runtime =
  /(?:-XX:|^)(?:On\w*Error=|Flags=|VMOptionsFile=)|(?:^|\s)-?-(?:javaagent|agentpath|agentlib)/;

/** A file that is the standard input: the line does not show its content. */
const input = /^(?:-\w|--[\w-]+=)?\/(?:dev\/(?:stdin|fd\/)|proc\/[^/]+\/fd\/)/;

/** Returns the reason why a word makes a program run another one, null if none does. */
export function programArgument(argv: readonly Word[]): Message | null {
  const [program, ...words] = argv;
  if (program === undefined || takesData(programName(program.value))) return null;
  const found = words.find(
    ({ value, literal }) =>
      (!literal && /^[*?[]/.test(value)) ||
      (option.test(value) && !negated.test(value)) ||
      setting.test(value) ||
      escape.test(value) ||
      runtime.test(value) ||
      input.test(value),
  );
  return found === undefined ? null : msg('command.argumentMayRun', { argument: found.text });
}
