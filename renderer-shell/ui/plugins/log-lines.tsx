import { memo, useLayoutEffect, useRef } from 'react';
import type { PluginLogEvent } from '../../../service/contract/index.ts';

/** Within this distance of the end the view follows new lines. */
const NEAR_END_PX = 24;

/** Shows the lines as text. The view follows the end only while the reader is there. */
export function LogLines({ events }: { events: PluginLogEvent[] }) {
  const container = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);

  useLayoutEffect(() => {
    if (atEnd.current && container.current)
      container.current.scrollTop = container.current.scrollHeight;
  }, [events]);

  const onScroll = () => {
    if (!container.current) return;
    const { scrollHeight, scrollTop, clientHeight } = container.current;
    atEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
  };

  return (
    <div ref={container} className="log" role="log" tabIndex={0} onScroll={onScroll}>
      {events.map((event) => (
        <LogLine key={`${event.sequence} ${event.timestamp}`} event={event} />
      ))}
    </div>
  );
}

const LogLine = memo(function LogLine({ event }: { event: PluginLogEvent }) {
  return (
    <div className="log-line" data-level={event.level.toUpperCase()}>
      <time dateTime={event.timestamp} title={event.timestamp}>
        {clockOf(event.timestamp)}
      </time>
      <span className="log-level">{event.level}</span>
      <span className="log-message untrusted">
        {event.logger !== null && <span className="log-logger">{event.logger} </span>}
        {event.message}
      </span>
    </div>
  );
});

/** Returns the time of day; an invalid timestamp is returned unchanged. */
function clockOf(timestamp: string): string {
  const date = new Date(timestamp);
  return Number.isNaN(date.getTime()) ? timestamp : date.toTimeString().slice(0, 8);
}
