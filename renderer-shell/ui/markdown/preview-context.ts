import { createContext } from 'react';
import type { PreviewedCode } from '../../state/chat/previews.ts';

/** Opens code beside the answer; null where there is no place for it. */
export const PreviewContext = createContext<((code: PreviewedCode) => void) | null>(null);
