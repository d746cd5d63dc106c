import { h2Database } from '../../../testing/database-servers/index.ts';
import { describeUpgrades } from '../../../testing/upgrade-behaviour.ts';

describeUpgrades(h2Database);
