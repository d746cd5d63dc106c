import { describeDatabase } from '../../testing/database-behaviour.ts';
import { sqliteDatabase } from '../../testing/database-servers/index.ts';

describeDatabase(sqliteDatabase);
