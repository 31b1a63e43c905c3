/// <reference path="./jsdom.d.ts" />
// A jsdom window for rules that work on a document, without loading, drawing or layout. Its names
// are global while a test file runs and are removed afterwards, because files share their worker.
import { JSDOM } from 'jsdom'
import { afterAll, beforeAll } from 'vitest'

export const SITE = 'https://blog.example'
/** Globals of Node that are replaced, because they do not work with the document. */
const REPLACED = ['Event', 'CustomEvent', 'window', 'document', 'location', 'navigator']

/** Shared by all files of a worker: packages hold references to the window of their import. */
let sharedWindow: (Window & typeof globalThis) | undefined

/** Defines the names of a window as globals while the tests of a file run. */
export function withWindow(): void {
  const before = new Map<string, PropertyDescriptor | undefined>()
  const timers: NodeJS.Timeout[] = []
  const setGlobal = (name: string, value: unknown): void => {
    before.set(name, Object.getOwnPropertyDescriptor(globalThis, name))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  }
  beforeAll(() => {
    sharedWindow ??= makeWindow()
    const names = Object.getOwnPropertyNames(sharedWindow).filter((name) => !(name in globalThis))
    for (const name of new Set([...REPLACED, ...names]))
      setGlobal(name, Reflect.get(sharedWindow, name))
    // Timers that are still pending at the end are cleared: they would find no window.
    for (const name of ['setTimeout', 'setInterval'] as const) {
      const start = globalThis[name]
      setGlobal(name, (act: () => void, ms?: number) => {
        const timer = start(act, ms)
        timers.push(timer)
        return timer
      })
    }
  })
  afterAll(async () => {
    // The window dispatches selection changes asynchronously.
    await new Promise((done) => setTimeout(done))
    for (const timer of timers) clearTimeout(timer)
    sharedWindow?.document.body.replaceChildren()
    for (const [name, descriptor] of before)
      if (descriptor) Object.defineProperty(globalThis, name, descriptor)
      else Reflect.deleteProperty(globalThis, name)
  })
}

function makeWindow(): Window & typeof globalThis {
  const { window } = new JSDOM('<!doctype html>', { url: `${SITE}/` })
  fakeLayout(window)
  fakeEditing(window)
  return window
}

/** Every element is visible, and all have the same box. */
function fakeLayout(window: Window & typeof globalThis): void {
  const box = () => new window.DOMRect(0, 0, 1, 1)
  for (const { prototype } of [window.Element, window.Range])
    Object.assign(prototype, { getBoundingClientRect: box, getClientRects: () => [box()] })
  Object.assign(window.Element.prototype, { scrollIntoView: () => {} })
  const observe = class {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  }
  Object.assign(window, {
    matchMedia: () => Object.assign(new window.EventTarget(), { matches: false }),
    ResizeObserver: observe,
    scrollTo: () => {},
    requestAnimationFrame: (draw: () => void) => setTimeout(draw),
    cancelAnimationFrame: (timer: NodeJS.Timeout) => clearTimeout(timer),
    DataTransfer: FakeDataTransfer,
  })
}

function fakeEditing(window: Window & typeof globalThis): void {
  const { HTMLElement, InputEvent, document } = window
  Object.assign(InputEvent.prototype, { getTargetRanges: () => [] })
  // The editor leaves deleting the selection to the browser.
  Object.assign(document, {
    execCommand: (name: string) => {
      if (/delete$/i.test(name)) window.getSelection()?.getRangeAt(0).deleteContents()
    },
  })
  Object.defineProperties(HTMLElement.prototype, {
    contentEditable: {
      get(this: HTMLElement) {
        return this.getAttribute('contenteditable') ?? 'inherit'
      },
      set(this: HTMLElement, value: string) {
        this.setAttribute('contenteditable', value)
      },
    },
    isContentEditable: {
      get(this: HTMLElement) {
        return this.closest('[contenteditable]')?.getAttribute('contenteditable') === 'true'
      },
    },
  })
}

/** Clipboard data: texts by type. */
class FakeDataTransfer {
  readonly files: readonly File[] = []
  readonly items: readonly unknown[] = []
  private readonly texts = new Map<string, string>()

  get types(): string[] {
    return [...this.texts.keys()]
  }

  setData(type: string, text: string): void {
    this.texts.set(type, text)
  }

  getData(type: string): string {
    return this.texts.get(type) ?? ''
  }
}
