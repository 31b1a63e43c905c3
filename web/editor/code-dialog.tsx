// The dialog of a code sample: its language and its text.

import { ChevronDown } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { CODE_LANGUAGES } from '#contract/code-languages.ts'
import { texts } from '../locales/texts.ts'
import { Field } from '../ui/field.tsx'
import { indentLines, type Typed } from './code-indent.ts'
import { FormDialog } from './form-dialog.tsx'

export type CodeSample = { language: string; code: string }

type CodeDialogProps = {
  /** What the dialog begins with. */
  start: CodeSample
  /** A sample of the text is changed, not a new one made. */
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
      event.preventDefault() // closes no dialog
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
      isSubmitOff={isEmpty}
      onSubmit={save}
      onClose={onClose}
    >
      <Field label={words.language}>
        {(ids) => (
          <span className="select">
            <select
              {...ids}
              className="input"
              value={language}
              onChange={(event) => setLanguage(event.currentTarget.value)}
            >
              {languagesWith(start.language).map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </select>
            <ChevronDown className="icon" aria-hidden="true" />
          </span>
        )}
      </Field>
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

/** A language of an older text stays what it is. */
function languagesWith(id: string): readonly { id: string; label: string }[] {
  return CODE_LANGUAGES.some((one) => one.id === id)
    ? CODE_LANGUAGES
    : [...CODE_LANGUAGES, { id, label: id }]
}

/** Typed as by hand, so that the browser's own undo takes it back. */
function indentIn(field: HTMLTextAreaElement, isBack: boolean): void {
  const before: Typed = { text: field.value, from: field.selectionStart, to: field.selectionEnd }
  const { from, to, insert, select } = indentLines(before, isBack)
  field.setSelectionRange(from, to)
  if (insert === '') document.execCommand('delete')
  else if (insert !== field.value.slice(from, to)) document.execCommand('insertText', false, insert)
  field.setSelectionRange(...select)
}

function withoutOuterLines(code: string): string {
  return code.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd()
}
