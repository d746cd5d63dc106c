import { recordingPrograms } from './bash-judge.ts';
import { Random } from './random.ts';
import { signs } from './signs.ts';
import { type Grammar, directedPrograms, writtenPrograms } from './program-grammar.ts';

const maxDepth = 3;

/**
 * Generates bash lines from a grammar, unusual ones on purpose; some get random characters
 * inserted.
 */
export class LineGenerator implements Grammar {
  readonly random: Random;
  private depth = 0;
  private heredocs: string[] = [];

  constructor(seed: number) {
    this.random = new Random(seed);
  }

  line(): string {
    this.depth = 0;
    this.heredocs = [];
    const line = this.list() + this.texts();
    return this.random.chance(3) ? this.mutated(line) : line;
  }

  private mutated(line: string): string {
    let text = line;
    for (let count = 1 + this.random.next(3); count > 0; count -= 1) {
      const at = this.random.next(text.length + 1);
      const removed = this.random.chance(2) ? 1 : 0;
      text = text.slice(0, at) + this.random.pick([...signs, '']) + text.slice(at + removed);
    }
    return text;
  }

  /** The bodies of the pending here-documents. */
  private texts(): string {
    const texts = this.heredocs.splice(0);
    return texts.length === 0 ? '' : `\n${texts.join('\n')}`;
  }

  private pick(...choices: readonly (() => string)[]): string {
    return this.random.pick(choices)();
  }

  list(): string {
    if (this.depth >= maxDepth) return this.simple();
    this.depth += 1;
    const parts = [this.command()];
    while (this.random.chance(3)) {
      const joint = this.random.pick([
        '; ',
        ' && ',
        ' || ',
        ' | ',
        ' & ',
        '\n',
        ';',
        '|',
        ' |& ',
        ' &&\n',
      ]);
      parts.push(joint.includes('\n') ? this.texts() : '', joint, this.command());
    }
    this.depth -= 1;
    return parts.join('');
  }

  private command(): string {
    if (this.depth >= maxDepth || !this.random.chance(3)) return this.simple();
    return this.pick(
      () => `(${this.list()})`,
      () => `{ ${this.list()}; }`,
      () => `if ${this.list()}; then ${this.list()}; fi`,
      () => `if ${this.simple()}; then ${this.simple()}; else ${this.list()}; fi`,
      () => `while nope; do ${this.list()}; done`,
      () => `until p; do ${this.list()}; done`,
      () => `for ${this.name()} in ${this.words()}; do ${this.list()}; done`,
      () => `for ((i=0; i<${this.arithmetic()}; i+=9)); do ${this.simple()}; done`,
      () => `select ${this.name()} in ${this.words()}; do ${this.simple()}; break; done`,
      () => `case ${this.word()} in ${this.word()}) ${this.list()};; *) ${this.simple()} ;; esac`,
      () =>
        `case ${this.word()} in (${this.word()}|a) ${this.simple()} ;& b) ${this.simple()};; esac`,
      () => `f() { ${this.list()}; }; f`,
      () => `function g { ${this.list()}; }; g a`,
      () =>
        `[[ ${this.word()} ${this.random.pick(['==', '!=', '=~', '<', '-eq', '-nt'])} ${this.word()} ]]`,
      () =>
        `[[ -${this.random.pick(['n', 'z', 'v', 'f', 'R'])} ${this.word()} ]] && ${this.simple()}`,
      () => `(( ${this.arithmetic()} )) || ${this.simple()}`,
      () => `! ${this.simple()}`,
      () => `time ${this.simple()}`,
      () => `coproc ${this.simple()}; wait`,
      () => `trap ${this.quotedCommand()} EXIT`,
      () => `eval ${this.quotedCommand()}`,
      () =>
        `shopt -s expand_aliases\nalias ${this.program()}=${this.quotedCommand()}\n${this.simple()}`,
    );
  }

  simple(): string {
    const parts = [
      ...(this.random.chance(6) ? [this.assignment()] : []),
      this.random.chance(5) ? this.wrapped() : `${this.programWord()} ${this.words()}`,
      ...(this.random.chance(4) ? [this.redirection()] : []),
    ];
    const line = parts.join(this.random.chance(20) ? ' \\\n' : ' ').trimEnd();
    return this.random.chance(25) ? `${line} \\\n# ${this.program()} c` : line;
  }

  private wrapped(): string {
    const command = `${this.program()} ${this.words()}`.trimEnd();
    return this.pick(...directedPrograms(this, command), ...writtenPrograms(this, command));
  }

  assignment(): string {
    const { random } = this;
    return this.pick(
      () => `${this.name()}=${this.word()}`,
      () => `${this.name()}+=${this.word()}`,
      () => `${this.name()}=(${this.words()})`,
      () => `a[${random.pick(['0', '$(hidden)', 'x', '`hidden`'])}]=${this.word()}`,
      () => `a=([${this.word()}]=1)`,
      () => `x='a[$(hidden)]' y=$((${this.arithmetic()}))`,
    );
  }

  private redirection(): string {
    const { random } = this;
    return this.pick(
      () =>
        random.pick([
          '>/dev/null',
          '2>&1',
          '2>/dev/null',
          '>&2',
          '</dev/null',
          '&>/dev/null',
          '2>&-',
        ]),
      () => `${random.pick(['>', '>>', '<', '2>', '>|', '<>', '&>', '>&'])} ${this.word()}`,
      () => `<<< ${this.word()}`,
      () => `< <(${this.list()})`,
      () => `> >(${this.simple()})`,
      () => this.heredoc(),
      () => `${random.pick(['{fd}', "{a['$(hidden)']}", '{a[0]}'])}> ${this.word()}`,
    );
  }

  private heredoc(): string {
    const { random } = this;
    const [written, end] = random.pick([
      ['EOF', 'EOF'],
      ["'EOF'", 'EOF'],
      ['"EOF"', 'EOF'],
      ['\\EOF', 'EOF'],
      ['E"O"F', 'EOF'],
      ['"E F"', 'E F'],
      ["$'EOF'", '$EOF'],
      ["$'EOF'", 'EOF'],
      ['$(p)', '$(p)'],
      ['`p`', '`p`'],
      ['E\\\nOF', 'EOF'],
      ['"E\\"F"', 'E"F'],
      ['E$x', 'E$x'],
      ["''", ''],
      ['!', '!'],
      ['EOF#', 'EOF#'],
    ] as const);
    const tabs = random.chance(3);
    const lines = [
      this.random.pick([
        'text',
        '$(hidden)',
        '`hidden`',
        '\\$(hidden)',
        '"$(hidden)"',
        '${x:-$(hidden)}',
        'hidden',
        "'",
        '$((1))',
        '\\',
      ]),
      ...(random.chance(4) ? [` ${end}`] : []),
      ...(random.chance(6) ? [`hidden ${this.word()}`] : []),
    ];
    const last = random.chance(10) ? `E\\\nOF` : tabs ? `\t${end}` : end;
    this.heredocs.push([...lines, last].join('\n'));
    return `<<${tabs ? '-' : ''}${random.pick(['', ' '])}${written}`;
  }

  program(): string {
    return this.random.pick(recordingPrograms);
  }

  private programWord(): string {
    const name = this.program();
    if (this.random.chance(2)) return name;
    return this.random.pick([
      name,
      `/bin/${name}`,
      `\\${name}`,
      `'${name}'`,
      `"${name}"`,
      `${name.slice(0, 1)}''${name.slice(1)}`,
      `$'${name}'`,
      `{${name},a}`,
      `$(p ${name})`,
      `$x`,
      `${name.slice(0, 1)}\\\n${name.slice(1)}`,
      `\${y:-${name}}`,
      `:`,
      'true',
      'false',
      'echo',
    ]);
  }

  name(): string {
    return this.random.pick(['x', 'y', 'v', 'PATH', 'IFS', 'x', 'i', 'BASH_ENV', 'REPLY']);
  }

  words(): string {
    const words: string[] = [];
    while (words.length < 4 && !this.random.chance(3)) words.push(this.word());
    return words.join(this.random.chance(15) ? '\\\n ' : ' ');
  }

  word(): string {
    if (this.random.chance(2))
      return this.random.pick(['a', 'b', '-x', 'a.b', 'hidden', 'rm', '1', '--', '-c', '/a']);
    return Array.from({ length: 1 + this.random.next(2) }, () => this.piece()).join('');
  }

  private piece(): string {
    const { random } = this;
    return this.pick(
      () =>
        random.pick([
          'a',
          'b1',
          '-',
          '+',
          '%',
          '@',
          ':',
          '/',
          '=',
          '~',
          '~/a',
          '!',
          '#',
          'a#b',
          ']',
          '{}',
          '^',
        ]),
      () =>
        this.quoted(
          random.pick([
            'a b',
            'hidden',
            '$(hidden)',
            '`hidden`',
            ';hidden',
            '#',
            '\\',
            'a"b',
            '${x}',
            '|',
            'a\nhidden b',
          ]),
        ),
      () =>
        `"${random.pick(['a b', '$x', '${x}', '\\$(hidden)', '\\`hidden\\`', "'", '\\\\', '#', '$', "$'", 'a\nb', '\\"', '$\\\n(hidden)', '$\\\n{y:-$(hidden)}', 'a\\\nb'])}"`,
      () => `"$(${this.substituted()})"`,
      () => `$(${this.substituted()})`,
      () => `\`${this.substituted().replaceAll(/[\\`$]/g, '\\$&')}\``,
      () =>
        `$'${random.pick(['a', 'a\\tb', "\\'", '\\\\', '\\x41', '\\n', '\\101', "it\\'s", '\\cA', '\\u0041'])}'`,
      () =>
        random.pick([
          '$x',
          '${x}',
          '$1',
          '$@',
          '"$@"',
          '$#',
          '$?',
          '$$',
          '${#x}',
          '${x[0]}',
          '${x[@]}',
          '${!x}',
          '${x@P}',
          '${x@Q}',
          '$_',
          '$-',
        ]),
      () =>
        `\${${random.pick(['x', 'y', '1', '@'])}${random.pick([':-', '-', ':=', '=', ':+', '+', ':?', '#', '##', '%', '%%', '/', '//', '^', ',,', ':', '@'])}${this.operand()}}`,
      () => `"\${x:-${this.operand()}}"`,
      () => `$((${this.arithmetic()}))`,
      () => `$[${this.arithmetic()}]`,
      () => `\${x[${random.pick(['0', '$(hidden)', 'a', '`hidden`', "'$(hidden)'"])}]}`,
      () =>
        random.pick([
          '{a,b}',
          '{1..3}',
          '{a,$(hidden)}',
          '{a',
          '{,}',
          'a{b,c}d',
          '{"a",b}',
          '{a,b',
        ]),
      () => random.pick(['*', '?', '[a]', 'a*', '-*', '@(a|b)', '[!a]', '+(a)']),
      () =>
        random.pick([
          '\\a',
          '\\;',
          '\\$',
          '\\`',
          '\\(',
          '\\\\',
          '\\"',
          "\\'",
          '\\#',
          '\\\n',
          '\\ ',
        ]),
      () => `<(${this.substituted()})`,
    );
  }

  private operand(): string {
    return this.random.pick([
      'a',
      '$(hidden)',
      '`hidden`',
      '"$(hidden)"',
      "'a'",
      '"a"',
      "'$(hidden)'",
      '<(hidden)',
      '$y',
      '${y:-b}',
      '\\}hidden',
      '{a}',
      '/b',
      '1',
      'x',
      'a b',
      "'}'",
      '"}"',
      '',
    ]);
  }

  private substituted(): string {
    if (this.depth >= maxDepth) return this.random.pick(['p a', 'hidden', 'q']);
    this.depth += 1;
    const outerHeredocs = this.heredocs;
    this.heredocs = [];
    const inside = this.list();
    const text = inside + this.texts();
    this.heredocs = outerHeredocs;
    this.depth -= 1;
    return text.includes('\n') ? `${text}\n` : text;
  }

  private arithmetic(): string {
    return this.random.pick([
      '1',
      '1+2',
      'x',
      'x+1',
      '$x',
      '${x}',
      'i<3',
      'a[0]',
      'a[$(hidden)]',
      '$(hidden)',
      '`hidden`',
      'x=5',
      '(1+2)*3',
      '1,2',
      '16#ff',
      '"1"',
      "'1'",
      '$#',
      'PATH',
      '_',
      'REPLY',
      'MAPFILE',
      '1 # 2',
      '-1',
    ]);
  }

  quoted(text: string): string {
    return this.random.chance(4)
      ? `"${text.replaceAll(/["$`\\]/g, '\\$&')}"`
      : `'${text.replaceAll("'", String.raw`'\''`)}'`;
  }

  quotedCommand(): string {
    const command =
      this.depth >= maxDepth
        ? 'hidden a'
        : this.random.pick([
            'hidden',
            'hidden a',
            'p a',
            'p; hidden',
            '$(hidden)',
            'rm {}',
            '{}',
            'p $x',
            'for i in a; do hidden; done',
            '#',
            "p 'a",
          ]);
    return this.random.chance(6) ? command : this.quoted(command);
  }
}
