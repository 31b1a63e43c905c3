// The dialogs for the looks of a table, its rows and its cells.

import type { Editor } from 'hugerte'
import { useRef, useState } from 'react'
import { texts } from '../locales/texts.ts'
import { SelectField } from '../ui/field.tsx'
import { FormDialog, TextField } from '../ui/form-dialog.tsx'
import type { ToolDialogProps } from './object-tools.ts'
import { tableStyles } from './table-styles.ts'

const words = texts.tableDialogs

/** A style, or a look that is no style: the kind of a row or cell, the caption, the sides. */
type Look = { name: keyof typeof words.looks; choices?: readonly (keyof typeof words.choices)[] }

const WIDTH = { name: 'width' } as const
const HEIGHT = { name: 'height' } as const
const ALIGNMENT = { name: 'text-align', choices: ['', 'left', 'center', 'right'] } as const
const COLOURS_AND_BORDER = [
  { name: 'background-color' },
  { name: 'border-width' },
  { name: 'border-style', choices: ['', 'solid', 'dotted', 'dashed', 'double', 'none'] },
  { name: 'border-color' },
] as const
const SIDES = { name: 'side', choices: ['', 'left', 'center', 'right'] } as const
const CAPTION = { name: 'caption', choices: ['', 'caption'] } as const
const ROW_KIND = { name: 'row', choices: ['header', 'body', 'footer'] } as const
const CELL_KIND = { name: 'cell', choices: ['td', 'th'] } as const
const VERTICAL = { name: 'vertical-align', choices: ['', 'top', 'middle', 'bottom'] } as const

const LOOKS: Record<'table' | 'row' | 'cell', readonly Look[]> = {
  table: [WIDTH, HEIGHT, SIDES, CAPTION, ...COLOURS_AND_BORDER],
  row: [ROW_KIND, HEIGHT, ALIGNMENT, ...COLOURS_AND_BORDER],
  cell: [CELL_KIND, WIDTH, ALIGNMENT, VERTICAL, ...COLOURS_AND_BORDER],
}
const SELECTORS = { table: 'table', row: 'tr', cell: 'td,th' }

type Part = keyof typeof LOOKS

export function TableDialog(props: ToolDialogProps) {
  return <LooksDialog {...props} part="table" />
}

export function RowDialog(props: ToolDialogProps) {
  return <LooksDialog {...props} part="row" />
}

export function CellDialog(props: ToolDialogProps) {
  return <LooksDialog {...props} part="cell" />
}

function LooksDialog({ editor, closeAndApply, onClose, part }: ToolDialogProps & { part: Part }) {
  const form = useRef<HTMLDivElement>(null)
  const [start] = useState(() => readLooks(editor, part, findElements(editor, part)[0]))
  const [values, setValues] = useState(start)
  const [wrongName, setWrongName] = useState<string>()
  const change = (name: string) => (value: string) => {
    setValues({ ...values, [name]: value })
    setWrongName(undefined)
  }
  function save() {
    const wrong = LOOKS[part].find(({ name }) => !isPossible(name, values[name] ?? ''))
    if (!wrong)
      return closeAndApply(() =>
        editor.undoManager.transact(() => {
          for (const { name } of LOOKS[part])
            if (values[name] !== start[name])
              apply(editor, findElements(editor, part), name, values[name] ?? '')
        }),
      )
    setWrongName(wrong.name)
    form.current?.querySelector<HTMLElement>(`[name=${wrong.name}]`)?.focus()
  }
  return (
    <FormDialog
      title={words.titles[part]}
      submitLabel={words.save}
      onSubmit={save}
      onClose={onClose}
    >
      <div className="looks" ref={form}>
        {LOOKS[part].map(({ name, choices }) =>
          choices ? (
            <SelectField
              key={name}
              label={words.looks[name]}
              choices={choices.map((value) => [value, words.choices[value]] as const)}
              value={values[name] ?? ''}
              onChange={change(name)}
            />
          ) : (
            <TextField
              key={name}
              name={name}
              label={words.looks[name]}
              error={wrongName === name ? words.impossible : undefined}
              value={values[name] ?? ''}
              onChange={change(name)}
            />
          ),
        )}
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
    LOOKS[part].map(({ name }) => [name, element ? readLook(editor, name, element) : '']),
  )
}

function readLook(editor: Editor, name: Look['name'], element: HTMLElement): string {
  const { style, nodeName, parentElement } = element
  if (name === 'cell') return nodeName.toLowerCase()
  if (name === 'caption') return element.querySelector('caption') ? 'caption' : ''
  if (name === 'row')
    return { THEAD: 'header', TFOOT: 'footer' }[parentElement?.nodeName ?? ''] ?? 'body'
  if (name === 'side')
    return (
      style.float || (style.marginLeft === 'auto' && style.marginRight === 'auto' ? 'center' : '')
    )
  return editor.dom.getStyle(element, name) ?? ''
}

/** A number without a unit means pixels. */
const withUnit = (value: string) => (/^\d+$/.test(value.trim()) ? `${value.trim()}px` : value)

function isPossible(name: Look['name'], value: string): boolean {
  return (
    value.trim() === '' || !/-|^(width|height)$/.test(name) || CSS.supports(name, withUnit(value))
  )
}

function apply(editor: Editor, elements: HTMLElement[], name: Look['name'], value: string): void {
  const { dom } = editor
  if (name === 'caption') editor.execCommand('mceTableToggleCaption')
  else if (name === 'row') editor.execCommand('mceTableRowType', false, { type: value })
  else if (name === 'cell') editor.execCommand('mceTableCellType', false, { type: value })
  else
    for (const element of elements) {
      if (name !== 'side') dom.setStyle(element, name, withUnit(value))
      else {
        for (const style of ['float', 'margin-left', 'margin-right'])
          dom.setStyle(element, style, '')
        if (value) dom.setStyles(element, tableStyles(value as 'left' | 'center' | 'right'))
      }
    }
}
