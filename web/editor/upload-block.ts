// The block of a running upload in the text: a thumbnail, the name, the progress, and a button that
// cancels it. Rendered in a shadow root, so that none of it is text for the caret, the word count,
// the search or a copy.

import type { Failure } from '../api/client.ts'
import { texts } from '../locales/texts.ts'
import { progressText } from '../ui/format-bytes.ts'
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

/** Events that the editor would handle as events of the text. */
const STOPPED_EVENTS = ['mousedown', 'click', 'touchstart', 'keydown', 'keypress', 'keyup']

const ICON = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="'
const CROSS = `${ICON}M18 6 6 18M6 6l12 12"/></svg>`
const RETRY = `${ICON}M3 12a9 9 0 0 1 9-9 9.75 9.75 0 0 1 6.74 2.74L21 8M21 3v5h-5M21 12a9 9 0 0 1-9 9 9.75 9.75 0 0 1-6.74-2.74L3 16M8 16H3v5"/></svg>`
const BOX = `<div class="box">
<div class="top">
<img alt=""><p><b></b><span class="line"></span></p>
<div class="buttons"><button type="button">${RETRY}</button><button type="button">${CROSS}</button></div>
</div>
<div class="track" role="progressbar" aria-valuemin="0" aria-valuemax="100"><i></i></div>
</div>`

/** Renders the block, or updates it. */
export function drawUploadBlock(block: HTMLElement, state: UploadState): void {
  const root = block.shadowRoot ?? makeBox(block, state)
  const find = <Match extends Element>(selector: string) => root.querySelector(selector) as Match
  const { step, failure } = state
  const isLost = step?.step === 'lost' || failure?.code === 0
  const status = find('.line')
  status.textContent = statusText(state)
  status.role = isLost || failure ? 'alert' : null
  const percent =
    step && 'sentBytes' in step ? Math.floor((100 * step.sentBytes) / step.totalBytes) : 0
  const track = find<HTMLElement>('.track')
  track.ariaValueNow = String(percent)
  track.hidden = isLost || failure !== undefined
  find<HTMLElement>('i').style.inlineSize = `${percent}%`
  const retry = find<HTMLButtonElement>('button')
  retry.hidden = !isLost && !state.canRetry
  retry.onclick = state.onRetry
  find<HTMLButtonElement>('button + button').onclick = state.onCancel
}

function statusText({ step, failure }: UploadState): string {
  const { lost, waits, prepares, joined } = texts.imageUploads
  if (step?.step === 'lost' || failure?.code === 0) return lost
  if (failure) return failure.message
  if (!step || step.step === 'prepare') return prepares
  const change = texts.images.change(step.change)
  return joined(
    change,
    step.step === 'wait' ? waits : progressText(step.sentBytes, step.totalBytes),
  )
}

function makeBox(block: HTMLElement, { name, imageUrl }: UploadState): ShadowRoot {
  const root = block.attachShadow({ mode: 'open' })
  root.innerHTML = BOX
  const view = block.ownerDocument.defaultView as (Window & typeof globalThis) | null
  if (view) {
    const sheet = new view.CSSStyleSheet()
    sheet.replaceSync(css)
    root.adoptedStyleSheets = [sheet]
  }
  for (const image of root.querySelectorAll('img')) {
    image.onerror = () => image.remove() // for example, the browser cannot open its type
    image.src = imageUrl
  }
  root.querySelector('b')?.append(name)
  root.querySelector('.track')?.setAttribute('aria-label', texts.imageUploads.upload(name))
  const [retry, cancel] = root.querySelectorAll('button')
  retry?.append(texts.actions.tryAgain)
  cancel?.append(texts.actions.cancel)
  for (const type of STOPPED_EVENTS)
    root.querySelector('.buttons')?.addEventListener(type, (event) => event.stopPropagation())
  return root
}
