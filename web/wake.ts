// A visitor who only reads a post needs no script: the page is whole. The app comes with the first sign of more than reading, and
// a press that came before it was ready is done again once it is. Knows nothing of the app but how to start it (decision 0011).
import { started } from './started.ts'

const CONTROLS = 'button, input, select, label, summary, [role="button"]'
const SIGNS = ['pointerdown', 'keydown', 'focusin', 'pointerover'] as const

let isAwake = false
let pressed: HTMLElement | undefined

function wake(): void {
  if (isAwake) return
  isAwake = true
  for (const sign of SIGNS) removeEventListener(sign, handleSign)
  void import('./main.tsx')
  void started.then(() => {
    removeEventListener('click', handleClick, true)
    pressed?.click()
  })
}

/** Moving over the text or scrolling is reading; reaching for a control is not. Links work by themselves. */
function handleSign({ type, target }: Event): void {
  const isControl = target instanceof Element && target.closest(`${CONTROLS}, a`) !== null
  if (isControl || type === 'keydown') wake()
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
