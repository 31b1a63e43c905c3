// A visitor who only reads a post, or looks at the sign-in form, does not need the app: the page is
// complete. The app is loaded at the first interaction; early-input.ts records input into fields
// until then (decision 0011).

/**
 * Runs in the head (head-script.ts): a file of its own would be one more request before the image.
 * `data-app` of <html> lists the app's files, the entry first; `data-app-deferred` says that they
 * are not loaded yet. Scrolling, or moving the pointer over text, is not an interaction; pointing
 * at a control is one, and so is "Back" to another page of the same document. A reloaded page whose
 * history state has data for the app loads it at once. When the entry fails to load, on any page, a
 * strip says so and the next interaction retries. A style sheet among the files is for elements
 * that only the app renders (decision 0051); the app waits for it unless it fails to load.
 */
export function loadAppOnInteraction(): void {
  const { dataset } = document.documentElement
  const interactions = ['pointerdown', 'keydown', 'focusin', 'pointerover', 'click']
  let listeners = new AbortController()
  let strip: HTMLElement | undefined

  function listen() {
    listeners.abort()
    listeners = new AbortController()
    const { signal } = listeners
    for (const type of interactions)
      addEventListener(type, handleInteraction, { capture: true, passive: true, signal })
    addEventListener('online', load, { signal })
    addEventListener('popstate', load, { signal })
  }
  function handleInteraction({ type, target }: Event) {
    const control =
      target instanceof Element ? target.closest('a,button,input,select,label,[role=button]') : null
    // A video plays without the app (page-scripts.ts).
    if (type === 'keydown' || (control && control.className !== 'still')) load()
  }
  function load() {
    listeners.abort()
    const [entry = '', ...others] = (dataset.app ?? '').split(' ')
    for (const href of others) {
      const link = document.createElement('link')
      const rel = href.endsWith('.css') ? 'stylesheet' : 'modulepreload'
      const onerror = () => link.remove()
      document.head.append(Object.assign(link, { rel, href, onerror }))
    }
    const script = document.createElement('script')
    document.head.append(Object.assign(script, { type: 'module', src: entry }))
  }
  function isEntry(target: EventTarget | null): boolean {
    return target instanceof HTMLScriptElement && target.type === 'module'
  }
  addEventListener(
    'error',
    ({ target }) => {
      if (!isEntry(target)) return
      strip?.remove()
      strip = document.createElement('p')
      strip.className = 'strip strip--late'
      strip.setAttribute('role', 'alert')
      document.body.prepend(strip)
      strip.textContent = dataset.appMissing ?? ''
      listen()
    },
    true,
  )
  document.addEventListener('load', ({ target }) => isEntry(target) && strip?.remove(), true)
  if ('appDeferred' in dataset) {
    if (history.state?.usr) document.addEventListener('DOMContentLoaded', load)
    else listen()
    // Embeds of sites that the reader has chosen load at once, which only the app does.
    if ('embeds' in dataset)
      document.addEventListener('DOMContentLoaded', () => {
        if (document.querySelector('[data-frame]')) load()
      })
  }
}
