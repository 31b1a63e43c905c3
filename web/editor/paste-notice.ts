// What is said at the foot of the editor after a paste, until the next key or for ten seconds.
// Types and times only; paste-notice-bar.tsx shows it.

import type { Missing } from './paste-images.ts'

export type PasteNotice =
  | { kind: 'missing'; missing: readonly Missing[] }
  | { kind: 'markdown'; onKeep: () => void }

export const NOTICE_MS = 10_000
