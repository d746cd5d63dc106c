import { realInputs } from '../../real-inputs.ts';
import { ownCompletions } from './own-completions.ts';
import { ownMessages } from './own-messages.ts';
import { ownOllama } from './own-ollama.ts';
import { ownResponses } from './own-responses.ts';
import { recordedStreams } from './recorded-streams.ts';
import type { WrittenStream } from './written-stream.ts';

/** Answers written for this project, in every wire format with its variants. */
export const ownStreams: WrittenStream[] = [
  ...ownCompletions,
  ...ownResponses,
  ...ownMessages,
  ...ownOllama,
];

/** Sets of answers that must be read completely: those of the project and real ones. */
export function streamSets(): { name: string; streams: WrittenStream[] }[] {
  const folder = realInputs('llm-recorded');
  return [
    { name: 'streams of the project', streams: ownStreams },
    { name: 'real inputs', streams: folder === null ? ownStreams : recordedStreams(folder) },
  ];
}
