// The dialogs that few writers open: source code, special characters, keys, find and replace, and
// the properties of tables. Loaded when the first of them is opened.

import { type ComponentType, useEffect, useEffectEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { DialogHead } from '../ui/dialog-head.tsx'
import { Field } from '../ui/field.tsx'
import { FormDialog, TextField } from '../ui/form-dialog.tsx'
import { InfoDialog } from '../ui/info-dialog.tsx'
import type { ToolDialogProps, ToolName } from './object-tools.ts'
import { TableProperties } from './table-dialogs.tsx'
import './tool-dialogs.css'

const words = texts.toolDialogs
const SOURCE_ROWS = 18

function SourceDialog({ editor, closeAndApply, onClose }: ToolDialogProps) {
  const [html, setHtml] = useState(() => editor.getContent({ source_view: true }))
  function save() {
    closeAndApply(() => {
      editor.undoManager.transact(() => editor.setContent(html))
      editor.selection.setCursorLocation()
      editor.nodeChanged()
    })
  }
  return (
    <FormDialog
      isWide
      title={words.source}
      submitLabel={words.save}
      onSubmit={save}
      onClose={onClose}
    >
      <Field label={words.html}>
        {(ids) => (
          <textarea
            {...ids}
            className="input input--code"
            dir="ltr"
            rows={SOURCE_ROWS}
            spellCheck={false}
            autoCapitalize="none"
            value={html}
            onChange={(event) => setHtml(event.currentTarget.value)}
          />
        )}
      </Field>
    </FormDialog>
  )
}

function CharactersDialog({ editor, closeAndApply, onClose }: ToolDialogProps) {
  return (
    <InfoDialog title={words.characters} onClose={onClose}>
      <div className="characters">
        {Object.entries(words.characterNames).map(([character, name]) => (
          <button
            key={character}
            type="button"
            aria-label={name}
            title={name}
            onClick={() => closeAndApply(() => editor.insertContent(character))}
          >
            {character}
          </button>
        ))}
      </div>
    </InfoDialog>
  )
}

function KeysDialog({ onClose }: ToolDialogProps) {
  return (
    <InfoDialog title={words.keys} onClose={onClose}>
      <dl className="shortcut-list">
        {Object.entries(words.keyEffects).map(([keys, effect]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
    </InfoDialog>
  )
}

/** What the package's plugin "searchreplace" offers to other code. */
type Search = {
  find: (text: string, isSameCase: boolean, isWholeWord: boolean) => number
  next: () => void
  prev: () => void
  replace: (text: string, isForward: boolean, isAll: boolean) => boolean
  done: (selectsMatch: boolean) => void
}

/** Not modal: the matches in the text stay in sight. */
function FindDialog({ editor, onClose }: ToolDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const search = editor.plugins.searchreplace as Search
  const [text, setText] = useState(() => editor.selection.getContent({ format: 'text' }))
  const [replacement, setReplacement] = useState('')
  const [isSameCase, setSameCase] = useState(false)
  const [isWholeWord, setWholeWord] = useState(false)
  const [count, setCount] = useState(0)
  const find = useEffectEvent(() => setCount(text ? search.find(text, isSameCase, isWholeWord) : 0))
  const finish = useEffectEvent(() => {
    search.done(count > 0)
    editor.focus()
  })
  useEffect(() => {
    if (!text) search.done(false)
    find()
  }, [search, text, isSameCase, isWholeWord])
  useEffect(() => {
    dialog.current?.show()
    dialog.current?.querySelector('input')?.select()
    return () => finish()
  }, [])
  function replace(isAll: boolean) {
    if (count === 0) return
    editor.undoManager.transact(() => search.replace(replacement, true, isAll))
    find()
  }
  return createPortal(
    <dialog
      className="float find-dialog"
      ref={dialog}
      aria-labelledby="find-title"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          search.next()
        }}
      >
        <DialogHead id="find-title" title={words.find} onClose={onClose} />
        <TextField label={words.findText} dir="auto" value={text} onChange={setText} />
        <TextField
          label={words.replacement}
          dir="auto"
          value={replacement}
          onChange={setReplacement}
        />
        <div className="find-dialog__row">
          <Check label={words.sameCase} isOn={isSameCase} onChange={setSameCase} />
          <Check label={words.wholeWord} isOn={isWholeWord} onChange={setWholeWord} />
        </div>
        <p className="hint" role="status">
          {text && words.matches(count)}
        </p>
        <div className="find-dialog__row">
          <Button onClick={() => search.prev()}>{words.previous}</Button>
          <Button type="submit">{words.next}</Button>
          <Button onClick={() => replace(false)}>{words.replace}</Button>
          <Button onClick={() => replace(true)}>{words.replaceAll}</Button>
        </div>
      </form>
    </dialog>,
    document.body,
  )
}

type CheckProps = { label: string; isOn: boolean; onChange: (isOn: boolean) => void }

function Check({ label, isOn, onChange }: CheckProps) {
  return (
    <label className="checkbox">
      <input type="checkbox" checked={isOn} onChange={({ target }) => onChange(target.checked)} />
      {label}
    </label>
  )
}

export const TOOL_DIALOGS: Record<ToolName, ComponentType<ToolDialogProps>> = {
  source: SourceDialog,
  characters: CharactersDialog,
  keys: KeysDialog,
  find: FindDialog,
  table: (props) => <TableProperties {...props} part="table" />,
  row: (props) => <TableProperties {...props} part="row" />,
  cell: (props) => <TableProperties {...props} part="cell" />,
}
