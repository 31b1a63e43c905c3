// The headings of the text beside it, from two on: the part with the caret is marked, and a press
// puts the caret at the start of a part.
import type { Editor } from 'hugerte'
import { useEffect, useState } from 'react'
import { texts } from '../locales/texts.ts'

const { contents, contentsOfText } = texts.writingView
const HEADINGS = 'h2,h3,h4'
const HEADINGS_MIN = 2

type Part = { title: string; isNested: boolean; isCurrent: boolean }

export function WritingContents({ editor }: { editor: Editor | undefined }) {
  const parts = useParts(editor)
  if (!editor || parts.length < HEADINGS_MIN) return null

  function goTo(index: number) {
    const heading = editor && findHeadings(editor)[index]
    if (!heading) return
    editor.focus()
    editor.selection.setCursorLocation(heading, 0)
    heading.scrollIntoView({ block: 'start' })
    editor.nodeChanged()
  }
  return (
    <nav className="contents-list writing-contents" aria-label={contentsOfText}>
      <h2>{contents}</h2>
      <ol>
        {parts.map(({ title, isNested, isCurrent }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: headings have no other identity
          <li key={index} className={isNested ? 'is-nested' : undefined}>
            <button type="button" aria-current={isCurrent || undefined} onClick={() => goTo(index)}>
              {title}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}

function useParts(editor: Editor | undefined): Part[] {
  const [parts, setParts] = useState<Part[]>([])
  useEffect(() => {
    if (!editor) return
    let frame = 0
    const update = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => {
        if (!editor.removed) setParts((before) => keepIfSame(before, readParts(editor)))
      })
    }
    update()
    editor.on('input NodeChange SetContent undo redo', update)
    return () => {
      cancelAnimationFrame(frame)
      editor.off('input NodeChange SetContent undo redo', update)
    }
  }, [editor])
  return parts
}

function findHeadings(editor: Editor): HTMLElement[] {
  return editor.dom.select(HEADINGS).filter(({ textContent }) => textContent.trim())
}

function readParts(editor: Editor): Part[] {
  const headings = findHeadings(editor)
  const caret = editor.selection.getRng()
  // A heading whose start is not behind the caret is before it, or contains it.
  const current = headings.findLastIndex((heading) => caret.comparePoint(heading, 0) <= 0)
  return headings.map(({ textContent, nodeName }, index) => ({
    title: textContent.trim(),
    isNested: nodeName !== 'H2',
    isCurrent: index === current,
  }))
}

function keepIfSame(before: Part[], after: Part[]): Part[] {
  return JSON.stringify(before) === JSON.stringify(after) ? before : after
}
