// Aids for reading a post, without the app and without React: previews of footnotes, the mark in
// the contents, and the place where somebody stopped reading. A script of its own, in the pages
// of long posts (text-objects.ts); it works on whatever post is shown.

/** Where somebody stopped: a block of the text, found by its words if the text has changed. */
type Place = { path: string; index: number; words: string }

const PLACES_KEY = 'reading-places'
const PLACES_MAX = 50
const WORDS_MAX_CHARS = 60
const HOVER_MS = 300
const LEAVE_MS = 200
const SAVE_MS = 400
const GAP_PIXELS = 6
/** A text shorter than this many windows is read in one go. */
const LONG_WINDOWS = 3
const FOOTNOTE = '.prose .footnote a'

const find = (selector: string) => document.querySelector<HTMLElement>(selector)
const hash = (link: Element) => decodeURIComponent((link.getAttribute('href') ?? '').slice(1))

// --- previews of footnotes

let preview: HTMLElement | undefined
let previewed: Element | undefined
let timer: ReturnType<typeof setTimeout> | undefined

function handleFootnote({ type, target }: Event): void {
  if (!(target instanceof Element)) return
  const link = target.closest(FOOTNOTE)
  if (type === 'focusin') {
    if (link?.matches(':focus-visible')) showPreview(link)
    else hidePreview()
  } else if (link ?? target.closest('.footnote-preview')) {
    clearTimeout(timer)
    if (link && link !== previewed) timer = setTimeout(() => showPreview(link), HOVER_MS)
  } else if (preview && !previewed?.matches(':focus-visible')) {
    clearTimeout(timer)
    timer = setTimeout(hidePreview, LEAVE_MS)
  } else clearTimeout(timer)
}

function showPreview(link: Element): void {
  const note = document.getElementById(hash(link))
  hidePreview()
  if (!note) return
  const box = document.createElement('div')
  box.append(...(note.cloneNode(true) as Element).childNodes)
  for (const element of box.querySelectorAll('.footnote-back')) element.remove()
  for (const element of box.querySelectorAll('[id]')) element.removeAttribute('id')
  Object.assign(box, {
    id: 'footnote-preview',
    className: 'footnote-preview float',
    popover: 'manual',
  })
  box.setAttribute('role', 'tooltip')
  box.dir = getComputedStyle(note).direction
  document.body.append(box)
  box.showPopover()
  link.setAttribute('aria-describedby', box.id)
  preview = box
  previewed = link
  placePreview(box, link)
}

function placePreview(box: HTMLElement, link: Element): void {
  const { left, top, bottom, width } = link.getBoundingClientRect()
  const middle = left + width / 2 - box.offsetWidth / 2
  const above = top - box.offsetHeight - GAP_PIXELS
  const edge = find('.header')?.getBoundingClientRect().bottom ?? 0
  box.style.left = `${Math.max(8, Math.min(middle, innerWidth - box.offsetWidth - 8))}px`
  box.style.top = `${above > edge ? above : bottom + GAP_PIXELS}px`
}

function hidePreview(): void {
  clearTimeout(timer)
  preview?.remove()
  previewed?.removeAttribute('aria-describedby')
  preview = undefined
  previewed = undefined
}

// --- the mark in the contents

function markContents(): void {
  const headings = [...document.querySelectorAll('.prose [id^="h-"]')]
  const edge = innerHeight / 3
  const current = headings.findLast((heading) => heading.getBoundingClientRect().top < edge)?.id
  for (const link of document.querySelectorAll('.contents-list a'))
    if (hash(link) === current) link.setAttribute('aria-current', 'true')
    else link.removeAttribute('aria-current')
}

// --- the place where somebody stopped reading

function readPlaces(): Place[] {
  try {
    return JSON.parse(localStorage.getItem(PLACES_KEY) ?? '[]') as Place[]
  } catch {
    return []
  }
}

const blocksOf = (text: Element) => [...text.children] as HTMLElement[]
const wordsOf = (block: Element) => (block.textContent ?? '').trim().slice(0, WORDS_MAX_CHARS)
const isPost = () => location.pathname.startsWith('/post/')

/** The first window and the end of a text are no places to come back to. */
function savePlace(): void {
  const text = find('.prose')
  if (!text || !isPost()) return
  const { top, bottom, height } = text.getBoundingClientRect()
  if (height < LONG_WINDOWS * innerHeight || top >= 0) return
  const blocks = blocksOf(text)
  const index = blocks.findIndex((block) => block.getBoundingClientRect().bottom > innerHeight / 4)
  const block = blocks[index]
  const path = location.pathname
  const others = readPlaces().filter((place) => place.path !== path)
  const own = block && bottom > innerHeight ? [{ path, index, words: wordsOf(block) }] : []
  const places = [...own, ...others].slice(0, PLACES_MAX)
  try {
    if (places.length > 0) localStorage.setItem(PLACES_KEY, JSON.stringify(places))
    else localStorage.removeItem(PLACES_KEY)
  } catch {
    // Storage is blocked or full: the place is not kept.
  }
}

function findPlace(text: HTMLElement): HTMLElement | undefined {
  const place = readPlaces().find(({ path }) => path === location.pathname)
  if (!place) return undefined
  const blocks = blocksOf(text)
  const sameWords = blocks.filter((block) => wordsOf(block) === place.words)
  const distance = (block: HTMLElement) => Math.abs(blocks.indexOf(block) - place.index)
  return sameWords.toSorted((a, b) => distance(a) - distance(b))[0] ?? blocks[place.index]
}

let offeredPath = ''

/** Offers the place, once for each post that is opened: the page never scrolls by itself. */
function offerPlace(): void {
  if (offeredPath === location.pathname) return
  offeredPath = location.pathname
  const text = find('.prose')
  const target = text && isPost() && !location.hash ? findPlace(text) : undefined
  // This script has no texts: post-article.tsx puts them into the page.
  const { continueReading = '', close = '' } = text?.parentElement?.dataset ?? {}
  if (!target || target.getBoundingClientRect().top < innerHeight) return
  const strip = document.createElement('div')
  strip.className = 'continue-reading float'
  const addButton = (label: string, act: () => void) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.onclick = () => {
      strip.remove()
      act()
    }
    strip.append(button)
    button.textContent = label
    return button
  }
  addButton(continueReading, () => {
    target.scrollIntoView({ block: 'start', behavior: 'instant' })
    target.tabIndex = -1
    target.focus({ preventScroll: true })
  })
  addButton('×', () => {}).ariaLabel = close
  document.body.prepend(strip)
}

function removeOffer(): void {
  find('.continue-reading')?.remove()
}

// --- start

let isMarking = false
let saving: ReturnType<typeof setTimeout> | undefined

function handleScroll(): void {
  // The browser scrolls to a link that gets the focus. A preview that is to come still comes.
  if (preview && previewed?.matches(':hover, :focus-visible')) placePreview(preview, previewed)
  else if (preview) hidePreview()
  clearTimeout(saving)
  saving = setTimeout(savePlace, SAVE_MS)
  // Once the reader goes on, the offer is no longer needed.
  if (scrollY > innerHeight) removeOffer()
  if (isMarking) return
  isMarking = true
  requestAnimationFrame(() => {
    isMarking = false
    markContents()
  })
}

/** "Back", "Forward" and a reload restore the place of their history entry: nothing is offered. */
function isReturn(): boolean {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return entry !== undefined && entry.type !== 'navigate'
}

addEventListener('scroll', handleScroll, { passive: true })
addEventListener('pagehide', savePlace)
for (const type of ['pointerover', 'focusin']) addEventListener(type, handleFootnote)
addEventListener('keydown', ({ key }) => key === 'Escape' && hidePreview())
addEventListener('post-shown', () => requestAnimationFrame(offerPlace))
addEventListener('post-hidden', () => {
  hidePreview()
  removeOffer()
  offeredPath = ''
})
handleScroll()
const pointed = find(`${FOOTNOTE}:is(:hover, :focus-visible)`)
if (pointed) timer = setTimeout(() => showPreview(pointed), HOVER_MS)
if (isReturn()) offeredPath = location.pathname
else offerPlace()

// A module, because the app loads it, too.
export {}
