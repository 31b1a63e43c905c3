// Runs the functions of the head as a page does: as text, with only the globals of a browser.
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { recordEarlyInput } from './early-input.ts'
import { HEAD_SCRIPT, toScript } from './head-script.ts'
import { loadAppOnInteraction } from './load-app-on-interaction.ts'
import { DATE_FORMAT, DATE_LANGUAGE_KEY, showLocalDates, TIME_FORMAT } from './localise-dates.ts'

type Handler = (event: object) => void

/** An element whose `closest` finds only the element itself. */
class FakeElement {
  readonly localName: string
  type = ''
  src = ''
  href = ''
  rel = ''
  className = ''
  textContent = ''
  hidden = false
  dateTime = ''
  dataset: Record<string, string> = {}
  value = ''
  checked = false
  constructor(localName: string, properties: Partial<FakeElement> = {}) {
    this.localName = localName
    Object.assign(this, properties)
  }
  closest(selector: string): FakeElement | null {
    return selector.split(',').includes(this.localName) ? this : null
  }
  setAttribute(): void {}
  remove(): void {}
}
class FakeInput extends FakeElement {}
class FakeScript extends FakeElement {}

/** A browser's globals, which record the effects of the scripts. */
function makeBrowser({
  dataset = {},
  times = [],
  stored = {},
  state = null,
}: {
  dataset?: Record<string, string>
  times?: FakeElement[]
  /** In localStorage. */
  stored?: Record<string, string | null>
  /** Of the history entry. */
  state?: unknown
}) {
  const listeners: { name: string; handler: Handler; signal: AbortSignal | undefined }[] = []
  const appended: FakeElement[] = []
  const prepended: FakeElement[] = []
  function addEventListener(name: string, handler: Handler, options?: { signal?: AbortSignal }) {
    listeners.push({ name, handler, signal: options?.signal })
  }
  const body = Object.assign(new FakeElement('body'), {
    prepend(element: FakeElement) {
      prepended.push(element)
      element.remove = () => void prepended.splice(prepended.indexOf(element), 1)
    },
  })
  const globals = {
    addEventListener,
    Event,
    window: {} as Pick<Window, 'endEarlyInput'>,
    location: { pathname: '/', search: '' },
    history: { state },
    navigator: {},
    localStorage: { getItem: (key: string) => stored[key] ?? null },
    AbortController,
    MutationObserver: class {
      observe() {}
      disconnect() {}
    },
    Element: FakeElement,
    HTMLElement: FakeElement,
    HTMLInputElement: FakeInput,
    HTMLScriptElement: FakeScript,
    document: {
      addEventListener,
      body,
      documentElement: { dataset },
      head: { append: (element: FakeElement) => appended.push(element) },
      createElement: (name: string) =>
        name === 'script' ? new FakeScript(name) : new FakeElement(name),
      querySelectorAll: () => times,
      getElementById: () => null,
    },
  }
  return {
    run: (script: string) => runInNewContext(script, globals),
    body,
    appended,
    prepended,
    endEarlyInput: () => [...(globals.window.endEarlyInput?.() ?? [])],
    /** @returns the methods of the event that the handlers called */
    dispatch(name: string, event: object): string[] {
      const calls: string[] = []
      for (const { handler, signal } of listeners.filter((listener) => listener.name === name)) {
        if (signal?.aborted) continue
        handler({
          type: name,
          preventDefault: () => calls.push('preventDefault'),
          stopPropagation: () => calls.push('stopPropagation'),
          ...event,
        })
      }
      return calls
    },
  }
}

test('the whole script needs nothing but a browser', () => {
  const browser = makeBrowser({ dataset: { theme: 'dark', app: '/main.js', appDeferred: '' } })
  browser.run(HEAD_SCRIPT)
  const field = new FakeInput('input', { value: 'Ann' })
  browser.dispatch('input', { target: field })
  expect(browser.endEarlyInput()).toEqual([[field, { value: 'Ann', checked: false }]])
  browser.dispatch('click', { target: field })
  expect(browser.appended).toMatchObject([{ type: 'module', src: '/main.js' }])
})

describe('before hydration', () => {
  function startRecording() {
    const browser = makeBrowser({})
    browser.run(toScript(recordEarlyInput))
    return browser
  }

  test('fields are recorded in the order of their last input, until the app reads them', () => {
    const browser = startRecording()
    const email = new FakeInput('input')
    const password = new FakeInput('input')
    const box = new FakeInput('input', { type: 'checkbox', checked: true })
    for (const [target, value] of [
      [email, 'a'],
      [password, 'p'],
      [email, 'ann'],
      [box, 'on'],
    ] as const) {
      target.value = value
      browser.dispatch('input', { target })
    }
    const recorded = [
      [password, { value: 'p', checked: false }],
      [email, { value: 'ann', checked: false }],
      [box, { value: 'on', checked: true }],
    ]
    expect(browser.endEarlyInput()).toEqual(recorded)
    browser.dispatch('input', { target: password })
    expect(browser.endEarlyInput()).toEqual(recorded)
  })

  test('the browser handles clicks, but does not submit a form', () => {
    const browser = startRecording()
    expect(browser.dispatch('click', { target: new FakeElement('button') })).toEqual([])
    expect(browser.dispatch('submit', {})).toEqual(['preventDefault'])
    expect(browser.endEarlyInput()).toEqual([])
  })
})

test.each([
  ['of the browser', null, undefined],
  ['that was chosen', 'uk', 'uk'],
  ['of the browser, where an invalid language is stored', 'no language', undefined],
])('dates are written in the language %s when the page is parsed', (_case, stored, language) => {
  const dateTime = '2026-01-05T12:00:00Z'
  const createTime = (date: string) =>
    new FakeElement('time', { dateTime, textContent: '…', dataset: { date } })
  const day = createTime('')
  const dayAndTime = createTime('time')
  const browser = makeBrowser({ times: [day, dayAndTime], stored: { dateLanguage: stored } })
  browser.run(toScript(showLocalDates, DATE_FORMAT, TIME_FORMAT, DATE_LANGUAGE_KEY))
  browser.dispatch('readystatechange', {})
  const localised = (format: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, format).format(new Date(dateTime))
  expect(day.textContent).toBe(localised(DATE_FORMAT))
  expect(dayAndTime.textContent).toBe(localised(TIME_FORMAT))
})

describe('the app', () => {
  const dataset = { app: '/main.js /app.js /app.css', appMissing: 'Not loaded', appDeferred: '' }
  const files = [
    { rel: 'modulepreload', href: '/app.js' },
    { rel: 'stylesheet', href: '/app.css' },
    { type: 'module', src: '/main.js' },
  ]

  test('is loaded once, when the user points at a control', () => {
    const browser = makeBrowser({ dataset })
    browser.run(toScript(loadAppOnInteraction))
    browser.dispatch('pointerover', { target: new FakeElement('p') })
    expect(browser.appended).toEqual([])
    browser.dispatch('pointerover', { target: new FakeElement('a') })
    browser.dispatch('click', { target: new FakeElement('a') })
    expect(browser.appended).toMatchObject(files)
  })

  test.each(['keydown', 'online'])('is loaded by %s alone', (name) => {
    const browser = makeBrowser({ dataset })
    browser.run(toScript(loadAppOnInteraction))
    browser.dispatch(name, { target: browser.body })
    expect(browser.appended).toMatchObject(files)
  })

  test('is loaded at once if the history state has data for it', () => {
    const browser = makeBrowser({ dataset, state: { usr: { reason: 'password-changed' } } })
    browser.run(toScript(loadAppOnInteraction))
    expect(browser.appended, 'until the page is parsed').toEqual([])
    browser.dispatch('DOMContentLoaded', {})
    expect(browser.appended).toMatchObject(files)
  })

  test.each([
    { name: 'without a state', state: null },
    { name: 'with the state of a plain visit', state: { usr: null, key: 'default', idx: 0 } },
  ])('is not loaded at once for a history entry $name', ({ state }) => {
    const browser = makeBrowser({ dataset, state })
    browser.run(toScript(loadAppOnInteraction))
    browser.dispatch('DOMContentLoaded', {})
    expect(browser.appended).toEqual([])
  })

  test('is not loaded again while it is loading', () => {
    const browser = makeBrowser({ dataset: { app: '/main.js', appMissing: 'Not loaded' } })
    browser.run(toScript(loadAppOnInteraction))
    browser.dispatch('click', { target: new FakeElement('button') })
    expect(browser.appended).toEqual([])
  })

  test('that fails to load is announced, and retried once at the next interaction', () => {
    const browser = makeBrowser({ dataset: { app: '/main.js', appMissing: 'Not loaded' } })
    browser.run(toScript(loadAppOnInteraction))
    const entry = new FakeScript('script', { type: 'module' })
    browser.dispatch('error', { target: new FakeElement('img') })
    expect(browser.prepended).toEqual([])
    browser.dispatch('error', { target: entry })
    browser.dispatch('error', { target: entry })
    expect(browser.prepended).toMatchObject([{ textContent: 'Not loaded' }])
    browser.dispatch('keydown', { target: browser.body })
    expect(browser.appended).toMatchObject([{ type: 'module', src: '/main.js' }])
    browser.dispatch('load', { target: entry })
    expect(browser.prepended).toEqual([])
  })
})
