// Input into fields before hydration: a script in the head records it, and the app replays it to
// React. Until then clicks have no effect, and the script prevents the browser from submitting
// forms: it would send the password to the page's own address.

type Field = HTMLElement & { value?: string; checked?: boolean }

/** The value of a field after its last input. */
type FieldInput = { value: string | undefined; checked: boolean | undefined }

declare global {
  interface Window {
    /** Stops recording. @returns the fields in the order of their last input */
    endEarlyInput?: () => Map<HTMLElement, FieldInput>
    /** Path and query of the served page: "Back" may change the address before hydration. */
    servedAddress?: string
  }
}

/** Runs in the head (head-script.ts). */
export function recordEarlyInput(): void {
  const inputs = new Map<HTMLElement, FieldInput>()
  const abort = new AbortController()
  const options = { capture: true, signal: abort.signal }
  addEventListener('submit', (event) => event.preventDefault(), options)
  addEventListener(
    'input',
    ({ target }) => {
      if (!(target instanceof HTMLElement)) return
      const { value, checked } = target as Field
      inputs.delete(target)
      inputs.set(target, { value, checked })
    },
    options,
  )
  window.servedAddress = location.pathname + location.search
  window.endEarlyInput = () => {
    abort.abort()
    return inputs
  }
}

/** Call it after hydration. A page without `window.endEarlyInput` counts as hydrated. */
export function replayEarlyInput(): void {
  const inputs = window.endEarlyInput?.() ?? []
  delete window.endEarlyInput
  for (const [field, input] of inputs) whenConnected(field, (current) => enter(current, input))
}

/**
 * Calls `work` with the field, or with the field of the same id that replaces it, now or later:
 * React may re-render the page instead of hydrating it.
 */
function whenConnected(field: HTMLElement, work: (field: HTMLElement) => void): void {
  const find = () => (field.isConnected ? field : document.getElementById(field.id))
  const current = find()
  if (current) work(current)
  if (current || !field.id) return
  const { pathname } = window.location
  const observer = new MutationObserver(() => {
    const isSamePage = window.location.pathname === pathname
    const replacement = find()
    if (isSamePage && !replacement) return
    observer.disconnect()
    if (isSamePage && replacement) work(replacement)
  })
  observer.observe(document, { childList: true, subtree: true })
}

/**
 * React ignores an input event if the field still has the value that React saw last. So the default
 * value is set through the property that React wraps, and the entered value through the prototype's
 * setter.
 */
function enter(field: HTMLElement, { value, checked }: FieldInput): void {
  if (field instanceof HTMLInputElement && /^(checkbox|radio)$/.test(field.type)) {
    field.checked = !checked
    field.click()
    return
  }
  const isText = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
  if (isText && value !== undefined && field.type !== 'file') {
    const { selectionStart, selectionEnd } = field
    const isSame = field.value === value
    field.value = field.defaultValue
    const original = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')
    original?.set?.call(field, value)
    if (isSame && selectionStart !== null)
      field.setSelectionRange(selectionStart, selectionEnd ?? selectionStart)
  } else if (field instanceof HTMLSelectElement && value !== undefined) field.value = value
  // For lists and files React handles `change`.
  for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))
}
