import { Channel, type ChannelOptions } from '../core/channel.ts';
import { HostError } from '../core/host-error.ts';
import type { EventSource, StreamEvent } from './reply.ts';
import { msg } from '../messages/index.ts';

/** The streams of one family by id, each with at most one reader. */
export class SingleUseStreams {
  private readonly channels = new Map<string, Channel<StreamEvent>>();

  create(id: string, options: ChannelOptions<StreamEvent> = {}): Channel<StreamEvent> {
    const channel = new Channel<StreamEvent>(options);
    this.channels.set(id, channel);
    return channel;
  }

  forget(id: string): void {
    this.channels.delete(id);
  }

  /** @throws HostError 404 for an unknown id, 410 for a stream that was already read */
  open(id: string): EventSource {
    const channel = this.channels.get(id);
    if (!channel) throw new HostError('missing', 'unknown_stream', msg('request.unknownStream'));
    if (channel.isUsed) throw used();
    return {
      greeting: 'connected',
      open(sink) {
        // Two requests in one packet both pass the check above.
        if (!channel.isUsed) return channel.open(sink);
        sink.end(used());
        return () => undefined;
      },
    };
  }
}

function used(): HostError {
  return new HostError('gone', 'stream_used', msg('request.streamUsed'));
}
