import type { Random } from './random.ts';

/** The parts of the grammar for lines that run other programs. */
export interface Grammar {
  readonly random: Random;
  program(): string;
  name(): string;
  word(): string;
  words(): string;
  list(): string;
  assignment(): string;
  quoted(text: string): string;
  quotedCommand(): string;
}

/** Programs and shell builtins whose arguments name a command to run. */
export function directedPrograms(grammar: Grammar, command: string): (() => string)[] {
  const { random } = grammar;
  return [
    () =>
      `env ${random.pick(['', '-i', '-u A', 'A=1', 'A.B=1', '-', '-iu A', 'A=1 B=2', '-i A=$B'])} ${command}`,
    () => `env ${random.pick(['-S', '-iS', '-vS', '--split-string='])}${grammar.quotedCommand()}`,
    () => `nice ${random.pick(['', '-n 5', '-5', '--adjustment=3'])} ${command}`,
    () => `timeout ${random.pick(['5', '-k 1 5', '--foreground 5', '-s KILL 5'])} ${command}`,
    () => `${random.pick(['nohup', 'setsid', 'setsid -w', 'stdbuf -o0', 'ionice -c3'])} ${command}`,
    () =>
      `${random.pick(['command', 'builtin', 'exec', 'exec -a n', 'command -p', 'command --'])} ${command}`,
    () => `p a | xargs ${random.pick(['', '-n1', '-I{}', '-i', '-t', '-I %', '-0'])} ${command}`,
    () => `p a | xargs ${random.pick(['-I{}', '-i'])} sh -c ${grammar.quotedCommand()}`,
    () => `find . -maxdepth 0 -exec ${command} ${random.pick(['\\;', '{} +', "';'", '{} \\;'])}`,
    () =>
      `${random.pick(['sh', 'bash', 'dash'])} ${random.pick(['-c', '-ec', '-x -c', '-c --'])} ${grammar.quotedCommand()}`,
    () => `bash ${random.pick(['<<<', '-s <<<'])} ${grammar.quotedCommand()}`,
    () =>
      `p a | sed ${grammar.quoted(random.pick(['s/a/hidden x/e', '1e hidden x', 's/a/b/', 'p', 's,a,hidden,e', '1!e hidden']))}`,
    () =>
      `awk ${grammar.quoted(random.pick(['BEGIN{system("hidden x")}', 'BEGIN{"hidden" | getline}', 'BEGIN{print 1}', 'BEGIN{print | "hidden"}']))}`,
    () =>
      `perl ${random.pick(['-e', '-we', '-l012e', '-0777ne', '-E'])} ${grammar.quoted('system("hidden x")')}`,
    () => `flock /tmp/l ${random.pick([command, `-c ${grammar.quotedCommand()}`])}`,
    () => `hash -p /judge/shims/hidden ${grammar.program()}; ${command}`,
    () => `BASH_ALIASES[${grammar.program()}]=hidden; ${command}`,
    () => `printf -v ${grammar.name()} ${grammar.word()}; ${command}`,
    () => `read ${grammar.name()} <<< ${grammar.word()}; ${command}`,
    () => `mapfile -t ${grammar.name()} <<< ${grammar.word()}; ${command}`,
    () =>
      `${random.pick(['export', 'declare', 'declare -i', 'declare -n', 'readonly', 'typeset'])} ${grammar.assignment()}; ${command}`,
    () =>
      `${random.pick(['test', '['])} -${random.pick(['v', 'n', 'R'])} ${grammar.word()}${random.pick(['', ' ]'])}; ${command}`,
    () =>
      `${random.pick(['unset', 'let', 'wait -n -p', 'getopts a'])} ${grammar.word()}; ${command}`,
    () => `PS4=${grammar.quoted('$(hidden)')}; set -x; ${command}`,
    () => `set -- ${grammar.words()}; ${command}`,
    () => `mapfile -C ${grammar.quotedCommand()} -c 1 a <<< b`,
    () =>
      `tar cf /dev/null --checkpoint=1 --checkpoint-action=exec=${grammar.quotedCommand()} /judge/driver`,
    () => `jobs -x ${command}`,
    () => `. /dev/stdin <<< ${grammar.quotedCommand()}`,
    () => `source <(${grammar.list()})`,
  ];
}

const device = [
  '/dev/stdin',
  '//dev/stdin',
  '/dev/./fd/0',
  '../dev/stdin',
  '-',
  '-- /dev/stdin',
  '/proc/self/fd/0',
];

/** Programs that run what the line writes, what they find, or what they read from stdin. */
export function writtenPrograms(grammar: Grammar, command: string): (() => string)[] {
  const { random } = grammar;
  return [
    () =>
      `${random.pick(['p', 'echo', 'printf'])} ${grammar.quotedCommand()} ${random.pick(['> f', '>> f', '| tee f', '> "$x"', '>| ./f'])}; ${random.pick(['bash f', 'sh ./f', '. ./f', 'cp f g; sh g', 'chmod +x f; ./f', 'env -C . bash f', 'source f'])}`,
    () =>
      `echo ${grammar.quotedCommand()} > ${random.pick(['.bashrc', '.profile'])}; bash ${random.pick(['-ic', '-lc', '-c'])} ${grammar.quoted(command)}`,
    () =>
      `printf 'a:\\n\\t%s\\n' ${grammar.quotedCommand()} ${random.pick(['> Makefile; make', '| tee makefile; make a', '> m; make -f m', '| make -f -', '> m; make -sfm'])}`,
    () =>
      `make ${random.pick(['-f - <<<', '-f/dev/stdin <<<', '--fil=- <<<', '-sf- <<<', '--eval'])} $'a:\\n\\thidden'`,
    () =>
      `: > y.c; make ${random.pick(['CC', 'LINK.c', 'CFLAGS', 'X', 'COMPILE.c'])}=${grammar.word()} y`,
    () =>
      `find /judge/shims -name ${random.pick(['hidden', 'p'])} -exec ${random.pick(['env', 'nice', 'timeout 1', 'sh', 'bash', 'command', 'ls', 'sh -c'])} {} ${random.pick(['\\;', '+', '"+" \\;'])}`,
    () =>
      `find . -maxdepth 0 ${random.pick(['"$(echo -exec)"', '$x', '-e*', '"$x"'])} ${command} \\;`,
    () =>
      `awk ${random.pick(['-f', '-f ', '--file='])}${random.pick(device)} <<< 'BEGIN{system("hidden")}'`,
    () => `awk "BEGIN{ y=\\"$x\\" }"`,
    () => `awk ${grammar.quoted('/"/{x}; BEGIN{c="hidden"; system(c)} #"')}`,
    () =>
      `${random.pick(['bash', 'sh', '.', 'bash -s'])} ${random.pick(device)} <<< ${grammar.quotedCommand()}`,
    () =>
      `${random.pick(['read <<<', 'mapfile <<<', ':', 'read -a i <<<', 'read i <<<'])} ${grammar.quoted('a[$(hidden)]')}; ${random.pick(['(( REPLY ))', '(( MAPFILE ))', '(( _ ))', '(( i ))', 'p $(($_))'])}`,
    () => `${command} ${random.pick(['>&-', '>& -', '<&-', '2>&1', '>&2-'])}${grammar.word()}`,
    () => `perl ${random.pick(device)} <<< 'system "hidden"'`,
    () => `cd /dev; ${random.pick(['bash', '.'])} stdin <<< ${grammar.quotedCommand()}`,
    () => `ed -s ${random.pick(["'!hidden' <<< q", "<<< '!hidden'", "f <<< '!hidden'"])}`,
    () =>
      `env ${random.pick(['-S', '--split-string=', '-iS'])}${grammar.quoted(random.pick(['p', 'sh -c', 'A=1', 'hidden\\_a', 'p #', 'nice']))} ${command}`,
    () => `mapfile ${random.pick(['-C', '-tC', '-c1 -C'])}${grammar.quotedCommand()} a <<< b`,
    () =>
      `x=${grammar.quoted('-v a[$(hidden)]')}; ${random.pick(['test $x', '[ $x ]', 'test "$x"', 'printf $x b', 'test -n $x'])}`,
    () =>
      `set -- -v ${grammar.quoted('a[$(hidden)]')}; ${random.pick(['test "$@"', '[ "$@" ]', 'printf "$@"', 'test "$1" "$2"'])}`,
    () =>
      `${random.pick(['y=(1)', 'declare -a y', 'read -a y <<< 1', ':'])}; x=${grammar.quoted('($(hidden))')}; ${random.pick(['declare', 'declare -a', 'readonly', 'export', 'typeset'])} ${random.pick(['y=$x', 'y="$x"', '"y=$x"', 'y+=$x'])}`,
  ];
}
