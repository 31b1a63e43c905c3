// The contents of a long post: beside the text where there is room, otherwise folded above it. They
// work without scripts; the part being read is marked by reading-aids.ts.
import { ChevronDown, List } from 'lucide-react'
import { texts } from '../locales/texts.ts'
import type { Heading } from './text-objects.ts'

const HEADINGS_MIN = 3

/** @param hasOwn the author put contents into the text: those above it would be double */
export function Contents({ headings, hasOwn }: { headings: Heading[]; hasOwn: boolean }) {
  const { contents, parts } = texts.post
  const count = headings.reduce((sum, { children }) => sum + 1 + children.length, 0)
  if (count < HEADINGS_MIN) return null
  return (
    <>
      <nav className="contents-list contents-rail" aria-label={contents}>
        <div>
          <h2>{contents}</h2>
          <HeadingList headings={headings} />
        </div>
      </nav>
      {!hasOwn && (
        <details className="contents-list contents-fold">
          <summary>
            <List className="icon" aria-hidden="true" />
            <span>
              {contents} <span className="quiet">{parts(headings.length)}</span>
            </span>
            <ChevronDown className="icon" aria-hidden="true" />
          </summary>
          <HeadingList headings={headings} />
        </details>
      )}
    </>
  )
}

function HeadingList({ headings }: { headings: Heading[] }) {
  return (
    <ol>
      {headings.map(({ id, text, children }) => (
        <li key={id}>
          <a href={`#${id}`}>{text}</a>
          {children.length > 0 && <HeadingList headings={children} />}
        </li>
      ))}
    </ol>
  )
}
