// The modes of the writing view that its text follows. The code that follows them is loaded by the
// editor: a part of the editor that another file loads would split its package into two files,
// 25 kB more in all.

import { createSharedValue } from '../ui/shared-value.ts'

export const writingModes = createSharedValue({ isFocused: false, hasQuotes: false })
