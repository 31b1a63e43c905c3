// How an image on its way looks in the text: a small view of it, its name, how far it is, and a
// button that ends it. Drawn behind a shadow root, so that none of it counts as text: not for the
// caret, the number of words, a search or a copy.

import type { Failure } from '../api/result.ts'
import { texts } from '../locales/texts.ts'
import { progressText } from '../ui/size-text.ts'
import type { ImageStep } from './store-image.ts'
import css from './upload-block.css?inline'

export type UploadState = {
  name: string
  imageUrl: string
  step: ImageStep | undefined
  failure: Failure | undefined
  canRetry: boolean
  onRetry: () => void
  onCancel: () => void
}

/** What the editor would take as meant for the text. */
const KEPT_FROM_THE_EDITOR = ['mousedown', 'click', 'touchstart', 'keydown', 'keypress', 'keyup']

const SVG = 'http://www.w3.org/2000/svg'
const CROSS = ['M18 6 6 18', 'm6 6 12 12']
const AGAIN = [
  'M3 12a9 9 0 0 1 9-9 9.75 9.75 0 0 1 6.74 2.74L21 8',
  'M21 3v5h-5',
  'M21 12a9 9 0 0 1-9 9 9.75 9.75 0 0 1-6.74-2.74L3 16',
  'M8 16H3v5',
]

type Parts = {
  line: HTMLElement
  track: HTMLElement
  bar: HTMLElement
  retry: HTMLButtonElement
  cancel: HTMLButtonElement
}
const drawn = new WeakMap<ShadowRoot, Parts>()

/** Draws the block, or what has changed in it. */
export function drawUploadBlock(block: HTMLElement, state: UploadState): void {
  const root = block.shadowRoot ?? block.attachShadow({ mode: 'open' })
  const parts = drawn.get(root) ?? makeParts(root, state)
  drawn.set(root, parts)
  const { step, failure } = state
  const isLost = step?.step === 'lost' || failure?.code === 0
  parts.line.textContent = lineText(state)
  if (isLost || failure) parts.line.setAttribute('role', 'alert')
  else parts.line.removeAttribute('role')
  const percent =
    step && 'sentBytes' in step ? Math.floor((100 * step.sentBytes) / step.totalBytes) : 0
  parts.track.setAttribute('aria-valuenow', String(percent))
  parts.track.hidden = isLost || failure !== undefined
  parts.bar.style.inlineSize = `${percent}%`
  parts.retry.hidden = !isLost && !state.canRetry
  parts.retry.onclick = state.onRetry
  parts.cancel.onclick = state.onCancel
}

function lineText({ step, failure }: UploadState): string {
  const { lost, waits, prepares, joined } = texts.imagesOnTheirWay
  if (step?.step === 'lost' || failure?.code === 0) return lost
  if (failure) return failure.message
  if (!step || step.step === 'prepare') return prepares
  const change = texts.images.change(step.change)
  return joined(
    change,
    step.step === 'wait' ? waits : progressText(step.sentBytes, step.totalBytes),
  )
}

function makeParts(root: ShadowRoot, { name, imageUrl }: UploadState): Parts {
  const page = root.ownerDocument
  const view = page.defaultView as (Window & typeof globalThis) | null
  if (view) {
    const sheet = new view.CSSStyleSheet()
    sheet.replaceSync(css)
    root.adoptedStyleSheets = [sheet]
  }
  const make = <Name extends keyof HTMLElementTagNameMap>(
    element: Name,
    className: string,
    ...children: (Node | string)[]
  ): HTMLElementTagNameMap[Name] => {
    const one = page.createElement(element)
    one.className = className
    one.append(...children)
    return one
  }
  const image = Object.assign(make('img', ''), { src: imageUrl, alt: '' })
  image.onerror = () => image.remove() // such as a type that the browser cannot open
  const line = make('span', 'line')
  const makeButton = (paths: readonly string[], label: string) =>
    Object.assign(make('button', '', makeIcon(page, paths), label), { type: 'button' })
  const retry = makeButton(AGAIN, texts.actions.tryAgain)
  const cancel = makeButton(CROSS, texts.actions.cancel)
  const bar = make('i', '')
  const track = make('div', 'track', bar)
  for (const [key, value] of Object.entries({
    role: 'progressbar',
    'aria-label': texts.imagesOnTheirWay.upload(name),
    'aria-valuemin': '0',
    'aria-valuemax': '100',
  }))
    track.setAttribute(key, value)
  const buttons = make('div', 'buttons', retry, cancel)
  for (const type of KEPT_FROM_THE_EDITOR)
    buttons.addEventListener(type, (event) => event.stopPropagation())
  root.replaceChildren(
    make(
      'div',
      'box',
      make('div', 'top', image, make('p', '', make('b', '', name), line), buttons),
      track,
    ),
  )
  return { line, track, bar, retry, cancel }
}

function makeIcon(page: Document, paths: readonly string[]): SVGSVGElement {
  const icon = page.createElementNS(SVG, 'svg')
  icon.setAttribute('viewBox', '0 0 24 24')
  icon.setAttribute('aria-hidden', 'true')
  for (const d of paths) {
    const path = page.createElementNS(SVG, 'path')
    path.setAttribute('d', d)
    icon.append(path)
  }
  return icon
}
