// The image of a post in a box of fixed shape, or the lettered cover if the post has no image or
// its image does not load.
import { type CSSProperties, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ImageSources } from '../files/files-api.ts'

type FeaturedImageProps = {
  image: ImageSources | undefined
  /** For screens of at least 64em, where the shape differs. */
  wideImage?: ImageSources
  title: string
  slug: string
  /** The first image of a screen: fetched at once. */
  isEager?: boolean
  onBroken?: () => void
}

/** The caller renders the box. The title beside it describes the image, so its `alt` is empty. */
export function FeaturedImage({
  image,
  wideImage,
  title,
  slug,
  isEager = false,
  onBroken,
}: FeaturedImageProps) {
  const [isBroken, setBroken] = useState(false)
  const element = useRef<HTMLImageElement>(null)

  function handleBroken() {
    setBroken(true)
    onBroken?.()
  }
  const checkOnce = useEffectEvent(() => {
    const img = element.current
    if (img?.complete && img.naturalWidth === 0 && img.currentSrc) handleBroken()
  })
  // The image may have failed to load before hydration.
  useEffect(() => checkOnce(), [])

  const retry = useEffectEvent(() => image && retryImage(image, () => setBroken(false)))
  const src = image?.src
  useEffect(() => (isBroken ? retry() : undefined), [isBroken, src])

  if (!image || isBroken) return <LetteredCover title={title} slug={slug} />
  return (
    <picture>
      {wideImage && (
        <source
          media="(min-width: 64em)"
          srcSet={wideImage.srcSet}
          sizes={wideImage.sizes}
          width={wideImage.width}
          height={wideImage.height}
        />
      )}
      <img
        ref={element}
        src={image.src}
        srcSet={image.srcSet}
        sizes={image.sizes}
        width={image.width}
        height={image.height}
        alt=""
        loading={isEager ? 'eager' : 'lazy'}
        fetchPriority={isEager ? 'high' : 'auto'}
        decoding="async"
        onError={handleBroken}
      />
    </picture>
  )
}

export const COVER_BACKGROUNDS = 4

/**
 * `letter` includes its combining marks. `isCentered`: letters without a Latin-style baseline are
 * centred; all others are clipped by the lower edge. `background` depends on the slug alone, so
 * that it is always the same for a post.
 */
export function coverOf({ title, slug }: { title: string; slug: string }): {
  letter: string
  isCentered: boolean
  background: number
} {
  const letter = /[\p{L}\p{N}]\p{M}*/u.exec(title)?.[0] ?? '·'
  const capital = letter.toLocaleUpperCase('en')
  let hash = 0
  for (const character of slug) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 9973
  return {
    letter: capital.length > letter.length ? letter : capital,
    isCentered: !/[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]/u.test(letter),
    background: (hash % COVER_BACKGROUNDS) + 1,
  }
}

function LetteredCover({ title, slug }: { title: string; slug: string }) {
  const { letter, isCentered, background } = coverOf({ title, slug })
  return (
    <div
      className={`cover cover--${background}${isCentered ? ' cover--centered' : ''}`}
      aria-hidden="true"
    >
      <b>{letter}</b>
    </div>
  )
}

const COLOR = /^#[\da-f]{6}$/

/**
 * The style of an image's box until the image has loaded: the image's colour as background;
 * undefined if the colour is unknown.
 */
export function placeholderStyle(imageColor: string | undefined): CSSProperties | undefined {
  return imageColor !== undefined && COLOR.test(imageColor)
    ? { backgroundColor: imageColor }
    : undefined
}

const RETRY_DELAYS_MS = [4000, 20_000]

type Sources = Pick<ImageSources, 'src' | 'srcSet' | 'sizes'>

/**
 * Retries an image that failed to load, a few times: the server may have been busy.
 *
 * @returns a function that stops the attempts
 */
export function retryImage(
  sources: Sources,
  onLoad: () => void,
  [delayMs, ...later]: readonly number[] = RETRY_DELAYS_MS,
): () => void {
  if (delayMs === undefined) return () => {}
  let stop: () => void
  const timer = setTimeout(() => {
    const image = new Image()
    image.onload = onLoad
    image.onerror = () => {
      stop = retryImage(sources, onLoad, later)
    }
    stop = () => {
      image.onload = image.onerror = null
    }
    image.sizes = sources.sizes ?? ''
    image.srcset = sources.srcSet
    image.src = sources.src
  }, delayMs)
  stop = () => clearTimeout(timer)
  return () => stop()
}
