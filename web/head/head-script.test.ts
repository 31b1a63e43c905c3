// The functions of the head as the page gets them: as text, in a world that has nothing but what a
// browser has.
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { callText, HEAD_SCRIPT } from './head-script.ts'
import { wake } from './load-app-on-interaction.ts'
import { DATE_FORMAT, DATE_LANGUAGE_KEY, showLocalDates, TIME_FORMAT } from './localise-dates.ts'
import { keepEarlyInput } from './replay-input.ts'

type Handler = (event: object) => void

/** An element that finds itself, or the control it is in. */
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
  control: FakeElement | null = null
  constructor(localName: string, given: Partial<FakeElement> = {}) {
    this.localName = localName
    Object.assign(this, given)
  }
  closest(selector: string): FakeElement | null {
    return selector.split(',').includes(this.localName) ? this : null
  }
  setAttribute(): void {}
  remove(): void {}
}
class FakeInput extends FakeElement {}
class FakeLabel extends FakeElement {}
class FakeScript extends FakeElement {}

/** A browser's globals, with what the scripts did to them. */
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
    HTMLLabelElement: FakeLabel,
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
    endEarlyInput: () => globals.window.endEarlyInput?.(),
    /** @returns what the handlers did to the event */
    dispatch(name: string, event: object): string[] {
      const done: string[] = []
      for (const { handler, signal } of listeners.filter((one) => one.name === name)) {
        if (signal?.aborted) continue
        handler({
          type: name,
          preventDefault: () => done.push('prevented'),
          stopPropagation: () => done.push('stopped'),
          ...event,
        })
      }
      return done
    },
  }
}

test('the whole script needs nothing but a browser', () => {
  const browser = makeBrowser({ dataset: { theme: 'dark', app: '/main.js', asleep: '' } })
  browser.run(HEAD_SCRIPT)
  const button = new FakeElement('button')
  expect(browser.dispatch('click', { target: button })).toEqual(['prevented', 'stopped'])
  expect(browser.endEarlyInput()).toEqual([{ press: button }])
  expect(browser.appended).toMatchObject([{ type: 'module', src: '/main.js' }])
})

describe('before hydration', () => {
  function startKeeping() {
    const browser = makeBrowser({})
    browser.run(callText(keepEarlyInput))
    return browser
  }

  test('presses, fields and letters are kept in their order, and no more once the app asks', () => {
    const browser = startKeeping()
    const button = new FakeElement('button')
    const field = new FakeInput('input', { type: 'text' })
    browser.dispatch('click', { target: button })
    browser.dispatch('input', { target: field })
    browser.dispatch('input', { target: field })
    browser.dispatch('keydown', { target: browser.body, key: 'g' })
    const kept = [{ press: button }, { field }, { key: 'g' }]
    expect(browser.endEarlyInput()).toEqual(kept)
    expect(browser.dispatch('click', { target: new FakeElement('button') })).toEqual([])
    expect(browser.endEarlyInput()).toEqual(kept)
  })

  test('a second press on the same control counts once, also after typing', () => {
    const browser = startKeeping()
    const first = new FakeElement('button')
    const second = new FakeElement('button')
    const field = new FakeInput('input', { type: 'text' })
    for (const target of [first, first, second, first]) browser.dispatch('click', { target })
    browser.dispatch('input', { target: field })
    browser.dispatch('click', { target: first })
    expect(browser.endEarlyInput()).toEqual([
      { press: first },
      { press: second },
      { press: first },
      { field },
    ])
  })

  test('a form is not sent by the browser', () => {
    expect(startKeeping().dispatch('submit', {})).toEqual(['prevented'])
  })

  test.each([
    { name: 'a checkbox', target: new FakeInput('input', { type: 'checkbox' }), isKept: true },
    { name: 'a text field', target: new FakeInput('input', { type: 'text' }), isKept: false },
    {
      name: 'the label of a radio button',
      target: new FakeLabel('label', { control: new FakeInput('input', { type: 'radio' }) }),
      isKept: true,
    },
    { name: 'the label of a text field', target: new FakeLabel('label'), isKept: false },
    { name: 'a link', target: new FakeElement('a'), isKept: false },
    { name: 'the document', target: {}, isKept: false },
  ])('of a press on $name: kept $isKept', ({ target, isKept }) => {
    const browser = startKeeping()
    browser.dispatch('click', { target })
    expect(browser.endEarlyInput()).toEqual(isKept ? [{ press: target }] : [])
  })

  test.each([
    { key: 'Enter' },
    { key: ' ' },
    { key: 'a', ctrlKey: true },
    { key: 'a', metaKey: true },
    { key: 'a', altKey: true },
    { key: 'a', target: new FakeInput('input') },
  ])('%j is no letter to keep', (press) => {
    const browser = startKeeping()
    browser.dispatch('keydown', { target: browser.body, ...press })
    expect(browser.endEarlyInput()).toEqual([])
  })
})

test.each([
  ['of the browser', null, undefined],
  ['that was chosen', 'uk', 'uk'],
  ['of the browser, where something else is stored', 'no language', undefined],
])('dates are written in the language %s when the page is parsed', (_case, stored, language) => {
  const dateTime = '2026-01-05T12:00:00Z'
  const write = (date: string) =>
    new FakeElement('time', { dateTime, textContent: '…', dataset: { date } })
  const day = write('')
  const moment = write('time')
  const browser = makeBrowser({ times: [day, moment], stored: { dateLanguage: stored } })
  browser.run(callText(showLocalDates, DATE_FORMAT, TIME_FORMAT, DATE_LANGUAGE_KEY))
  browser.dispatch('readystatechange', {})
  const written = (format: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, format).format(new Date(dateTime))
  expect(day.textContent).toBe(written(DATE_FORMAT))
  expect(moment.textContent).toBe(written(TIME_FORMAT))
})

describe('the app', () => {
  const dataset = { app: '/main.js /app.js /app.css', late: 'Not loaded', asleep: '' }
  const files = [
    { rel: 'modulepreload', href: '/app.js' },
    { rel: 'stylesheet', href: '/app.css' },
    { type: 'module', src: '/main.js' },
  ]

  test('is loaded once, when somebody reaches for a control', () => {
    const browser = makeBrowser({ dataset })
    browser.run(callText(wake))
    browser.dispatch('pointerover', { target: new FakeElement('p') })
    expect(browser.appended).toEqual([])
    browser.dispatch('pointerover', { target: new FakeElement('a') })
    browser.dispatch('click', { target: new FakeElement('a') })
    expect(browser.appended).toMatchObject(files)
  })

  test.each(['keydown', 'online'])('is loaded by %s alone', (name) => {
    const browser = makeBrowser({ dataset })
    browser.run(callText(wake))
    browser.dispatch(name, { target: browser.body })
    expect(browser.appended).toMatchObject(files)
  })

  test('is loaded at once when the history state tells it something', () => {
    const browser = makeBrowser({ dataset, state: { usr: { reason: 'password-changed' } } })
    browser.run(callText(wake))
    expect(browser.appended, 'until the page is parsed').toEqual([])
    browser.dispatch('DOMContentLoaded', {})
    expect(browser.appended).toMatchObject(files)
  })

  test.each([
    { name: 'without a state', state: null },
    { name: 'with the state of a plain visit', state: { usr: null, key: 'default', idx: 0 } },
  ])('waits on an entry $name', ({ state }) => {
    const browser = makeBrowser({ dataset, state })
    browser.run(callText(wake))
    browser.dispatch('DOMContentLoaded', {})
    expect(browser.appended).toEqual([])
  })

  test('that is on its way already is not loaded again', () => {
    const browser = makeBrowser({ dataset: { app: '/main.js', late: 'Not loaded' } })
    browser.run(callText(wake))
    browser.dispatch('click', { target: new FakeElement('button') })
    expect(browser.appended).toEqual([])
  })

  test('that does not come is missed aloud, and tried again once with the next sign', () => {
    const browser = makeBrowser({ dataset: { app: '/main.js', late: 'Not loaded' } })
    browser.run(callText(wake))
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
