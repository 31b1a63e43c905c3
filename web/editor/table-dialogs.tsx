// The dialogs for the looks of a table, its rows and its cells.

import type { Editor } from 'hugerte'
import { useRef, useState } from 'react'
import { texts } from '../locales/texts.ts'
import { SelectField } from '../ui/field.tsx'
import { FormDialog, TextField } from '../ui/form-dialog.tsx'
import type { ToolDialogProps } from './object-tools.ts'
import { tableStyles } from './table-styles.ts'

const words = texts.tableDialogs

/** A style, or a look that is no style: the kind of a row or cell, the caption, the side. */
type Look = keyof typeof words.looks

/** The choices of a look. Others are typed. */
const CHOICES: Partial<Record<Look, readonly (keyof typeof words.choices)[]>> = {
  'text-align': ['', 'left', 'center', 'right'],
  'vertical-align': ['', 'top', 'middle', 'bottom'],
  'border-style': ['', 'solid', 'dotted', 'dashed', 'double', 'none'],
  side: ['', 'left', 'center', 'right'],
  caption: ['', 'caption'],
  row: ['header', 'body', 'footer'],
  cell: ['td', 'th'],
}
const COLOURS_AND_BORDER = [
  'background-color',
  'border-width',
  'border-style',
  'border-color',
] as const
const LOOKS: Record<'table' | 'row' | 'cell', readonly Look[]> = {
  table: ['width', 'height', 'side', 'caption', ...COLOURS_AND_BORDER],
  row: ['row', 'height', 'text-align', ...COLOURS_AND_BORDER],
  cell: ['cell', 'width', 'text-align', 'vertical-align', ...COLOURS_AND_BORDER],
}
const SELECTORS = { table: 'table', row: 'tr', cell: 'td,th' }

type Part = keyof typeof LOOKS

type LooksDialogProps = ToolDialogProps & { part: Part }

export function LooksDialog({ editor, closeAndApply, onClose, part }: LooksDialogProps) {
  const form = useRef<HTMLDivElement>(null)
  const [start] = useState(() => readLooks(editor, part, findElements(editor, part)[0]))
  const [values, setValues] = useState(start)
  const [wrongLook, setWrongLook] = useState<Look>()
  const change = (look: Look) => (value: string) => {
    setValues({ ...values, [look]: value })
    setWrongLook(undefined)
  }
  function save() {
    const wrong = LOOKS[part].find((look) => !isPossible(look, values[look] ?? ''))
    if (!wrong)
      return closeAndApply(() =>
        editor.undoManager.transact(() => {
          for (const look of LOOKS[part])
            if (values[look] !== start[look])
              apply(editor, findElements(editor, part), look, values[look] ?? '')
        }),
      )
    setWrongLook(wrong)
    form.current?.querySelector<HTMLElement>(`[name=${wrong}]`)?.focus()
  }
  return (
    <FormDialog
      title={words.titles[part]}
      submitLabel={words.save}
      onSubmit={save}
      onClose={onClose}
    >
      <div className="looks" ref={form}>
        {LOOKS[part].map((look) => {
          const choices = CHOICES[look]
          const field = {
            label: words.looks[look],
            value: values[look] ?? '',
            onChange: change(look),
          }
          return choices ? (
            <SelectField
              key={look}
              {...field}
              choices={choices.map((value) => [value, words.choices[value]] as const)}
            />
          ) : (
            <TextField
              key={look}
              {...field}
              name={look}
              error={wrongLook === look && words.impossible}
            />
          )
        })}
      </div>
    </FormDialog>
  )
}

/** The selected cells or their rows, or what the caret is in. */
function findElements(editor: Editor, part: Part): HTMLElement[] {
  const selected = editor.dom.select('td[data-mce-selected],th[data-mce-selected]')
  const at = selected.length > 0 ? selected : [editor.selection.getStart()]
  const elements = at.map((node) => editor.dom.getParent<HTMLElement>(node, SELECTORS[part]))
  return [...new Set(elements.filter((element) => element !== null))]
}

function readLooks(
  editor: Editor,
  part: Part,
  element: HTMLElement | undefined,
): Record<string, string> {
  return Object.fromEntries(
    LOOKS[part].map((look) => [look, element ? readLook(editor, look, element) : '']),
  )
}

function readLook(editor: Editor, look: Look, element: HTMLElement): string {
  const { style, nodeName, parentElement } = element
  if (look === 'cell') return nodeName.toLowerCase()
  if (look === 'caption') return element.querySelector('caption') ? 'caption' : ''
  if (look === 'row')
    return { THEAD: 'header', TFOOT: 'footer' }[parentElement?.nodeName ?? ''] ?? 'body'
  if (look === 'side')
    return (
      style.float || (style.marginLeft === 'auto' && style.marginRight === 'auto' ? 'center' : '')
    )
  return editor.dom.getStyle(element, look) ?? ''
}

/** A number without a unit means pixels. */
const withUnit = (value: string) => (/^\d+$/.test(value.trim()) ? `${value.trim()}px` : value)

function isPossible(look: Look, value: string): boolean {
  return look in CHOICES || value.trim() === '' || CSS.supports(look, withUnit(value))
}

function apply(editor: Editor, elements: HTMLElement[], look: Look, value: string): void {
  const { dom } = editor
  if (look === 'caption') editor.execCommand('mceTableToggleCaption')
  else if (look === 'row') editor.execCommand('mceTableRowType', false, { type: value })
  else if (look === 'cell') editor.execCommand('mceTableCellType', false, { type: value })
  else
    for (const element of elements) {
      if (look !== 'side') dom.setStyle(element, look, withUnit(value))
      else {
        for (const style of ['float', 'margin-left', 'margin-right'])
          dom.setStyle(element, style, '')
        if (value) dom.setStyles(element, tableStyles(value as 'left' | 'center' | 'right'))
      }
    }
}
