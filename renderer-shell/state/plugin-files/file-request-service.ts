import type { Route } from '../address.ts';
import type { Watched } from '../../core/store.ts';
import { createStore } from '../../core/store.ts';
import type { PickRequest } from './pick-request.ts';
import type { SaveRequest } from './save-request.ts';

export type AnyFileRequest = PickRequest | SaveRequest;

/** Requests of plugin pages to the user, oldest first. */
export interface FileRequestService {
  requests: Watched<readonly AnyFileRequest[]>;
  /** Adds a request, which stays until it is settled. */
  put(request: AnyFileRequest): void;
}

export function createFileRequestService(): FileRequestService {
  const requests = createStore<readonly AnyFileRequest[]>([]);
  const remove = (request: AnyFileRequest) =>
    requests.set(requests.get().filter((other) => other !== request));
  return {
    requests,
    put: (request) => {
      requests.set([...requests.get(), request]);
      const settled: Promise<unknown> = request.outcome;
      settled.then(
        () => remove(request),
        () => remove(request),
      );
    },
  };
}

/**
 * Returns the request to show: the first of the visible plugin. Other plugins wait until they are
 * visible.
 */
export const visibleRequest = (
  requests: readonly AnyFileRequest[],
  route: Route,
): AnyFileRequest | undefined =>
  route.area === 'plugins' ? requests.find(({ pluginId }) => pluginId === route.id) : undefined;
