// What a person does on a page before hydration: kept by a script in the head, repeated once the
// app listens. Without it a press in that moment is lost, and a form would be sent by the browser
// itself, password in the address.

type Field = HTMLElement & { value?: string }

/**
 * A control that was pressed, a field that was typed in and what it held then, a letter that may be
 * a shortcut.
 */
type EarlyInput =
  | { press: HTMLElement }
  | { field: Field; value?: string | undefined }
  | { key: string }

declare global {
  interface Window {
    /** Stops keeping; answers what was kept, in the order it happened. */
    endEarlyInput?: () => EarlyInput[]
    /** Path and query of the page that the server rendered: "Back" may change the address early. */
    servedAddress?: string
  }
}

/**
 * Runs in the head (head-script.ts). A second press on the same control without another one between
 * counts once. Links, fields and what the browser opens need no app: of typing, the app learns what
 * stood in the field at last, which it may have drawn anew meanwhile.
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
  addEventListener(
    'click',
    (event) => {
      const control = findControl(event.target)
      if (!control) return
      event.preventDefault()
      event.stopPropagation()
      if (lastPressed !== control) kept.push({ press: control })
      lastPressed = control
    },
    options,
  )
  addEventListener('submit', (event) => event.preventDefault(), options)
  addEventListener(
    'input',
    ({ target }) => {
      if (!(target instanceof HTMLElement)) return
      const last = kept.at(-1)
      const { value } = target as Field
      if (last && 'field' in last && last.field === target) last.value = value
      else kept.push({ field: target, value })
    },
    options,
  )
  addEventListener(
    'keydown',
    ({ target, key, ctrlKey, metaKey, altKey }) => {
      if (target !== document.body || key.length !== 1 || key === ' ') return
      if (!ctrlKey && !metaKey && !altKey) kept.push({ key })
    },
    options,
  )
  window.servedAddress = location.pathname + location.search
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
    else if ('field' in input) whenThere(input.field, (field) => tell(field, input.value))
    else
      document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key: input.key, bubbles: true, cancelable: true }),
      )
  }
}

/** A page that was not hydrated but drawn anew has other fields, maybe later. */
function whenThere(field: Field, work: (field: Field) => void): void {
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
 * React takes what it finds in a field for what it has heard already, and passes on only what
 * differs: it is given the old value by the property that it watches, and the new one past it.
 */
function tell(field: Field, value: string | undefined): void {
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
  // Of choices and files React hears the second.
  for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, { bubbles: true }))
}
