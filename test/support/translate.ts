// Imitates a browser's page translation: every text node, including those added later, is replaced
// with two nested <font> elements.
import type { Page } from '@playwright/test'

/** Translates the open page now and whenever it changes. */
export async function translate(page: Page): Promise<void> {
  await page.evaluate(replaceTexts)
}

/** Runs in the page. */
function replaceTexts(): void {
  const untranslated =
    '[translate=no], .notranslate, [contenteditable=true], svg, textarea, option, script'
  function replaceIn(root: Node): void {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    for (const text of texts) {
      const parent = text.parentElement
      if (!parent || !text.data.trim() || parent.closest(`font, style, noscript, ${untranslated}`))
        continue
      const outer = document.createElement('font')
      const inner = document.createElement('font')
      inner.textContent = `ü${text.data}`
      outer.append(inner)
      text.replaceWith(outer)
    }
  }
  replaceIn(document.body)
  new MutationObserver((changes) => {
    for (const { addedNodes, target } of changes) {
      replaceIn(target)
      for (const node of addedNodes) replaceIn(node)
    }
  }).observe(document.body, { childList: true, subtree: true, characterData: true })
}

/**
 * Texts with a React fiber of their own. React throws when it removes one that a translation has
 * replaced. A text that is its element's only child has no fiber.
 */
export async function findBareTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    type Fiber = { tag: number; memoizedProps: unknown; child?: Fiber; sibling?: Fiber }
    const HOST_TEXT = 6
    const texts: string[] = []
    function collect(fiber: Fiber | null | undefined): void {
      for (let current = fiber; current; current = current.sibling) {
        if (current.tag === HOST_TEXT && String(current.memoizedProps).trim())
          texts.push(String(current.memoizedProps))
        collect(current.child)
      }
    }
    const root: object = document.getElementById('root') ?? {}
    const key = Object.keys(root).find((name) => name.startsWith('__reactContainer$')) ?? ''
    const container: Fiber | undefined = Reflect.get(root, key)
    if (!container) return []
    collect(Reflect.get(Object(Reflect.get(container, 'stateNode')), 'current'))
    return texts
  })
}

const PRESSES_MAX = 30

/** Clicks each visible control, also those that appear after a click. */
export async function pressAllControls(page: Page): Promise<void> {
  await page
    .evaluate(async (maxPresses) => {
      const pressed = new Set<Element>()
      const selector = 'button, summary, [role^=menuitem], input[type=radio], input[type=checkbox]'
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      while (pressed.size < maxPresses) {
        const next = [...document.querySelectorAll<HTMLElement>(selector)].find(
          (control) => !pressed.has(control) && control.checkVisibility(),
        )
        if (!next) return
        pressed.add(next)
        next.click()
        await frame()
      }
    }, PRESSES_MAX)
    // A click may navigate to another document.
    .catch((error: Error) => {
      if (!/navigat|destroyed/.test(error.message)) throw error
    })
}
