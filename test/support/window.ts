/// <reference path="./jsdom.d.ts" />
// A window for rules that work on a document, in Node: nothing is loaded, drawn or measured. Its
// names are global while a test file runs and gone afterwards: files share their worker.
import { JSDOM } from 'jsdom'
import { afterAll, beforeAll } from 'vitest'

export const SITE = 'https://blog.example'
/** Node has some of its own, which know nothing of the document. */
const REPLACED = ['Event', 'CustomEvent', 'window', 'document', 'location', 'navigator']

/** One for all files of a worker: packages keep the window they were loaded in. */
let sharedWindow: (Window & typeof globalThis) | undefined

/** Gives the tests of a file the names of a window, from before the first until after the last. */
export function withWindow(): void {
  const before = new Map<string, PropertyDescriptor | undefined>()
  const timers: NodeJS.Timeout[] = []
  const setGlobal = (name: string, value: unknown): void => {
    before.set(name, Object.getOwnPropertyDescriptor(globalThis, name))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  }
  beforeAll(() => {
    sharedWindow ??= makeWindow()
    const own = Object.getOwnPropertyNames(sharedWindow).filter((name) => !(name in globalThis))
    for (const name of new Set([...REPLACED, ...own]))
      setGlobal(name, Reflect.get(sharedWindow, name))
    // What waits when the file ends would find no window.
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
    // The window tells of each change of a selection a moment later.
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

/** Everything is shown, and nothing has a place of its own. */
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
  // The package leaves to the browser what it has no rule for itself: to delete what is selected.
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

/** What lies on the clipboard: texts, by type. */
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
