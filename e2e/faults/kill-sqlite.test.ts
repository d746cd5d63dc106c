import { checkSqlite } from '../../service/testing/faults/database-checks.ts';
import { itSurvivesKills } from '../../service/testing/faults/kill-embedded.ts';

itSurvivesKills({ name: 'SQLite', type: 'SQLITE', fileName: 'host.db' }, checkSqlite);
