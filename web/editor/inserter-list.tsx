// Shows the menu of inserter.ts under its line, and the plus beside an empty line. Screen readers
// hear the active entry from a live region: the focus is in the frame of the text.

import type { Editor } from 'hugerte'
import { Plus } from 'lucide-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { texts } from '../locales/texts.ts'
import { IconButton } from '../ui/button.tsx'
import { useAnnounce } from '../ui/live-region.tsx'
import { boxesOf, placeBeside, useFollowingPlace } from './beside-text.ts'
import { Inserter, lineAt, type OpenInserter } from './inserter.ts'
import type { Insertion } from './insertions.ts'
import { isEmptyLine } from './objects.ts'

const PLUS_GAP_PX = 12

export function InserterMenu({ editor }: { editor: Editor }) {
  const [inserter] = useState(() => new Inserter(editor))
  useEffect(() => inserter.listen(), [inserter])
  const open = useSyncExternalStore(inserter.shown.subscribe, inserter.shown.get)
  return (
    <>
      <PlusButton editor={editor} inserter={inserter} isOpen={open !== undefined} />
      {open && <InserterList editor={editor} inserter={inserter} open={open} />}
    </>
  )
}

type PartProps = { editor: Editor; inserter: Inserter }

function InserterList({ editor, inserter, open }: PartProps & { open: OpenInserter }) {
  const { line, sign, query, entries, active } = open
  const list = useRef<HTMLDivElement>(null)
  const announce = useAnnounce()
  const spoken = describe(open)
  useFollowingPlace(editor, list, (part) =>
    placeBeside(editor, part, boxesOf(editor, rangeOf(line)), 'below'),
  )
  useEffect(() => {
    announce(spoken)
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [announce, spoken])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus where it is
    <div
      ref={list}
      className="float inserter"
      // The text keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
    >
      {entries.length === 0 ? (
        <p className="inserter__none">{texts.inserter.none(query.trim())}</p>
      ) : (
        <>
          {sign + query === sign && <p className="inserter__title">{texts.inserter.title}</p>}
          <div role="listbox" aria-label={texts.inserter.open} tabIndex={0}>
            {entries.map((entry, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the text has the focus and its keys
              <div
                key={entry.id}
                role="option"
                aria-selected={index === active}
                tabIndex={-1}
                onPointerMove={() => inserter.activate(index)}
                onClick={() => inserter.choose(entry)}
              >
                <Option {...entry} />
              </div>
            ))}
          </div>
        </>
      )}
    </div>
  )
}

function Option({ id, Icon, signs }: Insertion) {
  const { name, hint } = texts.inserter.entries[id]
  return (
    <>
      <span>
        <Icon className="icon" aria-hidden="true" />
      </span>
      <span>
        {name}
        {hint && <small>{hint}</small>}
      </span>
      {signs && (
        <kbd>
          <span className="visually-hidden">{texts.inserter.orType(signs)}</span>
          <span aria-hidden="true">{signs}</span>
        </kbd>
      )}
    </>
  )
}

function describe({ query, entries, active }: OpenInserter): string {
  const entry = entries[active]
  if (!entry) return texts.inserter.none(query.trim())
  const { name, hint } = texts.inserter.entries[entry.id]
  const parts = [name, hint, entry.signs ? texts.inserter.orType(entry.signs) : '']
  return texts.inserter.active(parts.filter(Boolean), active + 1, entries.length)
}

/**
 * Shown while the caret is in an empty line, or the plus has the focus: left of the line, or at its
 * end where there is no margin.
 */
function PlusButton({ editor, inserter, isOpen }: PartProps & { isOpen: boolean }) {
  const [line, setLine] = useState<HTMLElement | undefined>()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const follow = () => {
      const hasFocus = editor.hasFocus() || document.activeElement === button.current
      const current = hasFocus ? lineAt(editor) : undefined
      setLine(isEmptyLine(current) ? current : undefined)
    }
    const changes = 'input NodeChange SetContent focus blur'
    follow()
    editor.on(changes, follow)
    document.addEventListener('focusin', follow)
    return () => {
      editor.off(changes, follow)
      document.removeEventListener('focusin', follow)
    }
  }, [editor])
  useFollowingPlace(editor, button, ({ offsetWidth, offsetHeight }) => {
    // The text may have been replaced since.
    const { box } = boxesOf(editor, rangeOf(line?.isConnected ? line : editor.getBody()))
    const top = box.top + (box.height - offsetHeight) / 2
    const left = box.left - offsetWidth - PLUS_GAP_PX
    return { left: left < 0 ? box.right - offsetWidth : left, top }
  })
  return (
    line && (
      <div className="inserter-plus" data-over-keyboard>
        <IconButton
          ref={button}
          label={texts.inserter.open}
          title={texts.inserter.open}
          aria-haspopup="listbox"
          aria-expanded={isOpen}
          // The text keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => inserter.open()}
          Icon={Plus}
        />
      </div>
    )
  )
}

function rangeOf(line: HTMLElement): Range {
  const range = line.ownerDocument.createRange()
  range.selectNode(line)
  return range
}
