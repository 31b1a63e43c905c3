// A visitor who only reads a post needs no script: the page is whole. The app comes with the first sign of more than reading, and
// a press that came before it was ready is done again once it is. Knows nothing of the app but how to start it (decision 0011).
import { started } from './started.ts'

const CONTROLS = 'button, input, select, label, summary, [role="button"]'
const SIGNS = ['pointerdown', 'keydown', 'focusin', 'pointerover'] as const

let isAwake = false
let pressed: HTMLElement | undefined
/** A letter that may be a shortcut. */
let struck: KeyboardEvent | undefined

function wake(): void {
  if (isAwake) return
  isAwake = true
  for (const sign of SIGNS) removeEventListener(sign, handleSign)
  void import('./main.tsx')
  void started.then(() => {
    removeEventListener('click', handleClick, true)
    pressed?.click()
    if (struck) document.body.dispatchEvent(new KeyboardEvent('keydown', { key: struck.key, bubbles: true, cancelable: true }))
  })
}

/** Moving over the text or scrolling is reading; reaching for a control is not. Links work by themselves. */
function handleSign(event: Event): void {
  const { type, target } = event
  const isControl = target instanceof Element && target.closest(`${CONTROLS}, a`) !== null
  if (event instanceof KeyboardEvent && target === document.body && isPlainLetter(event)) struck = event
  if (isControl || type === 'keydown') wake()
}

function isPlainLetter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey
}

/** Keeps the last press on a control until somebody listens to it. */
function handleClick(event: Event): void {
  const control = event.target instanceof Element ? event.target.closest<HTMLElement>(CONTROLS) : null
  if (!control) return
  event.preventDefault()
  event.stopPropagation()
  pressed = control
  wake()
}

for (const sign of SIGNS) addEventListener(sign, handleSign, { passive: true })
addEventListener('click', handleClick, true)
