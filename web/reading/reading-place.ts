// The paragraph at the top of the window, so that it stays there when the text is replaced.

type Place = { text: string; at: number; topPixels: number }

const BLOCKS = '#post-title, .prose > *'
const COVERS = '.header, .strips'

/** @returns undefined without a post on the page */
export function findPlace(): Place | undefined {
  const edge = Math.max(
    0,
    ...Array.from(document.querySelectorAll(COVERS), (one) => one.getBoundingClientRect().bottom),
  )
  const blocks = Array.from(document.querySelectorAll(BLOCKS))
  const found = blocks.findIndex((block) => block.getBoundingClientRect().bottom > edge)
  const at = found < 0 ? blocks.length - 1 : found
  const block = blocks[at]
  return block && { text: textOf(block), at, topPixels: block.getBoundingClientRect().top }
}

/** Scrolls the same paragraph, or what is in its place now, to where it was, and focuses it. */
export function returnTo({ text, at, topPixels }: Place): void {
  const blocks = Array.from(document.querySelectorAll<HTMLElement>(BLOCKS))
  const same = blocks
    .filter((block) => textOf(block) === text)
    .toSorted((one, other) => distance(blocks, one, at) - distance(blocks, other, at))
  const block = (text && same[0]) || blocks[Math.min(at, blocks.length - 1)]
  if (!block) return
  const top = block.getBoundingClientRect().top
  window.scrollBy({ top: top - topPixels, behavior: 'instant' })
  block.tabIndex = -1
  block.focus({ preventScroll: true })
}

function textOf(block: Element): string {
  return block.textContent?.trim() ?? ''
}

function distance(blocks: Element[], block: Element, at: number): number {
  return Math.abs(blocks.indexOf(block) - at)
}
