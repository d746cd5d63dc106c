import type { SetupDeskOptions } from '../features/setup/index.ts';
import type { TicketBook } from '../http/access.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { HostOptions } from './options.ts';

/** What lives as long as the process, whatever the run mode. */
export interface AppContext extends Pick<
  HostOptions,
  'paths' | 'log' | 'logLevelGiven' | 'desktop' | 'resources'
> {
  port: () => number;
  tickets: TicketBook;
  secrets: Secrets;
  setup: SetupDeskOptions;
}
