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
import { insertEmbed, insertGallery, insertLinkCard } from './insert-objects.ts'
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
  /** Absent: always. */
  isOffered?: (editor: Editor) => boolean
}

const INSERTIONS: readonly Insertion[] = [
  {
    id: 'heading',
    Icon: Heading2,
    signs: '##',
    insert: (editor) => editor.execCommand('FormatBlock', false, 'h2'),
  },
  { id: 'picture', Icon: Image, insert: (editor) => editor.execCommand('mceImage') },
  { id: 'gallery', Icon: Images, insert: insertGallery },
  { id: 'code', Icon: Code, signs: '```', insert: (editor) => editor.execCommand('codesample') },
  {
    id: 'table',
    Icon: Table,
    insert: (editor) => editor.execCommand('mceInsertTable', false, NEW_TABLE),
  },
  {
    id: 'quote',
    Icon: Quote,
    signs: '>',
    insert: (editor) => editor.execCommand('mceBlockQuote'),
  },
  {
    id: 'divider',
    Icon: Minus,
    signs: '---',
    insert: (editor) => insertBlock(editor, '<hr>'),
  },
  { id: 'embed', Icon: Play, insert: insertEmbed },
  { id: 'linkCard', Icon: Newspaper, insert: insertLinkCard },
  { id: 'footnote', Icon: Superscript, signs: '[^', insert: insertFootnote },
  {
    id: 'contents',
    Icon: ListTree,
    insert: insertContents,
    isOffered: (editor) => !hasContents(editor),
  },
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
