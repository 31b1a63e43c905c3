// A visitor who only reads a post, or looks at the sign-in form, needs no script: the page is
// whole. The app is loaded with the first sign of more than reading; what is entered into fields
// until then is recorded beside this (early-input.ts, decision 0011).

/**
 * Runs in the head (head-script.ts): a file of its own would be one more request before the image.
 * The files of the app, the entry first, are in `data-app` of <html>, and `data-asleep` says that
 * they wait. Moving the pointer over the text or scrolling is reading; reaching for a control is
 * not, nor is going back to another page of the same document. A reloaded page whose history state
 * tells the app something does not wait. When the entry fails to load, also on pages that do not
 * wait, a strip says so and the next sign tries again. A sheet among the files is what only the app
 * draws (decision 0051), which waits for it unless it fails.
 */
export function loadAppOnInteraction(): void {
  const { dataset } = document.documentElement
  const signs = ['pointerdown', 'keydown', 'focusin', 'pointerover', 'click']
  let listening = new AbortController()
  let strip: HTMLElement | undefined

  function listen() {
    listening.abort()
    listening = new AbortController()
    const { signal } = listening
    for (const sign of signs)
      addEventListener(sign, handleSign, { capture: true, passive: true, signal })
    addEventListener('online', load, { signal })
    addEventListener('popstate', load, { signal })
  }
  function handleSign({ type, target }: Event) {
    const control =
      target instanceof Element ? target.closest('a,button,input,select,label,[role=button]') : null
    // A video plays without the app (load-player.ts).
    if (type === 'keydown' || (control && control.className !== 'still')) load()
  }
  function load() {
    listening.abort()
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
      strip.textContent = dataset.late ?? ''
      listen()
    },
    true,
  )
  document.addEventListener('load', ({ target }) => isEntry(target) && strip?.remove(), true)
  if ('asleep' in dataset) {
    if (history.state?.usr) document.addEventListener('DOMContentLoaded', load)
    else listen()
  }
}
