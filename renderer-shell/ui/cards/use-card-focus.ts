import type { KeyboardEvent, RefObject } from 'react';
import { useEffect, useRef } from 'react';

/**
 * An Enter key within this time of the card's appearance was meant for something else, in
 * milliseconds.
 */
const minVisibleMs = 500;

/** Focus handling of a card. */
export interface CardFocus {
  /** Returns true if the card was visible long enough for the key to be meant for it. */
  isSeen(event: KeyboardEvent): boolean;
  /** Moves the focus to the field below, so that typing continues there. */
  handOver(): void;
}

/**
 * A new card takes the focus, except from a field with content, and without scrolling the reader
 * away.
 */
export function useCardFocus(card: RefObject<HTMLElement | null>): CardFocus {
  const since = useRef(0);
  useEffect(() => {
    since.current = performance.now();
    if (!isBeingWritten(document.activeElement)) card.current?.focus({ preventScroll: true });
  }, [card]);
  return {
    isSeen: ({ repeat, timeStamp }: KeyboardEvent) =>
      !repeat && timeStamp - since.current > minVisibleMs,
    handOver: () =>
      card.current?.closest('.chat')?.querySelector<HTMLElement>('.composer textarea')?.focus(),
  };
}

function isBeingWritten(element: Element | null): boolean {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)
    return element.value !== '';
  // Another pending card already has the focus.
  if (element?.closest('.approval')) return true;
  return element instanceof HTMLElement && element.isContentEditable;
}
