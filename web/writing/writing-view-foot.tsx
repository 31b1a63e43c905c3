// The line below the text of the writing view: whether it is saved, and how long it is.
import type { Editor } from 'hugerte'
import { useEffect, useState } from 'react'
import { countWords } from '#contract/plain-text.ts'
import { texts } from '../locales/texts.ts'
import { minutesOf, plainText } from '../posts/plain-text.ts'
import { SavedLine, SavingPanel } from './saving-parts.tsx'
import type { FormProps } from './use-post-form.ts'

const words = texts.writingView

export function WritingFoot({ form, state, editor }: FormProps & { editor: Editor | undefined }) {
  const { wordCount, minutes } = useLength(editor, state.startHtml)
  const { isSaving, isOffline } = state
  return (
    <div className="writing-foot">
      {(isSaving || isOffline) && <SavingPanel form={form} state={state} />}
      <SavedLine state={state} />
      <span className="writing-foot__focus">{words.endFocus}</span>
      <span className="writing-foot__length">{words.words(wordCount)}</span>
      <span className="writing-foot__length">{words.minutes(minutes)}</span>
      <span className="writing-foot__hint">{words.hint}</span>
    </div>
  )
}

/** Counted when the writer pauses: a long text takes a while. */
function useLength(editor: Editor | undefined, startHtml: string) {
  const [html, setHtml] = useState(startHtml)
  useEffect(() => {
    if (!editor) return
    const update = () => setHtml(editor.getContent())
    update()
    editor.on('WordCountUpdate', update)
    return () => void editor.off('WordCountUpdate', update)
  }, [editor])
  return { wordCount: countWords(html), minutes: minutesOf(plainText(html)) }
}
