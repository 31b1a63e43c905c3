// What a person does on a page before hydration: kept by a script in the head, repeated once the
// app listens. Without it a press in that moment is lost, and a form would be sent by the browser
// itself, password in the address.

/** A control that was pressed, a field that was typed in, a letter that may be a shortcut. */
type EarlyInput = { press: HTMLElement } | { field: HTMLElement } | { key: string }

declare global {
  interface Window {
    /** Stops keeping; answers what was kept, in the order it happened. */
    endEarlyInput?: () => EarlyInput[]
  }
}

/**
 * Runs in the head (head-script.ts). A second press on the same control without another one between
 * counts once. Links, fields and what the browser opens need no app: of typing, the app only learns
 * that it happened.
 */
export function keepEarlyInput(): void {
  const kept: EarlyInput[] = []
  const listening = new AbortController()
  const options = { capture: true, signal: listening.signal }
  let lastPressed: HTMLElement | undefined

  function isBox(control: Element | null): boolean {
    return control instanceof HTMLInputElement && /^(checkbox|radio)$/.test(control.type)
  }
  function findControl(target: EventTarget | null): HTMLElement | undefined {
    const control =
      target instanceof Element
        ? target.closest<HTMLElement>('button,input,label,[role=button]')
        : null
    if (!control) return undefined
    if (control instanceof HTMLLabelElement) return isBox(control.control) ? control : undefined
    return control instanceof HTMLInputElement && !isBox(control) ? undefined : control
  }
  function keepPress(event: Event) {
    const control = findControl(event.target)
    if (!control) return
    event.preventDefault()
    event.stopPropagation()
    if (lastPressed !== control) kept.push({ press: control })
    lastPressed = control
  }
  function keepField({ target }: Event) {
    const last = kept.at(-1)
    if (!(target instanceof HTMLElement) || (last && 'field' in last && last.field === target))
      return
    kept.push({ field: target })
  }
  function keepLetter({ target, key, ctrlKey, metaKey, altKey }: KeyboardEvent) {
    if (target !== document.body || key.length !== 1 || key === ' ') return
    if (!ctrlKey && !metaKey && !altKey) kept.push({ key })
  }
  addEventListener('click', keepPress, options)
  addEventListener('submit', (event) => event.preventDefault(), options)
  addEventListener('input', keepField, options)
  addEventListener('keydown', keepLetter, options)
  window.endEarlyInput = () => {
    listening.abort()
    return kept
  }
}

/** Call it when the app listens. Once `window.endEarlyInput` is gone, the page is hydrated. */
export function replayEarlyInput(): void {
  const kept = window.endEarlyInput?.() ?? []
  delete window.endEarlyInput
  for (const input of kept) {
    if ('press' in input) input.press.click()
    else if ('field' in input) input.field.dispatchEvent(new Event('input', { bubbles: true }))
    else
      document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key: input.key, bubbles: true, cancelable: true }),
      )
  }
}
