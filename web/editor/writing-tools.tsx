// The tools of the writing view inside its text: the bubble for selected words and the inserter,
// focus mode and smart quotes. Loaded only there.

import type { Editor } from 'hugerte'
import { useEffect, useSyncExternalStore } from 'react'
import { Bubble } from './bubble.tsx'
import { InserterMenu } from './inserter-list.tsx'
import { startFocusMode, startSmartQuotes } from './writing-frame.ts'
import { writingModes } from './writing-modes.ts'
import './writing-tools.css'

export function WritingTools({ editor }: { editor: Editor }) {
  const { subscribe, get } = writingModes
  const { isFocused, hasQuotes } = useSyncExternalStore(subscribe, get, get)
  useEffect(() => (isFocused ? startFocusMode(editor) : undefined), [editor, isFocused])
  useEffect(() => (hasQuotes ? startSmartQuotes(editor) : undefined), [editor, hasQuotes])
  return (
    <div className="writing-tools">
      <Bubble editor={editor} />
      <InserterMenu editor={editor} />
    </div>
  )
}
