// The dialogs of the editor's package: the build takes them out of its theme
// (scripts/editor-dialogs.ts), and they are loaded when the first one opens.

import type { Editor } from 'hugerte'
import { makeLatePart } from './late-part.ts'

const OPENING = [
  ...['mceCodeEditor', 'mceHelp', 'mceListProps', 'mceMedia', 'mcePreview', 'mceShowCharmap'],
  ...['mceInsertTableDialog', 'mceTableCellProps', 'mceTableProps', 'mceTableRowProps'],
  ...['mceWordCount', 'SearchReplace'],
]

export function openDialogsLate(editor: Editor): void {
  editor.on('PreInit', () => {
    const manager = editor.windowManager
    const { open, alert, confirm } = manager
    const { bring } = makeLatePart(editor, {
      load: () => import('virtual:editor-dialogs'),
      setUp: () => Object.assign(manager, { open, alert, confirm }),
      commands: OPENING,
    })
    // What opens without a command (another colour, a warning) never asks what became of it.
    const openLate = (act: () => void) => void bring().then((came) => came && act())
    Object.assign(manager, {
      open: (...given: Parameters<typeof open>) => openLate(() => open(...given)),
      alert: (...given: Parameters<typeof alert>) => openLate(() => alert(...given)),
      confirm: (...given: Parameters<typeof confirm>) => openLate(() => confirm(...given)),
    })
  })
}
