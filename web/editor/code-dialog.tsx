// The dialog for a code sample: its language and its text.

import { type KeyboardEvent, useRef, useState } from 'react'
import { CODE_LANGUAGES } from '#contract/code-languages.ts'
import { texts } from '../locales/texts.ts'
import { Field, SelectField } from '../ui/field.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'

export type CodeSample = { language: string; code: string }

type CodeDialogProps = {
  /** The initial values. */
  start: CodeSample
  /** The dialog edits a sample of the text; otherwise it inserts a new one. */
  isChange: boolean
  onSave: (sample: CodeSample) => void
  onClose: () => void
}

const words = texts.codeDialog
const ROWS = 8

export function CodeDialog({ start, isChange, onSave, onClose }: CodeDialogProps) {
  const [language, setLanguage] = useState(start.language)
  const [code, setCode] = useState(start.code)
  /** Esc was pressed in the field: the next Tab leaves it. */
  const mayLeave = useRef(false)
  const isEmpty = code.trim() === ''
  const save = () => !isEmpty && onSave({ language, code: withoutOuterLines(code) })

  function handleKey(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key === 'Escape' && !mayLeave.current) {
      mayLeave.current = true
      event.preventDefault() // the dialog stays open
    } else if (event.key === 'Tab' && !mayLeave.current) {
      event.preventDefault()
      indentIn(event.currentTarget, event.shiftKey)
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      save()
    } else if (event.key !== 'Shift') mayLeave.current = event.key === 'Tab'
  }
  return (
    <FormDialog
      title={words.title}
      isWide
      submitLabel={isChange ? words.save : words.insert}
      isSubmitDisabled={isEmpty}
      onSubmit={save}
      onClose={onClose}
    >
      <SelectField
        label={words.language}
        choices={languagesWith(start.language)}
        value={language}
        onChange={setLanguage}
      />
      <Field label={words.code} hint={words.hint}>
        {(ids) => (
          <textarea
            {...ids}
            className="input input--code"
            dir="ltr"
            rows={ROWS}
            spellCheck={false}
            autoCapitalize="none"
            autoComplete="off"
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            onKeyDown={handleKey}
            onBlur={() => {
              mayLeave.current = false
            }}
          />
        )}
      </Field>
    </FormDialog>
  )
}

/** The list of languages, including the sample's own, which may not be a usual one. */
function languagesWith(id: string): [id: string, label: string][] {
  const labels = new Map(CODE_LANGUAGES.map((language) => [language.id, language.label]))
  return [...(labels.has(id) ? labels : labels.set(id, id))]
}

/** Inserts like typing, so that the browser's undo reverts it. */
function indentIn(field: HTMLTextAreaElement, isBack: boolean): void {
  const selected = { text: field.value, from: field.selectionStart, to: field.selectionEnd }
  const { from, to, insert, select } = indentLines(selected, isBack)
  field.setSelectionRange(from, to)
  if (insert === '') document.execCommand('delete')
  else if (insert !== field.value.slice(from, to)) document.execCommand('insertText', false, insert)
  field.setSelectionRange(...select)
}

function withoutOuterLines(code: string): string {
  return code.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd()
}

// Indents the lines of a sample by Tab and Shift+Tab.

type Selected = { text: string; from: number; to: number }
/** `insert` replaces the text between `from` and `to`; `select` is selected afterwards. */
type Replacement = { from: number; to: number; insert: string; select: [number, number] }

const STEP = '  '

/**
 * Tab within a line inserts a step at the caret. If several lines are selected, each of them moves
 * by one step.
 */
export function indentLines({ text, from, to }: Selected, isBack: boolean): Replacement {
  const isWithinLine = !text.slice(from, to).includes('\n')
  if (!isBack && isWithinLine)
    return { from, to, insert: STEP, select: [from + STEP.length, from + STEP.length] }
  const start = text.lastIndexOf('\n', from - 1) + 1
  // A selection that ends at the start of a line does not include that line.
  const last = to > from && text[to - 1] === '\n' ? to - 1 : to
  const end = text.indexOf('\n', last) < 0 ? text.length : text.indexOf('\n', last)
  const lines = text.slice(start, end).split('\n')
  const indentedLines = lines.map((line) =>
    isBack ? line.replace(/^(?:\t| {1,2})/, '') : indent(line),
  )
  const insert = indentedLines.join('\n')
  const first = (indentedLines[0]?.length ?? 0) - (lines[0]?.length ?? 0)
  const total = insert.length - (end - start)
  return {
    from: start,
    to: end,
    insert,
    select: [Math.max(start, from + first), Math.max(start, to + total)],
  }
}

function indent(line: string): string {
  return line === '' ? line : STEP + line
}
