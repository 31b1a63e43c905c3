// A part of a page that scrolls on its own, also with keys.
import type { ReactNode } from 'react'

type ScrollRegionProps = { className: string; label: string; children: ReactNode }

export function ScrollRegion({ className, label, children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: not every browser lets keys reach it otherwise
    <section className={className} aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
