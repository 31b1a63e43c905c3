// Loads the code of footnotes, callouts, task lists and contents (text-objects.ts) when the text
// has one of them or the writer enters it, and locks them in the text from the start.

import type { AstNode, Editor } from 'hugerte'
import { texts } from '../locales/texts.ts'
import { loadWhenOnline } from '../ui/load-code.ts'
import { loadPastedObjects } from './paste-with-objects.ts'

const OBJECTS = '.footnote, .footnotes, .tasks, .task, nav, aside'
/** The items of the menu "Insert", named as the package's own plugins would name them. */
const ITEMS = { footnotes: 'insertFootnote', tableofcontents: 'insertContents' } as const

export function handleTextObjects(editor: Editor): void {
  const load = async () => {
    const part = await loadWhenOnline(async () => await import('./text-objects.ts'))
    if (!editor.removed) part.startTextObjects(editor)
    return part
  }
  editor.on('SetContent', () => {
    if (editor.getBody().querySelector(OBJECTS)) void load()
  })
  // Before the first typed character, which may belong to "[^1]" or "[ ] ".
  editor.once('focus', () => {
    void load()
    void loadPastedObjects()
  })
  for (const [name, insert] of Object.entries(ITEMS))
    editor.ui.registry.addMenuItem(name, {
      text: texts.textObjects[insert],
      async onAction() {
        const part = await load()
        if (!editor.removed) part[insert](editor)
      },
    })
  editor.on('PreInit', () => lockTextObjects(editor))
}

/** Marks of footnotes, the list of notes and contents are atomic; only notes can be edited. */
function lockTextObjects({ parser, serializer }: Editor): void {
  parser.addAttributeFilter('class', (nodes) => {
    for (const node of nodes) {
      if (!/^(?:sup footnote|section footnotes|nav contents)$/.test(nameOf(node))) continue
      node.attr('contenteditable', 'false')
      for (const item of node.name === 'section' ? node.getAll('li') : [])
        if (item.parent?.parent === node) item.attr('contenteditable', 'true')
    }
  })
  // The server adds the links back to the text (api.md §10.4).
  parser.addNodeFilter('a', (links) => {
    for (const link of links) if (nameOf(link) === 'a footnote-back') link.remove()
  })
  serializer.addNodeFilter('sup,section,nav,li', (nodes) => {
    for (const node of nodes) node.attr('contenteditable', null)
  })
}

function nameOf(node: AstNode): string {
  return `${node.name} ${node.attr('class')}`
}
