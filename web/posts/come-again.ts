// A picture that could not be had may only have been asked for at a bad moment, while the server
// was busy drawing. It is asked for again, a few times, beside the page.
import type { ImageSources } from '../files/files-api.ts'

const PAUSES_MS = [4000, 20_000]

type Sources = Pick<ImageSources, 'src' | 'srcSet' | 'sizes'>

/** @returns stops asking */
export function comeAgain(
  sources: Sources,
  onThere: () => void,
  [pauseMs, ...later]: readonly number[] = PAUSES_MS,
): () => void {
  if (pauseMs === undefined) return () => {}
  let stop: () => void
  const timer = setTimeout(() => {
    const image = new Image()
    image.onload = onThere
    image.onerror = () => {
      stop = comeAgain(sources, onThere, later)
    }
    stop = () => {
      image.onload = image.onerror = null
    }
    image.sizes = sources.sizes ?? ''
    image.srcset = sources.srcSet
    image.src = sources.src
  }, pauseMs)
  stop = () => clearTimeout(timer)
  return () => stop()
}
