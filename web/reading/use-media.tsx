// Opens the pictures of a text in the lightbox and loads its embeds, when they are pressed. The
// press itself is caught in the head (head/page-scripts.ts), also before the app runs.
import {
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useEffectEvent,
  useState,
} from 'react'
import { findStoredKeys } from '../head/device-storage.ts'
import { EMBED_KEY_PREFIX, MEDIA_PRESS } from '../head/page-scripts.ts'
import { lazyWhenOnline, loadWhenOnline } from '../ui/load-code.ts'

const Lightbox = lazyWhenOnline(async () => (await import('./lightbox.tsx')).Lightbox)

/**
 * @param html the text as it is shown
 * @returns the open lightbox
 */
export function useMedia(text: RefObject<HTMLElement | null>, html: string): ReactNode {
  const [opened, setOpened] = useState<HTMLElement | undefined>()
  const handlePress = useEffectEvent(() => {
    const pressed = window.pressedMedia
    if (!pressed || !text.current?.contains(pressed)) return
    delete window.pressedMedia
    if (pressed.matches('a')) setOpened(pressed)
    else void importEmbeds().then((part) => part.loadEmbed(pressed))
  })
  useEffect(() => {
    handlePress()
    const listening = new AbortController()
    addEventListener(MEDIA_PRESS, () => handlePress(), listening)
    return () => listening.abort()
  }, [])
  const loadChosen = useEffectEvent(() => {
    if (findStoredKeys(EMBED_KEY_PREFIX).length === 0 || !text.current) return
    const element = text.current
    if (element.querySelector('[data-frame]'))
      void importEmbeds().then((part) => part.loadChosenEmbeds(element))
  })
  useEffect(() => loadChosen(), [html])
  return (
    opened &&
    text.current && (
      <Suspense fallback={null}>
        <Lightbox text={text.current} opener={opened} onClose={() => setOpened(undefined)} />
      </Suspense>
    )
  )
}

function importEmbeds() {
  return loadWhenOnline(async () => await import('./load-embed.ts'))
}
