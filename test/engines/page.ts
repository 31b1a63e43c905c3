// A page in a browser that Playwright does not drive, used as a person uses it: controls are found
// by role and name, and pressed and typed into by real pointer and key events.
import { expect } from 'vitest'

/** A source of input events and what it does, as both WebDriver protocols describe it. */
export type InputSource = { type: string; id: string; actions: object[]; parameters?: object }

/** The browser of one person, with cookies of its own. Each protocol has its implementation. */
export type Session = AsyncDisposable & {
  navigate(url: string): Promise<void>
  /** Calls a function, given by its source, in the page. Arguments and result are JSON. */
  call(source: string, args: unknown[]): Promise<unknown>
  perform(sources: InputSource[]): Promise<void>
  /** Chooses a file on this machine in a file field. */
  chooseFile(selector: string, path: string): Promise<void>
  /** Errors and warnings of the console, and violations of the content security policy. */
  faults(): string[]
}

export type Engine = AsyncDisposable & { openSession(): Promise<Session> }

type Role = 'button' | 'link' | 'field' | 'menuitem'
type Point = { x: number; y: number }

export const CONTROL = '\uE009'
export const ENTER = '\uE007'
const SHIFT = '\uE008'

const keyDown = (value: string) => ({ type: 'keyDown', value })
const keyUp = (value: string) => ({ type: 'keyUp', value })

export type Page = ReturnType<typeof makePage>

/** Key and pointer events. */
function makeInput(session: Session) {
  const sendKeys = (actions: object[]) =>
    session.perform([{ type: 'key', id: 'keyboard', actions }])

  /** Presses all keys before it releases any of them. */
  const press = (...keys: string[]) =>
    sendKeys([...keys.map(keyDown), ...keys.toReversed().map(keyUp)])

  const type = (text: string) => sendKeys([...text].flatMap((key) => [keyDown(key), keyUp(key)]))

  const clickAt = ({ x, y }: Point) =>
    session.perform([
      {
        type: 'pointer',
        id: 'mouse',
        parameters: { pointerType: 'mouse' },
        actions: [
          { type: 'pointerMove', x, y, duration: 0 },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      },
    ])

  return { press, type, clickAt }
}

/** @returns the first point that is found twice in a row, undefined if there is none in time */
async function waitForStillPoint(
  find: () => Promise<Point | undefined>,
): Promise<Point | undefined> {
  let last: Point | undefined
  let point: Point | undefined
  const isStill = async () => {
    last = point
    point = await find()
    return point !== undefined && point.x === last?.x && point.y === last?.y
  }
  try {
    await expect.poll(isStill).toBe(true)
    return point
  } catch {
    return undefined
  }
}

export function makePage(session: Session, url: string) {
  const { press, type, clickAt } = makeInput(session)

  const evaluate = async <Args extends unknown[], Result>(
    inPage: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>> => (await session.call(String(inPage), args)) as Awaited<Result>

  const waitFor = async (what: string, find: () => Promise<Point | undefined>): Promise<Point> => {
    const point = await waitForStillPoint(find)
    if (point) return point
    throw new Error(`There is no ${what} on ${await evaluate(describeScreen)}`)
  }

  const waitForControl = (role: Role, name: string) =>
    waitFor(`${role} ${name}`, () => evaluate(findControl, role, name))

  return {
    evaluate,
    press,
    type,
    waitForControl,
    open: (path: string) => session.navigate(url + path),

    /** Waits until the app has started. Pages for guests load it at the first key press. */
    async startApp() {
      await press(SHIFT)
      await expect.poll(() => evaluate(() => 'endEarlyInput' in window)).toBe(false)
    },

    async click(role: Role, name: string) {
      await clickAt(await waitForControl(role, name))
    },

    /** Replaces the text of the field by typing. */
    async fill(label: string, text: string) {
      await clickAt(await waitForControl('field', label))
      await press(CONTROL, 'a')
      await type(text)
    },

    /** Types into the editor, which is a page within the page. */
    async fillEditor(text: string) {
      await clickAt(await waitFor('editor', () => evaluate(findEditor)))
      await type(text)
    },

    chooseFile: (selector: string, path: string) => session.chooseFile(selector, path),

    /** Waits until this text is visible. */
    async see(text: string) {
      const readText = () => document.body.innerText.replaceAll('\u00a0', ' ')
      await expect.poll(() => evaluate(readText)).toContain(text)
    },

    async seeTitle(text: string) {
      await expect.poll(() => evaluate(() => document.querySelector('h1')?.innerText)).toBe(text)
    },

    async seeAddress(path: RegExp) {
      await expect.poll(() => evaluate(() => location.pathname)).toMatch(path)
    },

    /** Waits until the image is loaded. @returns its width, 0 if it cannot be shown */
    async drawnWidth(selector: string): Promise<number> {
      await expect.poll(() => evaluate(isImageComplete, selector), { message: selector }).toBe(true)
      return await evaluate(widthOfImage, selector)
    },
  }
}

// The functions below run in the page and use nothing from outside themselves.

function describeScreen(): string {
  return `${location.href}:\n${document.body.innerText}`
}

function findControl(role: Role, name: string): Point | undefined {
  const selectors = {
    button: 'button, [role=button]',
    link: 'a[href]',
    field: 'input, textarea, select',
    menuitem: '[role=menuitem]',
  }
  const textOf = (element: Element | null): string => {
    const copy = element?.cloneNode(true) as Element | undefined
    for (const hidden of copy?.querySelectorAll('[aria-hidden=true]') ?? []) hidden.remove()
    for (const part of copy?.querySelectorAll('*') ?? []) part.before(' ')
    return copy?.textContent.replace(/\s+/g, ' ').trim() ?? ''
  }
  const nameOf = (element: HTMLElement): string => {
    const labels = 'labels' in element ? [...((element as HTMLInputElement).labels ?? [])] : []
    const label = element.getAttribute('aria-label') ?? labels.map(textOf).join(' ')
    return label || textOf(element)
  }
  for (const element of document.querySelectorAll<HTMLElement>(selectors[role])) {
    if (nameOf(element) !== name) continue
    const { x, y, width, height } = element.getBoundingClientRect()
    const point = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) }
    const top = document.elementFromPoint(point.x, point.y)
    if (width > 0 && top && element.contains(top)) return point
    // It is found where it has come to lie. What can be seen is not moved before a click.
    element.scrollIntoView({ block: 'center', behavior: 'instant' })
  }
  return undefined
}

function findEditor(): Point | undefined {
  const frame = document.querySelector<HTMLIFrameElement>('iframe.tox-edit-area__iframe')
  if (frame?.contentDocument?.body.isContentEditable !== true) return undefined
  frame.scrollIntoView({ block: 'center', behavior: 'instant' })
  const { x, y } = frame.getBoundingClientRect()
  const point = { x: Math.round(x + 40), y: Math.round(y + 30) }
  // A placeholder covers the editor until it is ready.
  return document.elementFromPoint(point.x, point.y) === frame ? point : undefined
}

function isImageComplete(selector: string): boolean {
  const image = document.querySelector<HTMLImageElement>(selector)
  image?.scrollIntoView({ block: 'center', behavior: 'instant' })
  return image?.complete === true
}

function widthOfImage(selector: string): number {
  return document.querySelector<HTMLImageElement>(selector)?.naturalWidth ?? 0
}
