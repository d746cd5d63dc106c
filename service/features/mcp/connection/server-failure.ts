import { type Message, textOf } from '../../../messages/index.ts';

/** Thrown by this side for what a server did; libraries wrap it. */
export class ServerFailure extends Error {
  readonly text: Message;

  constructor(text: Message) {
    super(textOf(text));
    this.name = 'ServerFailure';
    this.text = text;
  }
}
