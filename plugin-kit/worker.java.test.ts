import { describe } from 'vitest';
import { describeWorker } from './testing/worker-behaviour.ts';

describe('a Java worker', () => describeWorker('java'));
