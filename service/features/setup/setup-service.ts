import {
  type ConnectionTest,
  type DatabaseChange,
  databaseChange as changeBetween,
  type DatabaseChoice,
  type DatabaseForm,
  type DatabaseType,
  type SetupStatus,
} from '../../contract/index.ts';
import { carryOverMessage } from '../../core/carry-over-message.ts';
import { HostError } from '../../core/host-error.ts';
import type { Engines } from '../../platform/database/engines.ts';
import { testDatabase } from '../../platform/database/open-database.ts';
import type { DatabaseConfig } from '../../platform/database/database-config.ts';
import { configOf } from '../../platform/database/database-params.ts';
import { embeddedTypes, supportedTypes } from '../../platform/database/database-types.ts';
import type { DataSourceFile } from '../../platform/database/data-source-file.ts';
import { type HostText, msg, textOf } from '../../messages/index.ts';
import { databaseForms } from './database-forms.ts';

export type RunMode = 'SETUP' | 'APP';
export type SetupReason = NonNullable<SetupStatus['reason']>;

/** The state of the host, and the functions that switch between SETUP and APP. */
export interface SetupServiceOptions {
  dataSource: DataSourceFile;
  engines: Engines;
  folders: { workDirectory: string; database: string };
  /**
   * Returns the current mode, the reason why APP was left, and whether APP started with another
   * database.
   */
  state: () => {
    mode: RunMode;
    reason?: SetupReason | undefined;
    databaseChange?: DatabaseChange | undefined;
  };
  /** Opens the database and switches the handler; throws on failure. */
  enterApp: (config: DatabaseConfig) => Promise<void>;
  enterSetup: () => Promise<void>;
  /** Shared by the services of both modes: true while the mode changes. */
  change: { running: boolean };
}

const carryOverFrom = (from: DatabaseType) =>
  supportedTypes.map((type) => {
    const message = carryOverMessage(changeBetween(from, type));
    return { type, text: textOf(message), textMessage: message };
  });

/** The operations of the wizard. The mode changes one at a time. */
export class SetupService {
  private readonly options: SetupServiceOptions;

  constructor(options: SetupServiceOptions) {
    this.options = options;
  }

  async status(): Promise<SetupStatus> {
    const { mode, reason, databaseChange } = this.options.state();
    const status: SetupStatus = { initialized: mode === 'APP', supportedTypes, embeddedTypes };
    if (mode === 'APP') return databaseChange ? { ...status, databaseChange } : status;
    if (reason) status.reason = reason;
    const previous = await this.options.dataSource.previous();
    if (!previous) return status;
    return { ...status, previous: { ...previous, carryOver: carryOverFrom(previous.type) } };
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
      if (!result.success) throw connectionFailed(result.text ?? result.message);
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
      const undo = await this.options.dataSource.restorePrevious();
      try {
        const config = await this.options.dataSource.read();
        if (!config) throw nothingToContinue();
        await this.options.enterApp(config);
      } catch (error) {
        await undo();
        throw error;
      }
      return this.status();
    });
  }

  /**
   * Backs up and clears the configuration, and returns to SETUP. Returns the name of the backup.
   */
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
      throw new HostError('conflict', 'change_in_progress', msg('setup.changing'));
    }
    state.running = true;
    try {
      return await change();
    } finally {
      state.running = false;
    }
  }
}

const connectionFailed = (text: HostText = msg('setup.noAnswer')): HostError =>
  new HostError('unprocessable', 'connection_failed', text);

function nothingToContinue(): HostError {
  return new HostError('conflict', 'nothing_to_continue', msg('setup.nothingToContinue'));
}
