// What a person enters into fields before hydration: recorded by a script in the head, passed on to
// React once the app listens. Presses in that moment have no effect, and a form is not submitted by
// the browser itself, which would send the password to the page's own address.

type Field = HTMLElement & { value?: string; checked?: boolean }

/** What a field held after the last input. */
type Entered = { value: string | undefined; checked: boolean | undefined }

declare global {
  interface Window {
    /** Stops recording. @returns the fields in the order of their last input */
    endEarlyInput?: () => Map<HTMLElement, Entered>
    /** Path and query of the page that the server rendered: "Back" may change the address early. */
    servedAddress?: string
  }
}

/** Runs in the head (head-script.ts). */
export function recordEarlyInput(): void {
  const entered = new Map<HTMLElement, Entered>()
  const listening = new AbortController()
  const options = { capture: true, signal: listening.signal }
  addEventListener('submit', (event) => event.preventDefault(), options)
  addEventListener(
    'input',
    ({ target }) => {
      if (!(target instanceof HTMLElement)) return
      const { value, checked } = target as Field
      entered.delete(target)
      entered.set(target, { value, checked })
    },
    options,
  )
  window.servedAddress = location.pathname + location.search
  window.endEarlyInput = () => {
    listening.abort()
    return entered
  }
}

/** Call it when the app listens. Once `window.endEarlyInput` is gone, the page is hydrated. */
export function passOnEarlyInput(): void {
  const entered = window.endEarlyInput?.() ?? []
  delete window.endEarlyInput
  for (const [field, input] of entered) whenThere(field, (current) => enter(current, input))
}

/** A page that was rendered again instead of hydrated has other fields, maybe later. */
function whenThere(field: HTMLElement, work: (field: HTMLElement) => void): void {
  const find = () => (field.isConnected ? field : document.getElementById(field.id))
  const found = find()
  if (found) work(found)
  if (found || !field.id) return
  const { pathname } = window.location
  const observer = new MutationObserver(() => {
    const isSamePage = window.location.pathname === pathname
    const late = find()
    if (isSamePage && !late) return
    observer.disconnect()
    if (isSamePage && late) work(late)
  })
  observer.observe(document, { childList: true, subtree: true })
}

/**
 * React takes what it finds in a field for what it knows already, and handles only what differs: it
 * is given another value by the property that it watches, and the entered one past it.
 */
function enter(field: HTMLElement, { value, checked }: Entered): void {
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
    const plain = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')
    plain?.set?.call(field, value)
    if (isSame && selectionStart !== null)
      field.setSelectionRange(selectionStart, selectionEnd ?? selectionStart)
  } else if (field instanceof HTMLSelectElement && value !== undefined) field.value = value
  // React handles `change` of lists and files.
  for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, { bubbles: true }))
}
