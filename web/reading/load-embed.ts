// Loads an embed in its box. From its second time on, the reader may let the device load everything
// from that site at once. Loaded when it is needed.
import { findStored, store } from '../head/device-storage.ts'
import { EMBED_KEY_PREFIX, PLAYER_FRAME } from '../head/page-scripts.ts'
import { texts } from '../locales/texts.ts'

const ALWAYS = 'always'
/** Presses after which the choice is offered. */
const OFFERED_FROM = 2

/** @param button the button of the embed */
export function loadEmbed(button: HTMLElement): void {
  const key = keyOf(button)
  const stored = findStored(key)
  const presses = Number(stored === ALWAYS ? OFFERED_FROM : stored) + 1
  if (stored !== ALWAYS) store(key, String(presses))
  const frame = showFrame(button, presses >= OFFERED_FROM)
  frame.focus()
}

/** Loads the embeds of the sites that the reader has chosen, as they come near the window. */
export function loadChosenEmbeds(text: HTMLElement): void {
  for (const button of text.querySelectorAll<HTMLElement>('[data-frame]'))
    if (findStored(keyOf(button)) === ALWAYS) showFrame(button, true)
}

function keyOf({ dataset }: HTMLElement): string {
  return EMBED_KEY_PREFIX + dataset.host
}

function showFrame(button: HTMLElement, isChoiceOffered: boolean): HTMLIFrameElement {
  const { frame: address = '' } = button.dataset
  const box = button.closest<HTMLElement>('.embed')
  const frame = document.createElement('iframe')
  // The page of the frame restricts what is inside (backend/pages/embed-frame.ts).
  const { sandbox: _sandbox, ...attributes } = PLAYER_FRAME
  for (const [name, value] of Object.entries(attributes)) frame.setAttribute(name, value)
  const title = box?.querySelector('b')?.textContent ?? ''
  Object.assign(frame, { title, loading: 'lazy', src: address })
  box?.querySelector('p + p')?.replaceWith(frame)
  if (isChoiceOffered) button.replaceWith(makeChoice(button))
  else button.remove()
  return frame
}

function makeChoice(button: HTMLElement): HTMLElement {
  const key = keyOf(button)
  const label = document.createElement('label')
  label.className = 'embed__always'
  const box = Object.assign(document.createElement('input'), { type: 'checkbox' })
  box.checked = findStored(key) === ALWAYS
  box.onchange = () => store(key, box.checked ? ALWAYS : String(OFFERED_FROM))
  label.append(box, texts.embed.always(button.dataset.host ?? ''))
  return label
}
