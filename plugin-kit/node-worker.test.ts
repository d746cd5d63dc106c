import { describe } from 'vitest';
import { describeWorker } from './testing/worker-behaviour.ts';

describe('a Node worker', () => describeWorker('node'));
