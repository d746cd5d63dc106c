import type { KeyboardEvent, RefObject } from 'react';
import { useEffect, useRef } from 'react';

/** An Enter this soon was meant for something else. */
const seenAfterMs = 500;

/** Keyboard focus of a card that asks, which appears while a person may be typing. */
export interface CardFocus {
  /** Whether the card was there long enough for the key to be meant for it. */
  isSeen(event: KeyboardEvent): boolean;
  /** Gives the focus to the field below, so that what is typed goes there. */
  handOver(): void;
}

/**
 * A card takes the keys when it comes, but never from a field that has something in it, and the
 * reader stays where they read.
 */
export function useCardFocus(card: RefObject<HTMLElement | null>): CardFocus {
  const since = useRef(0);
  useEffect(() => {
    since.current = performance.now();
    if (!isBeingWritten(document.activeElement)) card.current?.focus({ preventScroll: true });
  }, [card]);
  return {
    isSeen: ({ repeat, timeStamp }: KeyboardEvent) =>
      !repeat && timeStamp - since.current > seenAfterMs,
    handOver: () =>
      card.current?.closest('.chat')?.querySelector<HTMLElement>('.composer textarea')?.focus(),
  };
}

function isBeingWritten(element: Element | null): boolean {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)
    return element.value !== '';
  // Another card that waits has them already.
  if (element?.closest('.approval')) return true;
  return element instanceof HTMLElement && element.isContentEditable;
}
