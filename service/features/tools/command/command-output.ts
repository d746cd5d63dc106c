import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { HeadAndTail } from './head-and-tail.ts';

/** Limit for each stream, in characters. */
export const maxCharacters = 64 * 1024;

/** The output as answered. `output` and `truncated` combine both streams in order of arrival. */
export interface OutputView {
  stdoutTruncated: boolean;
  stderrTruncated: boolean;
  truncated: boolean;
  stdout: string;
  stderr: string;
  output: string;
}

/** The output of a command so far, bounded to the beginning and the end of each stream. */
export class CommandOutput {
  private readonly stdout = new HeadAndTail(maxCharacters);
  private readonly stderr = new HeadAndTail(maxCharacters);
  private readonly both = new HeadAndTail(maxCharacters);
  private readonly onText: (text: string) => void;

  constructor(onText: (text: string) => void = () => undefined) {
    this.onText = onText;
  }

  /** Resolves when both streams have ended. */
  async read(stdout: Readable, stderr: Readable): Promise<void> {
    await Promise.all([this.follow(stdout, this.stdout), this.follow(stderr, this.stderr)]);
  }

  view(): OutputView {
    return {
      stdoutTruncated: this.stdout.truncated,
      stderrTruncated: this.stderr.truncated,
      truncated: this.both.truncated,
      stdout: this.stdout.text(),
      stderr: this.stderr.text(),
      output: this.both.text(),
    };
  }

  private follow(stream: Readable, buffer: HeadAndTail): Promise<void> {
    const decoder = new StringDecoder('utf8');
    const add = (text: string): void => {
      if (text === '') return;
      buffer.add(text);
      this.both.add(text);
      this.onText(text);
    };
    stream.on('data', (chunk: Buffer) => add(decoder.write(chunk)));
    return new Promise((resolve) => {
      stream.once('close', () => {
        add(decoder.end());
        resolve();
      });
    });
  }
}
