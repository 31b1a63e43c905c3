// What the inserter offers (inserter.ts): each entry inserts one kind of block at the caret, which
// is in an empty line.

import type { Editor } from 'hugerte'
import {
  Code,
  Heading2,
  Image,
  Images,
  ListTodo,
  ListTree,
  type LucideIcon,
  Minus,
  Newspaper,
  Play,
  Quote,
  StickyNote,
  Superscript,
  Table,
} from 'lucide-react'
import { texts } from '../locales/texts.ts'
import { insertBlock } from './insert-block.ts'
import { OPEN_GALLERY, OPEN_LINK_CARD, OPEN_MEDIA } from './insert-objects.ts'
import { NEW_TABLE } from './table-shape.ts'
import {
  hasContents,
  insertCallout,
  insertContents,
  insertFootnote,
  insertTaskList,
} from './text-objects.ts'

export type Insertion = {
  id: keyof typeof texts.inserter.entries
  Icon: LucideIcon
  /** The Markdown that does the same. */
  signs?: string
  insert: (editor: Editor) => void
  /** If absent, the entry is always offered. */
  isOffered?: (editor: Editor) => boolean
}

/** Opens a dialog, or inserts a block at once. */
function run(command: string, value?: unknown) {
  return (editor: Editor) => void editor.execCommand(command, false, value)
}

const insertDivider = (editor: Editor) => void insertBlock(editor, '<hr>')
const isWithoutContents = (editor: Editor) => !hasContents(editor)

const INSERTIONS: readonly Insertion[] = [
  { id: 'heading', Icon: Heading2, signs: '##', insert: run('FormatBlock', 'h2') },
  { id: 'picture', Icon: Image, insert: run('mceImage') },
  { id: 'gallery', Icon: Images, insert: run(OPEN_GALLERY) },
  { id: 'code', Icon: Code, signs: '```', insert: run('codesample') },
  { id: 'table', Icon: Table, insert: run('mceInsertTable', NEW_TABLE) },
  { id: 'quote', Icon: Quote, signs: '>', insert: run('mceBlockQuote') },
  { id: 'divider', Icon: Minus, signs: '---', insert: insertDivider },
  { id: 'embed', Icon: Play, insert: run(OPEN_MEDIA) },
  { id: 'linkCard', Icon: Newspaper, insert: run(OPEN_LINK_CARD) },
  { id: 'footnote', Icon: Superscript, signs: '[^', insert: insertFootnote },
  { id: 'contents', Icon: ListTree, insert: insertContents, isOffered: isWithoutContents },
  { id: 'callout', Icon: StickyNote, insert: insertCallout },
  { id: 'tasks', Icon: ListTodo, signs: '[ ]', insert: insertTaskList },
]

/** The entries with a word that begins with the query; first those whose name begins with it. */
export function findInsertions(editor: Editor, query: string): readonly Insertion[] {
  const wanted = query.trim().toLowerCase()
  const namesOf = ({ id }: Insertion) => {
    const { name, otherNames } = texts.inserter.entries[id]
    return `${name} ${otherNames}`.toLowerCase()
  }
  const matches = INSERTIONS.filter(
    (entry) => ` ${namesOf(entry)}`.includes(` ${wanted}`) && entry.isOffered?.(editor) !== false,
  )
  return matches.sort(
    (first, second) =>
      Number(namesOf(second).startsWith(wanted)) - Number(namesOf(first).startsWith(wanted)),
  )
}
