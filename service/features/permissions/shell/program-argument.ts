import { takesData } from './known-programs.ts';
import { programName } from './program-name.ts';
import type { Word } from './segment.ts';
import { type Message, msg } from '../../../messages/index.ts';

/** Names of options and settings whose value is run, whatever the program is. */
const runsItsValue =
  'exec|execute|command|cmd|eval|evaluate|pager|editor|viewer|program|rsh|shell|hooks?|launcher|wrapper|preprocessor|interpreter|plugins?|renderer|modprobe|debugger|spawn|system|linker|compiler|runner|runtool|builder|extract|script|macro|under|jvm|executable|toolexec|vettool|chooser|tfpath|processor|entrypoint|rsync-path';
const option = new RegExp(`^--?(?:\\w+[-_.])*(?:${runsItsValue})(?:[-_.]\\w+)*(?:=|$)`, 'i');
const setting = new RegExp(
  `^(?:-{1,2}[A-Za-z][\\w-]*=?|-)?(?:[\\w:]+[-_.])*(?:${runsItsValue})(?:[-_.]\\w+)*\\s*[:+?]?=`,
  'i',
);
const negated = /^--(?:no|ignore|skip|disable|without|list|show)[-_]/;
/** Shell escapes, pipes and calls in the language of the program. */
const escape =
  /^\s*[|!]\s*[\w./~-]*[a-zA-Z]|^@?[!|]|%pipe%|\$\(shell|^\s*[.:!\\](?:sh|shell|system|sys|!)\b|\\!|\bsystem\s*[(*]|(?:^|[\s,])(?:exec|system|shell|cmd|sh-c|run)[:!]/i;
/** Options of the virtual machine of Java and the like that name a program. */
const runtime =
  /(?:-XX:|^)(?:On\w*Error=|Flags=|VMOptionsFile=)|(?:^|\s)-?-(?:javaagent|agentpath|agentlib)/;

/** A file that is the input of the program: the line does not show what it holds. */
const input = /^(?:-\w|--[\w-]+=)?\/(?:dev\/(?:stdin|fd\/)|proc\/[^/]+\/fd\/)/;

/** Why a word tells a program to run another one; null: none does. */
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
