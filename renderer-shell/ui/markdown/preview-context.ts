import { createContext } from 'react';
import type { PreviewedCode } from '../../state/chat/previews.ts';

/** Opens code beside the answer; null if there is no preview. */
export const PreviewContext = createContext<((code: PreviewedCode) => void) | null>(null);
