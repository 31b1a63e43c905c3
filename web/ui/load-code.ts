// Parts of the app that are loaded when they are needed.
import { whenOnline } from './use-online.ts'

/**
 * Loads a part, also after it did not come before.
 *
 * @note a style sheet that failed is not asked for again by the build's own loader, and the part
 *   would come without it
 */
export async function loadCode<Part>(load: () => Promise<Part>): Promise<Part> {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'))
    if (!link.sheet) askAgain(link)
  return await load()
}

/** Another part may wait for the old link: it gets the events of the new one. */
function askAgain(link: HTMLLinkElement): void {
  const again = link.cloneNode() as HTMLLinkElement
  again.onload = again.onerror = (event) => link.dispatchEvent(new Event((event as Event).type))
  link.replaceWith(again)
}

/** Loads a part that may come late: without a network it comes when that is back. */
export async function loadWhenOnline<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      return await loadCode(load)
    } catch {
      await new Promise<void>((resolve) => {
        const stop = whenOnline(() => {
          stop()
          resolve()
        })
      })
    }
  }
}
