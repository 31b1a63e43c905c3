// The tools for the selected text, shown beside them, or in a row over the keyboard of a phone.

import type { Editor } from 'hugerte'
import {
  Bold,
  Code,
  Heading2,
  Italic,
  Link,
  type LucideIcon,
  Quote,
  RemoveFormatting,
  Strikethrough,
  Superscript,
} from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { texts } from '../locales/texts.ts'
import { ACROSS, nextIndex } from '../ui/next-index.ts'
import { boxesOf, placeBeside, useFollowingPlace } from './beside-text.ts'
import { selectedObject } from './caret-beside-objects.ts'
import { closestTo } from './objects.ts'
import { insertFootnote } from './text-objects.ts'

type Tool = {
  id: Exclude<keyof typeof texts.bubble, 'name'>
  Icon: LucideIcon
  /** A format that the tool toggles, instead of a command. */
  format?: string
  command?: string
  run?: (editor: Editor) => void
}

const FORMATS: readonly Tool[] = [
  { id: 'bold', Icon: Bold, format: 'bold' },
  { id: 'italic', Icon: Italic, format: 'italic' },
  { id: 'strikethrough', Icon: Strikethrough, format: 'strikethrough' },
  { id: 'code', Icon: Code, format: 'code' },
  { id: 'link', Icon: Link, command: 'mceLink' },
]
const BLOCKS: readonly Tool[] = [
  { id: 'heading', Icon: Heading2, format: 'h2' },
  { id: 'quote', Icon: Quote, format: 'blockquote' },
]
const FOOTNOTE: Tool = { id: 'footnote', Icon: Superscript, run: insertFootnote }
const CLEAR: Tool = { id: 'clear', Icon: RemoveFormatting, command: 'RemoveFormat' }
/** In groups. Notes have neither headings nor notes. */
const TOOLS = [FORMATS, BLOCKS, [FOOTNOTE, CLEAR]]
const TOOLS_OF_NOTES = [FORMATS, [CLEAR]]
/** Code takes no formats; captions and contents take no blocks. */
const WITHOUT_TOOLS = 'pre, figcaption, nav'

export function Bubble({ editor }: { editor: Editor }) {
  const [selected, setSelected] = useState<Range | undefined>()
  const bubble = useRef<HTMLDivElement>(null)
  useEffect(() => followSelection(editor, bubble, setSelected), [editor])
  return selected && <BubbleBar ref={bubble} editor={editor} selected={selected} />
}

type Bar = { current: HTMLElement | null }

/** Reports the selected text that gets tools. @returns a function that stops following */
function followSelection(
  editor: Editor,
  bar: Bar,
  report: (selected: Range | undefined) => void,
): () => void {
  /** A press that may still change the selection. */
  let isPressed = false
  /** The selected text for which Esc was pressed. */
  let dismissedText: string | undefined
  const follow = () => {
    const selected = findSelectedText(editor)
    if (selected?.toString() !== dismissedText) dismissedText = undefined
    const hasFocus = editor.hasFocus() || bar.current?.contains(document.activeElement)
    report(hasFocus && !isPressed && dismissedText === undefined ? selected : undefined)
  }
  const dismiss = () => {
    dismissedText = findSelectedText(editor)?.toString()
    follow()
  }
  const press = () => {
    isPressed = true
    dismissedText = undefined
    follow()
  }
  const release = () => {
    if (!isPressed) return
    isPressed = false
    follow()
  }
  const handleKey = (event: globalThis.KeyboardEvent) => {
    const isEscape = event.key === 'Escape'
    const isToolKey = event.key === 'F10' && event.altKey
    if (!bar.current || !(isEscape || isToolKey)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (isEscape) dismiss()
    else bar.current.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }
  const handleEscape = (event: globalThis.KeyboardEvent) => {
    if (event.key !== 'Escape' || !bar.current?.contains(document.activeElement)) return
    event.stopPropagation()
    editor.focus()
    dismiss()
  }
  const CHANGES = 'focus blur NodeChange SelectionChange'
  const RELEASES = 'mouseup dragend drop'
  follow()
  editor.on(CHANGES, follow)
  editor.on('mousedown', press)
  editor.on(RELEASES, release)
  editor.on('keydown', handleKey, true)
  const page = new AbortController()
  const { signal } = page
  document.addEventListener('mouseup', release, { signal })
  document.addEventListener('focusin', follow, { signal })
  document.addEventListener('keydown', handleEscape, { signal, capture: true })
  return () => {
    page.abort()
    editor.off(CHANGES, follow)
    editor.off('mousedown', press)
    editor.off(RELEASES, release)
    editor.off('keydown', handleKey)
  }
}

function findSelectedText(editor: Editor): Range | undefined {
  const { selection, mode } = editor
  if (selection.isCollapsed() || mode.isReadOnly() || selectedObject(editor)) return undefined
  const range = selection.getRng()
  const isText = range.toString().trim() !== '' && !selection.getNode().closest(WITHOUT_TOOLS)
  return isText ? range : undefined
}

type BubbleBarProps = { ref: { current: HTMLDivElement | null }; editor: Editor; selected: Range }

function BubbleBar({ ref, editor, selected }: BubbleBarProps) {
  const [stop, setStop] = useState(0)
  useFollowingPlace(editor, ref, (bar) =>
    placeBeside(editor, bar, boxesOf(editor, selected), 'above'),
  )
  const isNote = closestTo(selected.commonAncestorContainer, '.footnotes') !== undefined
  const use = ({ format, command, run }: Tool) => {
    // A press by keys leaves the focus here, so that several tools can be used.
    const options = { skip_focus: true }
    if (format) editor.execCommand('mceToggleFormat', false, format, options)
    else if (command) editor.execCommand(command, false, undefined, options)
    else run?.(editor)
  }
  function moveFocus(event: KeyboardEvent<HTMLDivElement>) {
    const buttons = [...event.currentTarget.querySelectorAll('button')]
    const target = nextIndex(event.key, stop, buttons.length, ACROSS)
    if (target === undefined) return
    event.preventDefault()
    setStop(target)
    buttons[target]?.focus()
  }
  let index = 0
  return (
    <div
      ref={ref}
      className="float bubble"
      role="toolbar"
      aria-label={texts.bubble.name}
      data-over-keyboard
      onKeyDown={moveFocus}
      // The text keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
    >
      {(isNote ? TOOLS_OF_NOTES : TOOLS).map((tools) => (
        <div key={tools[0]?.id} className="bubble__group">
          {tools.map((tool) => {
            const at = index++
            return (
              <button
                key={tool.id}
                type="button"
                aria-label={texts.bubble[tool.id]}
                title={texts.bubble[tool.id]}
                aria-pressed={tool.format ? editor.formatter.match(tool.format) : undefined}
                tabIndex={at === stop ? 0 : -1}
                onClick={() => use(tool)}
              >
                <tool.Icon className="icon" aria-hidden="true" />
              </button>
            )
          })}
        </div>
      ))}
    </div>
  )
}
