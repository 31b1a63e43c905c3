// Tables: what works on them is loaded when a text has one, or when somebody is about to make one.

import hugerte, { type Editor } from 'hugerte'
import { texts } from '../locales/texts.ts'
import { makeLatePart, setUpPlugin } from './late-part.ts'

/** The package's name of what works on tables. */
const MODEL = 'dom'
export const TABLES = 'table'
export const TABLE_TOOLS =
  'tableprops tabledelete | tableinsertrowbefore tableinsertrowafter tabledeleterow | tableinsertcolbefore tableinsertcolafter tabledeletecol'

const INSERT = 'mceInsertTable'
const INSERT_BY_DIALOG = 'mceInsertTableDialog'
const { editorItems: items } = texts

hugerte.ModelManager.add(MODEL, () => ({
  table: { getSelectedCells: () => [], clearSelectedCells: () => {} },
}))
hugerte.PluginManager.add(TABLES, standIn)

function standIn(editor: Editor): void {
  let icons: Record<string, string> = {}
  const { bring, isThere } = makeLatePart(editor, {
    load: async () => {
      icons = (await import('./tables.ts')).TABLE_ICONS
    },
    setUp: () => {
      for (const [name, svg] of Object.entries(icons)) editor.ui.registry.addIcon(name, svg)
      const model = hugerte.ModelManager.get(MODEL)
      if (model) editor.model = model(editor, '')
      setUpPlugin(editor, TABLES)
    },
    commands: [INSERT, INSERT_BY_DIALOG],
  })
  editor.on('init SetContent', () => {
    if (editor.initialized && editor.getBody().querySelector('table')) void bring()
  })
  addItems(editor, bring)
  editor.ui.registry.addContextToolbar(TABLES, {
    predicate: (element) =>
      isThere() && element.matches('table') && editor.dom.isEditable(element.parentNode),
    items: TABLE_TOOLS,
    scope: 'node',
    position: 'node',
  })
}

/** A table to insert; what works on one that is there waits for it. */
function addItems(editor: Editor, bring: () => Promise<boolean>): void {
  const { registry } = editor.ui
  const table = { text: items.table, icon: 'table' }
  const insertByDialog = () => editor.execCommand(INSERT_BY_DIALOG)
  if (hugerte.Env.deviceType.isTouch())
    registry.addMenuItem('inserttable', { ...table, onAction: insertByDialog })
  else
    registry.addNestedMenuItem('inserttable', {
      ...table,
      getSubmenuItems: () => {
        void bring()
        return [
          {
            type: 'fancymenuitem',
            fancytype: 'inserttable',
            onAction: ({ numRows, numColumns }) =>
              editor.execCommand(INSERT, false, { rows: numRows, columns: numColumns }),
          },
        ]
      },
    })
  for (const name of ['cell', 'row', 'column'] as const)
    registry.addNestedMenuItem(name, {
      text: items[name],
      enabled: false,
      getSubmenuItems: () => [],
    })
  for (const name of ['tableprops', 'deletetable'] as const)
    registry.addMenuItem(name, { text: items[name], enabled: false, onAction: () => {} })
}
