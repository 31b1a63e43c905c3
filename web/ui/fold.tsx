// A part of a page that is folded until it is wanted.
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

type FoldProps = {
  title: string
  isOpen?: boolean
  onToggle?: (isOpen: boolean) => void
  children: ReactNode
}

/** Opens without scripts, too. */
export function Fold({ title, isOpen, onToggle, children }: FoldProps) {
  return (
    <details
      className="more-way"
      open={isOpen}
      onToggle={({ currentTarget }) => onToggle?.(currentTarget.open)}
    >
      <summary>
        <ChevronRight className="icon icon--small" aria-hidden="true" />
        {title}
      </summary>
      <div className="stack">{children}</div>
    </details>
  )
}
