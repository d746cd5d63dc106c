import { itSurvivesKills } from '../../service/testing/faults/kill-embedded.ts';

itSurvivesKills({ name: 'H2', type: 'H2', fileName: 'host' });
