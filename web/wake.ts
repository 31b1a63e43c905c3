// A visitor who only reads a post needs no script: the page is whole. The app comes with the first sign of more than reading; what
// was pressed meanwhile is kept by the script in the head. Knows nothing of the app but how to start it (decision 0011).
import { hasEarlyInput } from './early-input.ts'

const CONTROLS = 'a, button, input, select, label, summary, [role="button"]'
const SIGNS = ['pointerdown', 'keydown', 'focusin', 'pointerover', 'click'] as const

function wake(): void {
  for (const sign of SIGNS) removeEventListener(sign, handleSign, true)
  void import('./main.tsx')
}

/** Moving over the text or scrolling is reading; reaching for a control is not. */
function handleSign({ type, target }: Event): void {
  if (type === 'keydown' || (target instanceof Element && target.closest(CONTROLS))) wake()
}

if (hasEarlyInput()) wake()
else for (const sign of SIGNS) addEventListener(sign, handleSign, { capture: true, passive: true })
