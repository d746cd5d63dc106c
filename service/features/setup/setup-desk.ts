import type {
  ConnectionTest,
  DatabaseChoice,
  DatabaseForm,
  SetupStatus,
} from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import type { Engines } from '../../platform/database/engines.ts';
import { testDatabase } from '../../platform/database/open-database.ts';
import type { DatabaseConfig } from '../../platform/database/database-config.ts';
import { configOf } from '../../platform/database/database-params.ts';
import { embeddedTypes, supportedTypes } from '../../platform/database/database-types.ts';
import type { DataSourceFile } from '../../platform/database/data-source-file.ts';
import { databaseForms } from './database-forms.ts';

export type RunMode = 'SETUP' | 'APP';
export type SetupReason = NonNullable<SetupStatus['reason']>;

export interface SetupDeskOptions {
  dataSource: DataSourceFile;
  engines: Engines;
  folders: { workDirectory: string; database: string };
  /** The mode in force now, and why APP was left. */
  state: () => { mode: RunMode; reason?: SetupReason };
  /** Opens the database and swaps the handler; throws when that fails. */
  enterApp: (config: DatabaseConfig) => Promise<void>;
  enterSetup: () => Promise<void>;
  /** Shared by the desks of both modes: whether a change of mode is under way. */
  change: { running: boolean };
}

/** What the wizard can do. One change of mode at a time. */
export class SetupDesk {
  private readonly options: SetupDeskOptions;

  constructor(options: SetupDeskOptions) {
    this.options = options;
  }

  async status(): Promise<SetupStatus> {
    const { mode, reason } = this.options.state();
    const status: SetupStatus = { initialized: mode === 'APP', supportedTypes, embeddedTypes };
    if (mode === 'APP') return status;
    if (reason) status.reason = reason;
    const previous = await this.previous();
    return previous ? { ...status, previous } : status;
  }

  private async previous(): Promise<SetupStatus['previous'] | null> {
    const type = await this.options.dataSource.type();
    const backup = await this.options.dataSource.newestBackup();
    return type && backup ? { type, backup } : null;
  }

  types(): Promise<DatabaseForm[]> {
    return databaseForms(this.options.engines);
  }

  test({ type, params }: DatabaseChoice): Promise<ConnectionTest> {
    return testDatabase(configOf(type, params, this.options.folders), this.options.engines);
  }

  initialize({ type, params }: DatabaseChoice): Promise<SetupStatus> {
    return this.alone(async () => {
      const config = configOf(type, params, this.options.folders);
      const result = await testDatabase(config, this.options.engines);
      if (!result.success) throw connectionFailed(result.message);
      const undo = await this.options.dataSource.replace(config);
      try {
        await this.options.enterApp(config);
      } catch (error) {
        await undo();
        throw error;
      }
      return this.status();
    });
  }

  continue(): Promise<SetupStatus> {
    return this.alone(async () => {
      const config = await this.options.dataSource.read();
      if (!config) {
        throw new HostError(
          'conflict',
          'nothing_to_continue',
          'There is no earlier configuration. Choose a database.',
        );
      }
      await this.options.enterApp(config);
      return this.status();
    });
  }

  /** Backs the configuration up, clears it and returns to SETUP. Returns the name of the backup. */
  clear(): Promise<string | null> {
    return this.alone(async () => {
      const backup = await this.options.dataSource.backUp();
      await this.options.dataSource.clear();
      await this.options.enterSetup();
      return backup;
    });
  }

  private async alone<T>(change: () => Promise<T>): Promise<T> {
    const { change: state } = this.options;
    if (state.running) {
      throw new HostError(
        'conflict',
        'change_in_progress',
        'The database is being changed. Try again in a moment.',
      );
    }
    state.running = true;
    try {
      return await change();
    } finally {
      state.running = false;
    }
  }
}

function connectionFailed(message = 'The database does not answer.'): HostError {
  return new HostError('unprocessable', 'connection_failed', message);
}
