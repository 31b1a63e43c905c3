// The dialogs for the properties of a table, its rows and its cells.

import type { Editor } from 'hugerte'
import { useRef, useState } from 'react'
import { texts } from '../locales/texts.ts'
import { SelectField } from '../ui/field.tsx'
import { FormDialog, TextField } from '../ui/form-dialog.tsx'
import type { ToolDialogProps } from './object-tools.ts'
import { tableStyles } from './table-styles.ts'

const words = texts.tableDialogs

/** A style property, or one of our own: the kind of a row or cell, the caption, the side. */
type Property = keyof typeof words.properties

/** The values of a property; without them, the value is typed. */
const CHOICES: Partial<Record<Property, readonly (keyof typeof words.choices)[]>> = {
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
const PROPERTIES: Record<'table' | 'row' | 'cell', readonly Property[]> = {
  table: ['width', 'height', 'side', 'caption', ...COLOURS_AND_BORDER],
  row: ['row', 'height', 'text-align', ...COLOURS_AND_BORDER],
  cell: ['cell', 'width', 'text-align', 'vertical-align', ...COLOURS_AND_BORDER],
}
const SELECTORS = { table: 'table', row: 'tr', cell: 'td,th' }

type Part = keyof typeof PROPERTIES

type TablePropertiesProps = ToolDialogProps & { part: Part }

export function TableProperties({ editor, closeAndApply, onClose, part }: TablePropertiesProps) {
  const form = useRef<HTMLDivElement>(null)
  const [start] = useState(() => readProperties(editor, part, findElements(editor, part)[0]))
  const [values, setValues] = useState(start)
  const [wrongProperty, setWrongProperty] = useState<Property>()
  const change = (property: Property) => (value: string) => {
    setValues({ ...values, [property]: value })
    setWrongProperty(undefined)
  }
  function save() {
    const wrong = PROPERTIES[part].find((property) => !isPossible(property, values[property] ?? ''))
    if (!wrong)
      return closeAndApply(() =>
        editor.undoManager.transact(() => {
          for (const property of PROPERTIES[part])
            if (values[property] !== start[property])
              apply(editor, findElements(editor, part), property, values[property] ?? '')
        }),
      )
    setWrongProperty(wrong)
    form.current?.querySelector<HTMLElement>(`[name=${wrong}]`)?.focus()
  }
  return (
    <FormDialog
      title={words.titles[part]}
      submitLabel={words.save}
      onSubmit={save}
      onClose={onClose}
    >
      <div className="table-properties" ref={form}>
        {PROPERTIES[part].map((property) => {
          const choices = CHOICES[property]
          const field = {
            label: words.properties[property],
            value: values[property] ?? '',
            onChange: change(property),
          }
          return choices ? (
            <SelectField
              key={property}
              {...field}
              choices={choices.map((value) => [value, words.choices[value]] as const)}
            />
          ) : (
            <TextField
              key={property}
              {...field}
              name={property}
              error={wrongProperty === property && words.impossible}
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

function readProperties(
  editor: Editor,
  part: Part,
  element: HTMLElement | undefined,
): Record<string, string> {
  return Object.fromEntries(
    PROPERTIES[part].map((property) => [
      property,
      element ? readProperty(editor, property, element) : '',
    ]),
  )
}

function readProperty(editor: Editor, property: Property, element: HTMLElement): string {
  const { style, nodeName, parentElement } = element
  if (property === 'cell') return nodeName.toLowerCase()
  if (property === 'caption') return element.querySelector('caption') ? 'caption' : ''
  if (property === 'row')
    return { THEAD: 'header', TFOOT: 'footer' }[parentElement?.nodeName ?? ''] ?? 'body'
  if (property === 'side')
    return (
      style.float || (style.marginLeft === 'auto' && style.marginRight === 'auto' ? 'center' : '')
    )
  return editor.dom.getStyle(element, property) ?? ''
}

/** A number without a unit means pixels. */
const withUnit = (value: string) => (/^\d+$/.test(value.trim()) ? `${value.trim()}px` : value)

function isPossible(property: Property, value: string): boolean {
  return property in CHOICES || value.trim() === '' || CSS.supports(property, withUnit(value))
}

function apply(editor: Editor, elements: HTMLElement[], property: Property, value: string): void {
  const { dom } = editor
  if (property === 'caption') editor.execCommand('mceTableToggleCaption')
  else if (property === 'row') editor.execCommand('mceTableRowType', false, { type: value })
  else if (property === 'cell') editor.execCommand('mceTableCellType', false, { type: value })
  else
    for (const element of elements) {
      if (property !== 'side') dom.setStyle(element, property, withUnit(value))
      else {
        for (const style of ['float', 'margin-left', 'margin-right'])
          dom.setStyle(element, style, '')
        if (value) dom.setStyles(element, tableStyles(value as 'left' | 'center' | 'right'))
      }
    }
}
