// The shape of tables: new ones have a header row and equal columns, and equal columns stay equal
// when a column is added or removed.

import type { Editor } from 'hugerte'

const INSERT = 'mceInsertTable'
/** On touch screens the package has a dialog for the size; there the menu inserts this table. */
const INSERT_BY_DIALOG = 'mceInsertTableDialog'
export const NEW_TABLE = { rows: 3, columns: 3 }
const CHANGES_COLUMNS = /^mceTable(?:Insert|Delete|Cut|Paste)Col/
/** The package rounds percentages: widths that differ by less are equal. */
const EQUAL_PERCENT = 1

export function shapeTables(editor: Editor): void {
  let areEqual = false
  editor.on('init', () => {
    const insert = () => editor.execCommand(INSERT, false, NEW_TABLE)
    editor.addCommand(INSERT_BY_DIALOG, insert)
  })
  editor.on('BeforeExecCommand', ({ command, value }) => {
    if (command === INSERT && isInsertTableValue(value))
      value.options = { headerRows: 1, ...value.options }
    if (CHANGES_COLUMNS.test(command)) areEqual = haveEqualWidths(findColumns(editor))
  })
  editor.on(
    'ExecCommand',
    ({ command }) => {
      if (command !== INSERT && !(areEqual && CHANGES_COLUMNS.test(command))) return
      const columns = findColumns(editor)
      for (const column of columns) editor.dom.setStyle(column, 'width', `${100 / columns.length}%`)
    },
    true,
  )
}

type InsertTableValue = { rows: number; columns: number; options?: Record<string, number> }

function isInsertTableValue(value: unknown): value is InsertTableValue {
  return typeof value === 'object' && value !== null && 'rows' in value
}

function findColumns(editor: Editor): HTMLElement[] {
  const table = editor.dom.getParent(editor.selection.getStart(), 'table')
  return table ? [...table.querySelectorAll<HTMLElement>(':scope > colgroup > col')] : []
}

function haveEqualWidths(columns: readonly HTMLElement[]): boolean {
  const percentages = columns.map(({ style }) =>
    style.width.endsWith('%') ? parseFloat(style.width) : NaN,
  )
  return Math.max(...percentages) - Math.min(...percentages) < EQUAL_PERCENT
}
