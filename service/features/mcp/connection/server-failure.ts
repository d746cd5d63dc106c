import { type Message, textOf } from '../../../messages/index.ts';

/** Thrown by the host because of a server's behavior; libraries wrap it. */
export class ServerFailure extends Error {
  readonly text: Message;

  constructor(text: Message) {
    super(textOf(text));
    this.name = 'ServerFailure';
    this.text = text;
  }
}
