// The tools of the writing view inside its text: the bubble for selected words and the inserter.
// Loaded only there.

import type { Editor } from 'hugerte'
import { Bubble } from './bubble.tsx'
import { InserterMenu } from './inserter-list.tsx'
import './writing-tools.css'

export function WritingTools({ editor }: { editor: Editor }) {
  return (
    <div className="writing-tools">
      <Bubble editor={editor} />
      <InserterMenu editor={editor} />
    </div>
  )
}
