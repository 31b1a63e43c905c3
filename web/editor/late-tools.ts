// The tools of the editor's package that are rarely used: their buttons, menu items and keys are
// there from the beginning, what they open is loaded when it is first asked for.

import hugerte, { type Editor } from 'hugerte'
import { texts } from '../locales/texts.ts'
import { type LatePart, makeLatePart, setUpPlugin } from './late-part.ts'

type LateTool = {
  load: () => Promise<unknown>
  command: string
  /** As the package has it; the real one takes its place. */
  item: { text: string; icon: string; shortcut?: string }
  isToggle?: boolean
  /** What else stands in for it. */
  addMore?: (editor: Editor, part: LatePart) => void
}

const { editorItems: items } = texts
const CHARACTERS = 'charmap'
const NO_WORDS = { wordCount: { words: 0, characters: 0, charactersWithoutSpaces: 0 } }

const TOOLS: Record<string, LateTool> = {
  [CHARACTERS]: {
    load: () => import('hugerte/plugins/charmap/plugin.js'),
    command: 'mceShowCharmap',
    item: { text: items.characters, icon: 'insert-character' },
    addMore: completeCharacters,
  },
  fullscreen: {
    load: () => import('hugerte/plugins/fullscreen/plugin.js'),
    command: 'mceFullScreen',
    item: { text: items.fullscreen, icon: 'fullscreen', shortcut: 'Meta+Shift+F' },
    isToggle: true,
  },
  help: {
    load: async () => {
      await import('hugerte/plugins/help/js/i18n/keynav/en.js')
      await import('hugerte/plugins/help/plugin.js')
    },
    command: 'mceHelp',
    item: { text: items.help, icon: 'help', shortcut: 'Alt+0' },
    addMore: (editor) =>
      editor.ui.registry.addButton('help', {
        icon: 'help',
        tooltip: items.help,
        onAction: () => editor.execCommand('mceHelp'),
      }),
  },
  searchreplace: {
    load: () => import('hugerte/plugins/searchreplace/plugin.js'),
    command: 'SearchReplace',
    item: { text: items.search, icon: 'search', shortcut: 'Meta+F' },
  },
  wordcount: {
    load: () => import('hugerte/plugins/wordcount/plugin.js'),
    command: 'mceWordCount',
    item: { text: items.words, icon: 'character-count' },
    addMore: countOnceWritten,
  },
}

export const LATE_TOOLS = Object.keys(TOOLS)

for (const [name, tool] of Object.entries(TOOLS))
  hugerte.PluginManager.add(name, (editor) => standIn(editor, name, tool))

function standIn(editor: Editor, name: string, tool: LateTool): void {
  const { load, command, item, isToggle, addMore } = tool
  const setUp = () => setUpPlugin(editor, name)
  const part = makeLatePart(editor, { load, setUp, commands: [command] })
  const { registry } = editor.ui
  const shown = { ...item, onAction: () => editor.execCommand(command) }
  if (isToggle) registry.addToggleMenuItem(name, shown)
  else registry.addMenuItem(name, shown)
  if (item.shortcut) editor.addShortcut(item.shortcut, '', command)
  addMore?.(editor, part)
}

/** Offers characters for ":" and the beginning of a name. */
function completeCharacters(editor: Editor, { bring }: LatePart): void {
  editor.ui.registry.addAutocompleter(CHARACTERS, {
    trigger: ':',
    columns: 'auto',
    minChars: 2,
    fetch: async (pattern, count, options) => {
      if (!(await bring())) return []
      const real = editor.ui.registry.getAll().popups[CHARACTERS]
      return (await real?.fetch(pattern, count, options)) ?? []
    },
    onAction: (completer, range, character) => {
      editor.selection.setRng(range)
      editor.insertContent(character)
      completer.hide()
    },
  })
}

/** Words are counted from the first one on. */
function countOnceWritten(editor: Editor, { bring }: LatePart): void {
  const begin = async () => {
    if (!editor.initialized) return
    if (editor.dom.isEmpty(editor.getBody())) editor.dispatch('wordCountUpdate', NO_WORDS)
    else if (await bring()) editor.off('init input SetContent', begin)
  }
  editor.on('init input SetContent', begin)
}
