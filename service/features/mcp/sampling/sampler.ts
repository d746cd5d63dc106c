import { Mutex } from 'async-mutex';
import { HostError } from '../../../core/host-error.ts';
import type { ModelBackend } from '../../models/index.ts';
import type { Ask, Questions } from '../connection/questions.ts';
import { modelAnswer, type SamplingAnswer } from './model-answer.ts';
import {
  questionOf,
  type SampleRequest,
  sampleRequestOf,
  type SamplingParams,
} from './sample-request.ts';
import { SamplingRefusal } from './sampling-refusal.ts';
import { msg, textOf } from '../../../messages/index.ts';

/** The settings for sampling: enabled or not, and the model. */
export interface SamplingPorts {
  isOn: () => boolean;
  /** The configured model. @throws HostError if there is none */
  backend: () => ModelBackend;
}

/** Limit of waiting requests; one is answered at a time. */
const maxPending = 8;

/** Answers the sampling requests of one server, each after the user has approved it. */
export class Sampler {
  private readonly ports: SamplingPorts;
  private readonly questions: Questions;
  private readonly log: (level: string, message: string) => void;
  private readonly lock = new Mutex();
  private pendingCount = 0;

  constructor(
    ports: SamplingPorts,
    questions: Questions,
    log: (level: string, message: string) => void,
  ) {
    this.ports = ports;
    this.questions = questions;
    this.log = log;
  }

  /** @throws SamplingRefusal, or the reason of the signal or of an ended call */
  async answer(params: SamplingParams, signal: AbortSignal): Promise<SamplingAnswer> {
    this.checkOn();
    const request = sampleRequestOf(params);
    if (this.pendingCount > maxPending)
      throw new SamplingRefusal('failed', msg('sampling.tooManyWait'));
    this.pendingCount += 1;
    try {
      const answer = await this.questions.answering((ask, over) =>
        this.lock.runExclusive(() => this.sample(request, ask, AbortSignal.any([signal, over]))),
      );
      if (answer) return answer;
      throw new SamplingRefusal('declined', msg('sampling.nobodyToAsk'));
    } finally {
      this.pendingCount -= 1;
    }
  }

  private async sample(
    request: SampleRequest,
    ask: Ask,
    signal: AbortSignal,
  ): Promise<SamplingAnswer> {
    signal.throwIfAborted();
    try {
      const backend = this.ports.backend();
      const text = questionOf(request, backend.model);
      const question = { message: textOf(text), text, requestedSchema: noFields };
      const { action } = await ask(question, signal);
      if (action === 'decline') throw new SamplingRefusal('declined', msg('sampling.declined'));
      if (action === 'cancel') throw new SamplingRefusal('declined', msg('sampling.notInTime'));
      this.checkOn();
      return await modelAnswer(backend, request, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw this.refusalOf(error);
    }
  }

  private checkOn(): void {
    if (this.ports.isOn()) return;
    throw new SamplingRefusal('off', msg('sampling.off'));
  }

  /** Errors of the model server are shown to the user only. */
  private refusalOf(error: unknown): SamplingRefusal {
    if (error instanceof SamplingRefusal) return error;
    const why = error instanceof Error ? error.message : String(error);
    this.log('WARN', `The model did not answer it: ${why}`);
    const text =
      error instanceof HostError
        ? msg('sampling.noAnswerBecause', { code: error.code })
        : msg('sampling.noAnswer');
    return new SamplingRefusal('failed', text, error);
  }
}

const noFields = { type: 'object', properties: {} };
