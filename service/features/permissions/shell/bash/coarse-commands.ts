import { literalWord, type Segment, segmentOf } from '../segment.ts';

const maxPieces = 5_000;

/**
 * Returns the possible commands of text that the reader does not understand: every word after a
 * character that can end a command counts as a program. Suitable only for deny and ask rules.
 */
export function coarseCommands(text: string): Segment[] {
  const joined = text.replaceAll('\\\n', '');
  const pieces = joined.split(/[;&|(){}`\n"]|\$\(|[<>]\(/, maxPieces);
  return pieces.flatMap((piece) => {
    const words = piece
      .replaceAll(/['"\\]/g, '')
      .split(/\s+/)
      .filter((word) => word !== '' && !/^(?:[A-Za-z_]\w*=\S*|[!<>]\S*|\d*[<>]\S*)$/.test(word));
    const keywords = words.findIndex((word) => !keyword.test(word));
    const argv = keywords < 0 ? [] : words.slice(keywords).map(literalWord);
    return argv.length === 0 ? [] : [segmentOf(argv)];
  });
}

const keyword =
  /^(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|select|function|time|coproc|in)$/;
