// Loads parts of the app when they are needed.
import { type ComponentType, lazy } from 'react'
import { whenOnline } from './use-online.ts'

/**
 * Loads a part, also when an earlier attempt failed.
 *
 * @note the build's own loader does not request a style sheet again after it has failed, and the
 *   part would have no styles
 */
export async function loadCode<Part>(load: () => Promise<Part>): Promise<Part> {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'))
    if (!link.sheet) reload(link)
  return await load()
}

/** Another part may be waiting for the old link, so the old link gets the events of the new one. */
function reload(link: HTMLLinkElement): void {
  const newLink = link.cloneNode() as HTMLLinkElement
  newLink.onload = newLink.onerror = (event) => link.dispatchEvent(new Event((event as Event).type))
  link.replaceWith(newLink)
}

/** Loads a part that may arrive late: tries again when the network is back. */
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

/** A component that may appear late. */
export function lazyWhenOnline<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await loadWhenOnline(load) }))
}
